package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.value.Cast;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.Optional;

/// A literal of PARTITION_AT_KEYS as a value of its key column. Dates and the like are written as
/// strings there.
final class PartitionKeyValue {
    private PartitionKeyValue() {}

    static Value of(
            Expression.Literal literal,
            Typed.Constant constant,
            Type type,
            AnalysisContext context) {
        try {
            Typed converted = context.convert(literal.at(), constant, type, "PARTITION_AT_KEYS");
            if (converted instanceof Typed.Constant(_, Value value)) {
                return value;
            }
        } catch (StatusException _) {
            // Strings are tried as text of the type below.
        }
        Optional<Value> cast =
                Cast.find(literal.type(), type)
                        .map(caster -> caster.apply(literal.value()))
                        .filter(value -> !value.isNull());
        if (cast.isPresent()) {
            return cast.get();
        }
        throw AnalysisContext.error(
                literal.at(),
                "Failed to convert value \""
                        + text(literal.value())
                        + "\" to a corresponding key column type");
    }

    private static String text(Value value) {
        return switch (value) {
            case Value.Int(long number) -> Long.toString(number);
            case Value.Real(double real) -> Double.toString(real);
            case Value.Bool(boolean bool) -> Boolean.toString(bool);
            case Value.Text(String text) -> text;
            case Value.Binary(Bytes bytes) -> bytes.utf8();
            default -> value.toString();
        };
    }
}
