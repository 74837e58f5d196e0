package io.cleave.plan.range;

import io.cleave.value.Type;
import io.cleave.value.Value;

/// The values of a key column between two positions. `lower` is always before `upper`. There may
/// still be no value between them, as between 1 and 2.
public record ColumnInterval(Bound lower, Bound upper) {
    public static final ColumnInterval ALL = new ColumnInterval(Bound.MIN, Bound.MAX);
    public static final ColumnInterval NULLS = point(Value.Null.NULL);
    public static final ColumnInterval NOT_NULLS = new ColumnInterval(Bound.AFTER_NULL, Bound.MAX);

    public static ColumnInterval point(Value value) {
        return new ColumnInterval(Bound.before(value), Bound.after(value));
    }

    /// Whether the interval is a single value.
    boolean isExact() {
        return lower.place() == 0
                && upper.place() == 0
                && !lower.after()
                && upper.after()
                && lower.value().equals(upper.value());
    }

    /// The value of an exact interval.
    Value value() {
        return lower.value();
    }

    boolean isAll() {
        return lower.equals(Bound.MIN) && upper.equals(Bound.MAX);
    }

    boolean contains(Type type, Value value) {
        return Bound.compare(type, lower, Bound.before(value)) <= 0
                && Bound.compare(type, Bound.after(value), upper) <= 0;
    }
}
