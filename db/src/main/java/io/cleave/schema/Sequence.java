package io.cleave.schema;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.OptionalLong;

/// Which numbers a sequence gives: `start` first, each `increment` more than the one before, none
/// above `max`. How far it has come is kept apart, under its `id`, which the catalog gives to it.
public record Sequence(
        long id, long start, long increment, long min, long max, Description description) {
    /// What CreateTable may say of it besides, and hears again.
    ///
    /// @param name empty where it is that of the column
    /// @param cache how many numbers YDB would keep in memory; here that changes nothing
    /// @param max as it was said, which may be more than a column holds
    /// @param cycles whether it begins again, with its least number, when it has come to its end
    public record Description(String name, long cache, long max, boolean cycles) {}

    /// What the last element of a sequence's path begins with; the column's name follows.
    public static final String NAME_PREFIX = "_serial_column_";

    private static final long FIRST = 1;

    /// The sequence of a serial column; the catalog numbers it.
    public static Sequence serial(Type type) {
        return new Sequence(0, FIRST, 1, FIRST, max(type));
    }

    /// One of which nothing more was said.
    public Sequence(long id, long start, long increment, long min, long max) {
        this(id, start, increment, min, max, new Description("", 1, max, false));
    }

    /// Whether it is described otherwise than that of a serial column.
    public boolean isDescribed() {
        return !description.equals(new Description("", 1, max, false));
    }

    /// The greatest number that a column of the type holds.
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

    /// What ALTER SEQUENCE says of the numbers; what is empty stays.
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

    /// Refuses numbers that the sequence could not give.
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
