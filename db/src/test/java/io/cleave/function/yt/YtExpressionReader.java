package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads expressions for tests: literals, operators, calls, and columns. `col(5)` is a column that
/// may be NULL and has the literal's value in the only row; `req(5)` is a column that cannot be
/// NULL; `col(null, int64)` is a column that is NULL. It is not the query language's parser: names
/// are only those of functions, and tuples occur only where an operator takes them.
final class YtExpressionReader {
    private static final Map<String, YtBinaryOperator> BY_LEXEME =
            Map.ofEntries(
                    Map.entry("OR", YtBinaryOperator.OR),
                    Map.entry("AND", YtBinaryOperator.AND),
                    Map.entry("=", YtBinaryOperator.EQUAL),
                    Map.entry("!=", YtBinaryOperator.NOT_EQUAL),
                    Map.entry("<", YtBinaryOperator.LESS),
                    Map.entry("<=", YtBinaryOperator.LESS_OR_EQUAL),
                    Map.entry(">", YtBinaryOperator.GREATER),
                    Map.entry(">=", YtBinaryOperator.GREATER_OR_EQUAL),
                    Map.entry("|", YtBinaryOperator.BIT_OR),
                    Map.entry("&", YtBinaryOperator.BIT_AND),
                    Map.entry("<<", YtBinaryOperator.LEFT_SHIFT),
                    Map.entry(">>", YtBinaryOperator.RIGHT_SHIFT),
                    Map.entry("+", YtBinaryOperator.PLUS),
                    Map.entry("-", YtBinaryOperator.MINUS),
                    Map.entry("||", YtBinaryOperator.CONCATENATE),
                    Map.entry("*", YtBinaryOperator.MULTIPLY),
                    Map.entry("/", YtBinaryOperator.DIVIDE),
                    Map.entry("%", YtBinaryOperator.MODULO));

    private final String text;
    private final YtOperators operators;
    private final List<Type> columnTypes = new ArrayList<>();
    private final List<Value> row = new ArrayList<>();
    private int at;

    YtExpressionReader(String text, YtOperators operators) {
        this.text = text;
        this.operators = operators;
    }

    /// The types of the columns that occur in the text.
    List<Type> columnTypes() {
        return columnTypes;
    }

    /// The row that the columns are read from.
    Value[] row() {
        return row.toArray(Value[]::new);
    }

    UntypedExpression whole() {
        UntypedExpression expression = expression(0);
        skip();
        if (at < text.length()) {
            throw new IllegalArgumentException("unread: " + text.substring(at));
        }
        return expression;
    }

    /// The arguments of an aggregate call, such as `sum(col(1))`.
    List<UntypedExpression> list() {
        var items = new ArrayList<UntypedExpression>();
        require("(");
        while (!found(")")) {
            items.add(expression(0));
            found(",");
        }
        return items;
    }

    private static int precedence(String lexeme) {
        return switch (lexeme) {
            case "OR" -> 1;
            case "AND" -> 2;
            case "=", "!=" -> 4;
            case "<", "<=", ">", ">=", "LIKE", "ILIKE", "REGEXP" -> 5;
            case "|" -> 6;
            case "&" -> 7;
            case "<<", ">>" -> 8;
            case "+", "-", "||" -> 9;
            case "*", "/", "%" -> 10;
            default -> 0;
        };
    }

    private UntypedExpression expression(int above) {
        List<UntypedExpression> left = List.of();
        skip();
        if (text.startsWith("((", at)) {
            at++;
            left = list();
            found(")");
        } else {
            left = List.of(unary());
        }
        while (true) {
            String lexeme = peekOperator();
            int precedence = precedence(lexeme);
            if (precedence <= above) {
                return left.getFirst();
            }
            at += lexeme.length();
            left = List.of(operation(lexeme, left, precedence));
        }
    }

    private UntypedExpression operation(
            String lexeme, List<UntypedExpression> left, int precedence) {
        return switch (lexeme) {
            case "LIKE", "ILIKE", "REGEXP" -> {
                UntypedExpression pattern = expression(precedence);
                UntypedExpression escape = found("ESCAPE") ? expression(precedence) : null;
                yield YtConditions.match(
                        YtConditions.MatchKind.valueOf(lexeme),
                        left.getFirst(),
                        pattern,
                        escape,
                        text);
            }
            default -> {
                YtBinaryOperator operator = BY_LEXEME.get(lexeme);
                skip();
                List<UntypedExpression> right;
                if (left.size() > 1) {
                    right = list();
                } else {
                    right = List.of(expression(precedence));
                }
                yield operator.isRelation()
                        ? operators.relation(operator, left, right, text)
                        : operators.binary(
                                operator, left.getFirst(), right.getFirst(), "left", "right");
            }
        };
    }

    private List<List<YtLiteral>> rows() {
        var rows = new ArrayList<List<YtLiteral>>();
        require("(");
        while (!found(")")) {
            rows.add(tuple());
            found(",");
        }
        return rows;
    }

    private List<YtLiteral> tuple() {
        skip();
        List<UntypedExpression> items = text.startsWith("(", at) ? list() : List.of(expression(0));
        return items.stream().map(item -> item.literal().orElseThrow()).toList();
    }

    private String peekOperator() {
        skip();
        for (String lexeme :
                List.of(
                        "REGEXP", "ILIKE", "LIKE", "AND", "OR", "<=", ">=", "!=", "<<", ">>", "||",
                        "=", "<", ">", "|", "&", "+", "-", "*", "/", "%")) {
            if (text.startsWith(lexeme, at)) {
                return lexeme;
            }
        }
        return "";
    }

    private UntypedExpression unary() {
        skip();
        if (found("NOT ")) {
            return operators.unary(YtUnaryOperator.NOT, expression(3), text);
        }
        for (YtUnaryOperator operator : YtUnaryOperator.values()) {
            if (operator != YtUnaryOperator.NOT && found(operator.lexeme())) {
                return operators.unary(operator, unary(), text);
            }
        }
        return primary();
    }

    private UntypedExpression primary() {
        char c = text.charAt(at);
        if (found("(")) {
            UntypedExpression inner = expression(0);
            require(")");
            return inner;
        }
        if (c == '\'' || c == '"') {
            return UntypedExpression.string(string(c));
        }
        if (c >= '0' && c <= '9') {
            return number();
        }
        if (found("#")) {
            return UntypedExpression.nullLiteral();
        }
        return named(word());
    }

    private UntypedExpression named(String name) {
        return switch (name) {
            case "null" -> UntypedExpression.nullLiteral();
            case "true", "false" -> UntypedExpression.bool(name.equals("true"));
            case "inf" -> UntypedExpression.real(Double.POSITIVE_INFINITY);
            case "col", "req" -> column(name.equals("col"));
            case "cast" -> {
                require("(");
                UntypedExpression operand = expression(0);
                require("AS");
                YtType type = YtType.valueOf(word().toUpperCase(Locale.ROOT));
                require(")");
                yield YtConditions.cast(operand, type);
            }
            case "case" -> choice();
            case "transform" -> transform();
            default -> YtFunctions.call(name, list(), text);
        };
    }

    private UntypedExpression choice() {
        UntypedExpression operand = null;
        if (!found("WHEN")) {
            operand = expression(0);
            require("WHEN");
        }
        var branches = new ArrayList<YtConditions.When>();
        do {
            UntypedExpression condition = expression(0);
            require("THEN");
            branches.add(new YtConditions.When(condition, expression(0)));
        } while (found("WHEN"));
        UntypedExpression otherwise = found("ELSE") ? expression(0) : null;
        require("END");
        return YtConditions.choice(operators, operand, branches, otherwise, text);
    }

    private UntypedExpression transform() {
        require("(");
        skip();
        List<UntypedExpression> operands =
                text.startsWith("(", at) ? list() : List.of(expression(0));
        require(",");
        List<List<YtLiteral>> from = rows();
        require(",");
        List<YtLiteral> to = list().stream().map(item -> item.literal().orElseThrow()).toList();
        UntypedExpression otherwise = found(",") ? expression(0) : null;
        require(")");
        return YtTuples.transform(operands, from, to, otherwise, text);
    }

    /// A column with the value of a literal, or of the type that is named after a comma.
    private UntypedExpression column(boolean optional) {
        require("(");
        Typed value = expression(0).typed();
        Value fixed = YtEvaluation.constant(value);
        Type type = value.type().unwrapped();
        if (found(",")) {
            type = YtType.valueOf(word().toUpperCase(Locale.ROOT)).type();
        }
        require(")");
        columnTypes.add(optional ? type.optional() : type);
        row.add(fixed);
        return UntypedExpression.of(new Typed.Input(columnTypes.getLast(), columnTypes.size() - 1));
    }

    private UntypedExpression number() {
        int from = at;
        while (at < text.length() && isNumberPart()) {
            at++;
        }
        String digits = text.substring(from, at);
        if (digits.contains(".") || digits.contains("e")) {
            return UntypedExpression.real(Double.parseDouble(digits));
        }
        long bits = Long.parseUnsignedLong(digits);
        return found("u") ? UntypedExpression.uint64(bits) : UntypedExpression.int64(bits);
    }

    private boolean isNumberPart() {
        char c = text.charAt(at);
        boolean exponentSign = (c == '-' || c == '+') && text.charAt(at - 1) == 'e';
        return (c >= '0' && c <= '9') || c == '.' || c == 'e' || exponentSign;
    }

    private Bytes string(char quote) {
        var bytes = new ByteArrayOutputStream();
        at++;
        while (text.charAt(at) != quote) {
            if (text.startsWith("\\x", at)) {
                bytes.write(Integer.parseInt(text.substring(at + 2, at + 4), 16));
                at += 4;
            } else {
                at += text.charAt(at) == '\\' ? 1 : 0;
                int point = text.codePointAt(at);
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
                at += Character.charCount(point);
            }
        }
        at++;
        return Bytes.wrap(bytes.toByteArray());
    }

    private String word() {
        skip();
        int from = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        if (from == at) {
            throw new IllegalArgumentException("no word at: " + text.substring(at));
        }
        return text.substring(from, at);
    }

    private void skip() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private boolean found(String lexeme) {
        skip();
        if (text.startsWith(lexeme, at)) {
            at += lexeme.length();
            return true;
        }
        return false;
    }

    private void require(String lexeme) {
        if (!found(lexeme)) {
            throw new IllegalArgumentException(lexeme + " expected at: " + text.substring(at));
        }
    }
}
