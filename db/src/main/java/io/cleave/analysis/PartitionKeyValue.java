package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Cast;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.List;
import java.util.Optional;

/// A literal of PARTITION_AT_KEYS as a value of its key column. Dates and the like are written as
/// strings there. Types that YDB does not take there are refused as YDB does; a CreateTable call
/// may have keys of every type.
final class PartitionKeyValue {
    private PartitionKeyValue() {}

    static Value of(
            Expression.Literal literal,
            Typed.Constant constant,
            Type type,
            AnalysisContext context) {
        if (type instanceof Type.Decimal || type == Primitive.DY_NUMBER) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Unsupported type for PartitionAtKeys: '%s'"
                            .formatted(type instanceof Type.Decimal ? "Decimal" : type.text()),
                    literal.at());
        }
        return converted(literal, constant, type, context).orElseThrow(() -> failed(literal, type));
    }

    private static Optional<Value> converted(
            Expression.Literal literal,
            Typed.Constant constant,
            Type type,
            AnalysisContext context) {
        try {
            Typed converted = context.convert(literal.at(), constant, type, "PARTITION_AT_KEYS");
            if (converted instanceof Typed.Constant(_, Value value)) {
                return Optional.of(value);
            }
        } catch (StatusException _) {
            // Strings are tried as text of the type below.
        }
        // In YDB there is no way from a literal to one.
        if (type == Primitive.UUID) {
            return Optional.empty();
        }
        return Cast.find(literal.type(), type)
                .map(caster -> caster.apply(literal.value()))
                .filter(value -> !value.isNull());
    }

    private static StatusException failed(Expression.Literal literal, Type type) {
        String value =
                "Failed to convert value \"%s\" to a corresponding key column type"
                        .formatted(text(literal.value()));
        String types =
                "Failed to convert type: %s to %s".formatted(literal.type().text(), type.text());
        return new StatusException(
                Status.GENERIC_ERROR,
                List.of(Issue.error(value).at(literal.at()), Issue.error(types).at(literal.at())));
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
