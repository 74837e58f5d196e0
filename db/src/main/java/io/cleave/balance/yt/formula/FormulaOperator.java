package io.cleave.balance.yt.formula;

/// The operators of formulas. All operators of two operands associate to the left.
enum FormulaOperator {
    IN("in", 1),
    COMMA(",", 2),
    OR("||", 3),
    AND("&&", 4),
    BIT_OR("|", 5),
    BIT_XOR("^", 6),
    BIT_AND("&", 7),
    EQUAL("==", 8),
    NOT_EQUAL("!=", 8),
    LESS("<", 9),
    GREATER(">", 9),
    AT_MOST("<=", 9),
    AT_LEAST(">=", 9),
    PLUS("+", 10),
    MINUS("-", 10),
    TIMES("*", 11),
    DIVIDE("/", 11),
    REMAINDER("%", 11),
    NOT("!", 12);

    final String symbol;

    /// An operator of a greater precedence binds more tightly.
    final int precedence;

    FormulaOperator(String symbol, int precedence) {
        this.symbol = symbol;
        this.precedence = precedence;
    }

    boolean divides() {
        return this == DIVIDE || this == REMAINDER;
    }

    /// The value of an operator of two numbers. An overflow wraps around. A divisor is never 0, and
    /// the least number is never divided by -1.
    long apply(long left, long right) {
        return switch (this) {
            case OR -> truth(left != 0 || right != 0);
            case AND -> truth(left != 0 && right != 0);
            case BIT_OR -> left | right;
            case BIT_XOR -> left ^ right;
            case BIT_AND -> left & right;
            case EQUAL -> truth(left == right);
            case NOT_EQUAL -> truth(left != right);
            case LESS -> truth(left < right);
            case GREATER -> truth(left > right);
            case AT_MOST -> truth(left <= right);
            case AT_LEAST -> truth(left >= right);
            case PLUS -> left + right;
            case MINUS -> left - right;
            case TIMES -> left * right;
            case DIVIDE -> left / right;
            case REMAINDER -> left % right;
            case IN, COMMA, NOT ->
                    throw new IllegalStateException(symbol + " is not between two numbers");
        };
    }

    static long truth(boolean value) {
        return value ? 1 : 0;
    }
}
