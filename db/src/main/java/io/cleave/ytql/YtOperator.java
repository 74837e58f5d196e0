package io.cleave.ytql;

/// The operators, with their text and with their names in YTsaurus' messages.
enum YtOperator {
    OR("OR", "Or", 1),
    AND("AND", "And", 2),
    NOT("NOT ", "Not", 3),
    EQUAL("=", "Equal", 5),
    NOT_EQUAL("!=", "NotEqual", 5),
    LESS("<", "Less", 6),
    LESS_OR_EQUAL("<=", "LessOrEqual", 6),
    GREATER(">", "Greater", 6),
    GREATER_OR_EQUAL(">=", "GreaterOrEqual", 6),
    BIT_OR("|", "BitOr", 7),
    BIT_AND("&", "BitAnd", 8),
    SHIFT_LEFT("<<", "LeftShift", 9),
    SHIFT_RIGHT(">>", "RightShift", 9),
    PLUS("+", "Plus", 10),
    MINUS("-", "Minus", 10),
    CONCATENATE("||", "Concatenate", 10),
    MULTIPLY("*", "Multiply", 11),
    DIVIDE("/", "Divide", 11),
    MODULO("%", "Modulo", 11),
    BIT_NOT("~", "BitNot", 12);

    private final String text;
    private final String label;
    private final int level;

    YtOperator(String text, String label, int level) {
        this.text = text;
        this.label = label;
        this.level = level;
    }

    String text() {
        return text;
    }

    /// The name in messages.
    String label() {
        return label;
    }

    /// The level of precedence. Level 1 binds most loosely.
    int level() {
        return level;
    }

    boolean isComparison() {
        return switch (this) {
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> true;
            default -> false;
        };
    }
}
