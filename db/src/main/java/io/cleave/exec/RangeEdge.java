package io.cleave.exec;

import io.cleave.typed.WindowFrame.RangeKey;
import io.cleave.value.Ints;
import io.cleave.value.Value;

import java.util.function.IntFunction;

/// One end of a window frame that is given as a distance from the key of the current row. Rows must
/// be asked for in their order; the edge only moves forward. For a row with a NULL key, the edge is
/// the end of the rows with NULL keys.
final class RangeEdge {
    private final RangeKey key;
    private final IntFunction<Value> keys;
    private final int size;
    private final Value offset;
    private final boolean preceding;
    private final boolean upper;
    private int edge;

    /// `keys` returns the key of a row; `size` is the number of rows. The `upper` end is after the
    /// last row within the distance; the lower end is at the first one.
    RangeEdge(
            RangeKey key,
            IntFunction<Value> keys,
            int size,
            Value offset,
            boolean preceding,
            boolean upper) {
        this.key = key;
        this.keys = keys;
        this.size = size;
        this.offset = offset;
        this.preceding = preceding;
        this.upper = upper;
    }

    /// `peers` is this end of the range of rows with the same key.
    int of(int row, int peers) {
        Value own = keys.apply(row);
        if (own.isNull()) {
            edge = peers;
            return edge;
        }
        // In descending order, preceding rows have greater keys.
        boolean less = preceding != key.descending();
        if (key.real()) {
            double distance = real(offset);
            double target = less ? real(own) - distance : real(own) + distance;
            while (edge < size && passes(keys.apply(edge), target)) {
                edge++;
            }
        } else {
            long distance = ((Value.Int) offset).value();
            long target = sum(whole(own), less ? -distance : distance);
            while (edge < size && passes(keys.apply(edge), target)) {
                edge++;
            }
        }
        return edge;
    }

    private boolean passes(Value other, double target) {
        // Adding zero turns -0.0 into 0.0.
        return other.isNull()
                ? isBeforeAll()
                : passes(Double.compare(real(other) + 0.0, target + 0.0));
    }

    private boolean passes(Value other, long target) {
        return other.isNull() ? isBeforeAll() : passes(Long.compare(whole(other), target));
    }

    /// NULL is less than all other keys.
    private boolean isBeforeAll() {
        return !key.descending();
    }

    /// Whether the edge is after a row whose key compares to the target with the result `order`.
    private boolean passes(int order) {
        int along = key.descending() ? -order : order;
        return upper ? along <= 0 : along < 0;
    }

    /// Maps an unsigned number to a signed number so that the order stays the same.
    private long whole(Value value) {
        long number = ((Value.Int) value).value();
        return key.unsigned() ? number ^ Long.MIN_VALUE : number * key.unit();
    }

    private double real(Value value) {
        return switch (value) {
            case Value.Int(long number) when key.unsigned() && number < 0 ->
                    Ints.number(true, number).doubleValue();
            case Value.Int(long number) -> number;
            case Value.Real(double number) -> number;
            default -> throw new IllegalStateException("not a number: " + value);
        };
    }

    private static long sum(long number, long distance) {
        long sum = number + distance;
        boolean overflow = ((number ^ sum) & (distance ^ sum)) < 0;
        return overflow ? (distance < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }
}
