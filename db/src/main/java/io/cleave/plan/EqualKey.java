package io.cleave.plan;

import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// The value of a key column that is equal to a value of another type. A lookup by it finds the
/// rows that a hash join finds equal to the other value. For example, an Int32 column has a value
/// that is equal to the Int64 7, and none that is equal to 2^32.
final class EqualKey {
    private EqualKey() {}

    /// The equal value, or NULL if there is none. Empty if the types do not allow a lookup.
    static Optional<Typed> of(Type columnType, Typed value) {
        Type type = value.type().unwrapped();
        if (type.equals(columnType)) {
            return Optional.of(value);
        }
        return KeyBound.isExact(columnType, type)
                ? Optional.of(converted(columnType, value))
                : Optional.empty();
    }

    /// The equal value, or NULL if there is none. A nan is equal to nothing.
    static Typed converted(Type columnType, Typed value) {
        Type type = value.type();
        return new Typed.Convert(
                columnType.optional(), value, given -> found(columnType, type, given));
    }

    /// Whether the value is NULL or has an equal value. Empty if that is always so.
    static Optional<Typed> exists(Type columnType, Typed value) {
        Type type = value.type();
        if (hasAll(columnType, type.unwrapped())) {
            return Optional.empty();
        }
        Typed found =
                new Typed.Convert(
                        type.isOptional() ? Primitive.BOOL.optional() : Primitive.BOOL,
                        value,
                        given -> Value.bool(!found(columnType, type, given).isNull()));
        Typed sure = new Typed.Constant(Primitive.BOOL, Value.Bool.TRUE);
        return Optional.of(
                type.isOptional()
                        ? new Typed.Coalesce(Primitive.BOOL, List.of(found, sure))
                        : found);
    }

    private static Value found(Type columnType, Type type, Value given) {
        if (type.unwrapped() instanceof Primitive from
                && columnType instanceof Primitive column
                && Ints.isInteger(from)
                && Ints.isInteger(column)) {
            return Ints.holds(column, from, ((Value.Int) given).value()) ? given : Value.Null.NULL;
        }
        return KeyBound.of(columnType, type, given) instanceof KeyBound.Exact equal
                        && equal.isOf(columnType)
                ? equal.value()
                : Value.Null.NULL;
    }

    /// Whether the column can have every value of the type.
    private static boolean hasAll(Type columnType, Type type) {
        return type.equals(columnType)
                || columnType == Primitive.STRING
                || (columnType instanceof Primitive column
                        && type instanceof Primitive from
                        && Ints.isInteger(column)
                        && Ints.isInteger(from)
                        && Ints.holds(column, from, Ints.min(from))
                        && Ints.holds(column, from, Ints.max(from)));
    }
}
