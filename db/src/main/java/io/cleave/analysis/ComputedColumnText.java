package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.ytql.YtExpressionTyping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Prints an expression of YTsaurus' query language in YQL, if YQL can say the same: hashes,
/// arithmetic, columns and literals.
final class ComputedColumnText {
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

    private final List<Column> key;

    private ComputedColumnText(List<Column> key) {
        this.key = key;
    }

    static Optional<String> inYql(String expression, List<Column> key) {
        Typed typed =
                YtExpressionTyping.of(
                        expression,
                        key.stream()
                                .map(column -> new Field(column.name(), column.valueType()))
                                .toList());
        return new ComputedColumnText(key).text(typed);
    }

    private Optional<String> text(Typed node) {
        return switch (node) {
            case Typed.Input(_, int index) -> Optional.of(name(key.get(index).name()));
            case Typed.Constant(Type type, Value value) -> literal(type, value);
            case Typed.Apply apply -> call(apply);
            default -> Optional.empty();
        };
    }

    private static String name(String column) {
        return column.matches("[A-Za-z_][A-Za-z_0-9]*") ? column : TableText.quoted(column);
    }

    private static Optional<String> literal(Type type, Value value) {
        return switch (value) {
            case Value.Int(long number) when type == Primitive.UINT64 ->
                    Optional.of(Long.toUnsignedString(number) + "ul");
            case Value.Int(long number) when type == Primitive.INT64 && number >= 0 ->
                    Optional.of(number + "l");
            case Value.Binary(Bytes bytes) when bytes.utf8().matches("[A-Za-z_0-9 .:/-]*") ->
                    Optional.of('"' + bytes.utf8() + '"');
            default -> Optional.empty();
        };
    }

    private Optional<String> call(Typed.Apply apply) {
        List<String> arguments = new ArrayList<>();
        for (Typed argument : apply.arguments()) {
            Optional<String> text = text(argument);
            if (text.isEmpty()) {
                return text;
            }
            arguments.add(text.get());
        }
        String name = apply.function().name();
        if (name.equals("farm_hash")) {
            return Optional.of(
                    arguments.stream().collect(Collectors.joining(", ", "Yt::FarmHash(", ")")));
        }
        if (ARITHMETIC.contains(name) && arguments.size() == 2 && isInteger(apply.type())) {
            String left = within(apply.arguments().getFirst(), arguments.getFirst());
            String right = within(apply.arguments().getLast(), arguments.getLast());
            return Optional.of(left + " " + name + " " + right);
        }
        return Optional.empty();
    }

    private static boolean isInteger(Type type) {
        return type.unwrapped() == Primitive.INT64 || type.unwrapped() == Primitive.UINT64;
    }

    private static String within(Typed operand, String text) {
        boolean simple =
                !(operand instanceof Typed.Apply apply)
                        || !ARITHMETIC.contains(apply.function().name());
        return simple ? text : "(" + text + ")";
    }
}
