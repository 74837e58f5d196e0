package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// A syntax tree as text: `(Record component component …)`. Positions, absent parts, false flags
/// and zeros are left out; what has a usual notation is written in it.
final class SyntaxText {
    private SyntaxText() {}

    static String of(List<Statement> statements) {
        return statements.stream().map(SyntaxText::text).collect(Collectors.joining("\n"));
    }

    private static String text(Object node) {
        return switch (node) {
            case Expression.Literal l -> l.type().text() + ":" + value(l.value());
            case Expression.ColumnName c ->
                    c.source().map(s -> "`" + s + "`.").orElse("") + "`" + c.name() + "`";
            case Expression.NamedValue n -> n.name();
            case Expression.Unary u -> "(" + u.operator() + " " + text(u.operand()) + ")";
            case Expression.Binary b ->
                    "(" + text(b.left()) + " " + b.operator().text() + " " + text(b.right()) + ")";
            case Statement.ColumnAt c -> c.name();
            case TableName t -> t.named() ? t.text() : "'" + t.text() + "'";
            case Type t -> t.text();
            case Optional<?> o -> text(o.orElseThrow());
            case OptionalLong o -> String.valueOf(o.getAsLong());
            case List<?> l ->
                    l.stream().map(SyntaxText::text).collect(Collectors.joining(", ", "[", "]"));
            case Record r -> record(r);
            default -> String.valueOf(node);
        };
    }

    private static String record(Record node) {
        List<String> parts = new ArrayList<>();
        parts.add(node.getClass().getSimpleName());
        for (RecordComponent component : node.getClass().getRecordComponents()) {
            Object part = part(node, component);
            if (part instanceof Boolean flag) {
                if (flag) {
                    parts.add(component.getName());
                }
            } else if (!isAbsent(part)) {
                boolean unlabelled =
                        part instanceof Statement
                                || part instanceof Query
                                || part instanceof TableName
                                || part instanceof Enum
                                || node.getClass().getRecordComponents().length <= 2;
                parts.add((unlabelled ? "" : component.getName() + "=") + text(part));
            }
        }
        return "(" + String.join(" ", parts) + ")";
    }

    private static boolean isAbsent(Object part) {
        return part instanceof Position
                || part.equals(Optional.empty())
                || part.equals(OptionalLong.empty())
                || part.equals(List.of())
                || part.equals(0)
                || part.equals(Query.Limit.NONE);
    }

    private static Object part(Record node, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(node);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError(component.toString(), e);
        }
    }

    private static String value(Value value) {
        return switch (value) {
            case Value.Null _ -> "NULL";
            case Value.Bool(boolean bool) -> String.valueOf(bool);
            case Value.Int(long number) -> String.valueOf(number);
            case Value.Real(double number) -> String.valueOf(number);
            case Value.Text(String text) -> quoted(text);
            case Value.Binary(var bytes) ->
                    bytes.equals(io.cleave.base.Bytes.utf8(bytes.utf8()))
                            ? quoted(bytes.utf8())
                            : bytes.toString();
            default -> throw new AssertionError("not a literal's value: " + value);
        };
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\n", "\\n").replace("\t", "\\t") + "\"";
    }
}
