package io.cleave.exec;

import io.cleave.analysis.WindowFrame.RangeKey;
import io.cleave.value.Ints;
import io.cleave.value.Value;

import java.util.function.IntFunction;

/// One end of a frame that is so far from the key of the current row. It is asked for the rows in
/// their order and never goes back. Rows without a key are near to one another only.
final class RangeEdge {
    private final RangeKey key;
    private final IntFunction<Value> keys;
    private final int size;
    private final Value offset;
    private final boolean preceding;
    private final boolean upper;
    private int edge;

    /// `keys` are those of the rows, `size` their number. The `upper` end is behind the last row
    /// that is near enough, the other one at the first.
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

    /// `peers` is this end of the rows with the same key.
    int of(int row, int peers) {
        Value own = keys.apply(row);
        if (own.isNull()) {
            edge = peers;
            return edge;
        }
        // With a falling order what precedes has the greater keys.
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
        // Adding zero makes one zero of the two.
        return other.isNull()
                ? isBeforeAll()
                : passes(Double.compare(real(other) + 0.0, target + 0.0));
    }

    private boolean passes(Value other, long target) {
        return other.isNull() ? isBeforeAll() : passes(Long.compare(whole(other), target));
    }

    /// NULL is the least.
    private boolean isBeforeAll() {
        return !key.descending();
    }

    /// Whether the edge lies behind a row whose key compares to the target like that.
    private boolean passes(int order) {
        int along = key.descending() ? -order : order;
        return upper ? along <= 0 : along < 0;
    }

    /// Unsigned ones are moved so that their order is that of signed ones.
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
