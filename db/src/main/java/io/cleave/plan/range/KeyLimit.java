package io.cleave.plan.range;

import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;

/// One end of a key range: values of the first key columns. If `max` is set, the end is after all
/// keys that begin with these values. Otherwise it is before all of them.
public record KeyLimit(List<Value> values, boolean max) {
    public KeyLimit {
        values = List.copyOf(values);
    }

    /// The order of the ends, given the types of the key columns.
    static int compare(List<Type> types, KeyLimit left, KeyLimit right) {
        int common = Math.min(left.values.size(), right.values.size());
        for (int index = 0; index < common; index++) {
            int order =
                    Order.compare(
                            types.get(index), left.values.get(index), right.values.get(index));
            if (order != 0) {
                return order;
            }
        }
        // One end is a prefix of the other. The `max` of the shorter one decides.
        if (left.values.size() > common) {
            return right.max ? -1 : 1;
        }
        if (right.values.size() > common) {
            return left.max ? 1 : -1;
        }
        return Boolean.compare(left.max, right.max);
    }
}
