package io.cleave.schema;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.OptionalLong;

/// The numbers of a sequence: `start` first, each next one greater by `increment`, none above
/// `max`. Its current position is stored separately, under its `id`, which the catalog assigns.
public record Sequence(
        long id, long start, long increment, long min, long max, Description description) {
    /// Further settings that CreateTable may give, and that a description of the table returns.
    ///
    /// @param name empty if the name is derived from the column
    /// @param cache the number of values that YDB would keep in memory; it has no effect here
    /// @param max as given, which may be more than the column can store
    /// @param cycles whether the sequence restarts at its minimum after its end
    public record Description(String name, long cache, long max, boolean cycles) {}

    /// The prefix of the last path element of a sequence; the name of the column follows.
    public static final String NAME_PREFIX = "_serial_column_";

    private static final long FIRST = 1;

    /// The sequence of a serial column. Its id is 0 until the catalog assigns one.
    public static Sequence serial(Type type) {
        return new Sequence(0, FIRST, 1, FIRST, max(type));
    }

    /// A sequence without further settings.
    public Sequence(long id, long start, long increment, long min, long max) {
        this(id, start, increment, min, max, new Description("", 1, max, false));
    }

    /// Whether its description differs from that of a serial column.
    public boolean isDescribed() {
        return !description.equals(new Description("", 1, max, false));
    }

    /// The greatest number that a column of the type can store.
    public static long max(Type type) {
        return switch (type) {
            case Primitive.INT16 -> Short.MAX_VALUE;
            case Primitive.INT32 -> Integer.MAX_VALUE;
            case Primitive.INT64 -> Long.MAX_VALUE;
            default ->
                    throw new StatusException(
                            Status.BAD_REQUEST,
                            "A sequence cannot fill a column of type " + type.text());
        };
    }

    public Sequence withId(long given) {
        return new Sequence(given, start, increment, min, max, description);
    }

    /// Applies ALTER SEQUENCE; empty options stay unchanged.
    public Sequence with(OptionalLong newStart, OptionalLong newIncrement) {
        var changed =
                new Sequence(
                        id,
                        newStart.orElse(start),
                        newIncrement.orElse(increment),
                        min,
                        max,
                        description);
        changed.check(changed.start, "Start");
        return changed;
    }

    /// Refuses a value that the sequence could not produce.
    public void check(long value, String what) {
        if (increment == 0) {
            throw refuse("Increment must not be zero");
        }
        if (increment < 0) {
            throw refuse("Increment must be positive: " + increment);
        }
        if (value < min) {
            throw refuse(
                    "%s value: %d cannot be less than min value: %d".formatted(what, value, min));
        }
        if (value > max) {
            throw refuse(
                    "%s value: %d cannot be greater than max value: %d"
                            .formatted(what, value, max));
        }
    }

    private static StatusException refuse(String message) {
        return new StatusException(Status.BAD_REQUEST, message);
    }
}
