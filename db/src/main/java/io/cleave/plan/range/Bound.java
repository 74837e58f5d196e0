package io.cleave.plan.range;

import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

/// A position among the values of a key column: before or after a value, or at one of the two ends.
/// NULL is the least value of every column.
///
/// @param place -1 before all values including NULL, 1 after all values, 0 next to `value`
/// @param after whether the position is after `value`; false at the ends
public record Bound(int place, Value value, boolean after) {
    public static final Bound MIN = new Bound(-1, Value.Null.NULL, false);
    public static final Bound MAX = new Bound(1, Value.Null.NULL, false);
    public static final Bound BEFORE_NULL = before(Value.Null.NULL);
    public static final Bound AFTER_NULL = after(Value.Null.NULL);

    public static Bound before(Value value) {
        return new Bound(0, value, false);
    }

    public static Bound after(Value value) {
        return new Bound(0, value, true);
    }

    boolean isEnd() {
        return place != 0;
    }

    static int compare(Type type, Bound left, Bound right) {
        if (left.place != 0 || right.place != 0) {
            return Integer.compare(left.place, right.place);
        }
        int values = Order.compare(type, left.value, right.value);
        return values != 0 ? values : Boolean.compare(left.after, right.after);
    }

    static Bound least(Type type, Bound left, Bound right) {
        return compare(type, left, right) <= 0 ? left : right;
    }

    static Bound greatest(Type type, Bound left, Bound right) {
        return compare(type, left, right) >= 0 ? left : right;
    }
}
