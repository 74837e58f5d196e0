package io.cleave.ytql;

import io.cleave.base.Bytes;
import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtType;
import io.cleave.value.Value;

import java.util.List;
import java.util.Locale;

/// Prints expressions as YTsaurus does: with parentheses around every operand. A column of a result
/// that has no alias has this text as its name.
///
/// The expression must not be deeper than allowed.
final class YtExpressionText {
    /// The beginning of the text of a value that is sent with the query. No other text begins like
    /// this.
    private static final String SENT = "{\0";

    private final StringBuilder text = new StringBuilder();

    /// Whether an alias is printed with its expression.
    private final boolean expands;

    private YtExpressionText(boolean expands) {
        this.expands = expands;
    }

    static String of(YtExpression expression) {
        var printer = new YtExpressionText(true);
        printer.add(expression, false);
        return printer.text.toString();
    }

    static String tuple(List<YtExpression> tuple) {
        var printer = new YtExpressionText(true);
        if (tuple.size() > 1) {
            printer.text.append('(');
        }
        printer.addAll(tuple);
        if (tuple.size() > 1) {
            printer.text.append(')');
        }
        return printer.text.toString();
    }

    /// The name of a result column that has the value of the expression. If the expression contains
    /// a value that is sent with the query, the name cannot be known without the value.
    static String columnName(YtExpression expression) {
        var printer = new YtExpressionText(false);
        printer.add(expression, true);
        if (printer.text.indexOf(SENT) >= 0) {
            throw YtSentValues.needed();
        }
        return printer.text.toString();
    }

    static String of(YtLiteral literal) {
        return switch (literal.value()) {
            case Value.Bool(boolean bool) -> bool ? "true" : "false";
            case Value.Int(long bits) ->
                    literal.type() == YtType.UINT64
                            ? Long.toUnsignedString(bits) + "u"
                            : Long.toString(bits);
            case Value.Real(double real) -> real(real);
            case Value.Binary(Bytes bytes) -> "\"" + YtEscapes.escaped(bytes) + "\"";
            default -> "null";
        };
    }

    private static String real(double real) {
        if (Double.isInfinite(real)) {
            return real > 0 ? "inf" : "-inf";
        }
        return real == Math.rint(real) && Math.abs(real) < 1e15
                ? Long.toString((long) real)
                : Double.toString(real);
    }

    private void add(YtExpression expression, boolean plainName) {
        switch (expression) {
            case YtExpression.Literal(_, YtLiteral value) -> text.append(of(value));
            case YtExpression.InSent in -> {
                inParentheses(in.operand());
                text.append(" IN ").append(SENT).append(in.name()).append('}');
            }
            case YtExpression.Sent sent -> text.append(SENT).append(sent.name()).append('}');
            case YtExpression.Reference reference -> add(reference, plainName);
            case YtExpression.Alias alias -> {
                if (expands) {
                    text.append('(');
                    add(alias.expression(), false);
                    text.append(" as ");
                    name(alias.name(), plainName);
                    text.append(')');
                } else {
                    name(alias.name(), plainName);
                }
            }
            case YtExpression.Call call -> {
                text.append(call.function()).append('(');
                addAll(call.arguments());
                text.append(')');
            }
            case YtExpression.Unary unary -> {
                text.append(unary.operator().text());
                inParentheses(unary.operand());
            }
            case YtExpression.Binary binary -> {
                inParentheses(binary.left());
                text.append(binary.operator().text());
                inParentheses(binary.right());
            }
            case YtExpression.In in -> {
                inParentheses(in.operand());
                text.append(" IN (");
                addTuples(in.tuples());
                text.append(')');
            }
            case YtExpression.Between between -> add(between);
            case YtExpression.Transform transform -> add(transform);
            case YtExpression.Case choice -> add(choice);
            case YtExpression.Like like -> {
                add(like.text(), false);
                text.append(' ').append(like.match().words).append(' ');
                add(like.pattern(), false);
                like.escape()
                        .ifPresent(
                                escape -> {
                                    text.append(" ESCAPE ");
                                    add(escape, false);
                                });
            }
            case YtExpression.Cast cast -> {
                text.append("CAST(");
                add(cast.operand(), false);
                text.append(" AS ").append(cast.type().toLowerCase(Locale.ROOT)).append(')');
            }
            case YtExpression.Subquery _ -> text.append("(SELECT ...)");
        }
    }

    private void add(YtExpression.Reference reference, boolean plainName) {
        reference.table().ifPresent(table -> text.append(table).append('.'));
        name(reference.column(), plainName);
        reference.path().forEach(member -> text.append('.').append(member));
        reference
                .index()
                .ifPresent(
                        index -> {
                            text.append('[');
                            add(index, false);
                            text.append(']');
                        });
    }

    private void add(YtExpression.Between between) {
        inParentheses(between.operand());
        text.append(" BETWEEN (");
        for (int index = 0; index < between.ranges().size(); index++) {
            text.append(index == 0 ? "" : ", ");
            addTuple(between.ranges().get(index).lower());
            text.append(" AND ");
            addTuple(between.ranges().get(index).upper());
        }
        text.append(')');
    }

    private void add(YtExpression.Transform transform) {
        text.append("TRANSFORM(");
        if (transform.operand().size() > 1) {
            inParentheses(transform.operand());
        } else {
            addAll(transform.operand());
        }
        text.append(", (");
        addTuples(transform.from());
        text.append("), (");
        addTuples(transform.to());
        text.append(')');
        transform
                .otherwise()
                .ifPresent(
                        otherwise -> {
                            text.append(", ");
                            add(otherwise, false);
                        });
        text.append(')');
    }

    private void add(YtExpression.Case choice) {
        text.append("CASE");
        choice.operand()
                .ifPresent(
                        operand -> {
                            text.append(' ');
                            add(operand, false);
                        });
        for (YtExpression.WhenThen branch : choice.branches()) {
            text.append(" WHEN ");
            add(branch.condition(), false);
            text.append(" THEN ");
            add(branch.result(), false);
        }
        choice.otherwise()
                .ifPresent(
                        otherwise -> {
                            text.append(" ELSE ");
                            add(otherwise, false);
                        });
        text.append(" END");
    }

    private void inParentheses(List<YtExpression> tuple) {
        text.append('(');
        addAll(tuple);
        text.append(')');
    }

    private void addAll(List<YtExpression> expressions) {
        for (int index = 0; index < expressions.size(); index++) {
            text.append(index == 0 ? "" : ", ");
            add(expressions.get(index), false);
        }
    }

    private void addTuples(List<List<YtLiteral>> tuples) {
        for (int index = 0; index < tuples.size(); index++) {
            text.append(index == 0 ? "" : ", ");
            addTuple(tuples.get(index));
        }
    }

    private void addTuple(List<YtLiteral> tuple) {
        text.append(tuple.size() > 1 ? "(" : "");
        for (int index = 0; index < tuple.size(); index++) {
            text.append(index == 0 ? "" : ", ").append(of(tuple.get(index)));
        }
        text.append(tuple.size() > 1 ? ")" : "");
    }

    /// A name that is not a plain word is quoted, except in the name of a column.
    private void name(String name, boolean plain) {
        if (plain || isPlain(name)) {
            text.append(name);
        } else {
            text.append('`')
                    .append(YtEscapes.escaped(Bytes.utf8(name)).replace("`", "\\`"))
                    .append('`');
        }
    }

    private static boolean isPlain(String name) {
        if (name.isEmpty() || YtKeywords.isWord(name)) {
            return false;
        }
        for (int index = 0; index < name.length(); index++) {
            char c = name.charAt(index);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (!letter && (index == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }
}
