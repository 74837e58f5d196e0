package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.typed.ConstantValue;
import io.cleave.typed.Typed;
import io.cleave.value.Cast;
import io.cleave.value.Ints;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.List;
import java.util.Optional;

/// Converts a value in PARTITION_AT_KEYS to a value of its key column. An integer becomes an
/// integer of the column's type if it is in range. A string literal is parsed as the column's type,
/// for the types for which YDB allows it. Any other value, such as the call `Timestamp("…")` or
/// `Decimal("1.5", 22, 9)`, must have the column's type.
final class PartitionKeyValue {
    private PartitionKeyValue() {}

    static Value of(Expression expression, Type type, AnalysisContext context) {
        TypedValue written = written(expression, context);
        boolean isLiteral = expression instanceof Expression.Literal;
        if (isLiteral && (type instanceof Type.Decimal || type == Primitive.DY_NUMBER)) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Unsupported type for PartitionAtKeys: '%s'"
                            .formatted(type instanceof Type.Decimal ? "Decimal" : type.text()),
                    expression.at());
        }
        return converted(written, isLiteral, type)
                .filter(value -> !value.isNull())
                .orElseThrow(() -> failed(expression, written, type));
    }

    /// The value with its own type, before any conversion.
    private static TypedValue written(Expression expression, AnalysisContext context) {
        if (expression instanceof Expression.Literal literal) {
            return new TypedValue(literal.type(), literal.value());
        }
        Typed typed = new BaseScope(context, null).analyze(expression);
        Value value =
                ConstantValue.of(typed)
                        .orElseThrow(
                                () ->
                                        AnalysisContext.error(
                                                expression.at(),
                                                "A value in PARTITION_AT_KEYS is not a"
                                                        + " constant"));
        return new TypedValue(typed.type().unwrapped(), value);
    }

    private static Optional<Value> converted(TypedValue written, boolean isLiteral, Type type) {
        if (written.type().equals(type)) {
            return Optional.of(written.value());
        }
        if (Ints.isInteger(written.type()) && Ints.isInteger(type)) {
            return inRange(written, (Primitive) type);
        }
        boolean isText = written.type() == Primitive.STRING || written.type() == Primitive.UTF8;
        // YDB has no conversion from a literal to Uuid.
        if (!isLiteral || !isText || type == Primitive.UUID) {
            return Optional.empty();
        }
        return Cast.find(written.type(), type).map(caster -> caster.apply(written.value()));
    }

    private static Optional<Value> inRange(TypedValue written, Primitive type) {
        if (!(written.value() instanceof Value.Int(long bits))) {
            return Optional.empty();
        }
        return Ints.holds(type, (Primitive) written.type(), bits)
                ? Optional.of(written.value())
                : Optional.empty();
    }

    private static StatusException failed(Expression expression, TypedValue written, Type type) {
        String text = TextForm.print(written.type(), written.value());
        String value =
                "Failed to convert value \"%s\" to a corresponding key column type".formatted(text);
        String why =
                Ints.isInteger(written.type()) && Ints.isInteger(type)
                        ? "%s is out of the range of %s".formatted(text, type.text())
                        : "Failed to convert type: %s to %s"
                                .formatted(written.type().text(), type.text());
        return new StatusException(
                Status.GENERIC_ERROR,
                List.of(
                        Issue.error(value).at(expression.at()),
                        Issue.error(why).at(expression.at())));
    }
}
