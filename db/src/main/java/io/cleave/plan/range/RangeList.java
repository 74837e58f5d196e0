package io.cleave.plan.range;

import io.cleave.base.Bytes;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Collects ranges in any order, then sorts and merges them.
///
/// Threads: one.
final class RangeList {
    private final List<Type> types;
    private final List<TupleRange> ranges = new ArrayList<>();

    RangeList(List<Type> types) {
        this.types = types;
    }

    /// Adds the keys whose first `prefix` columns have the values of `key` and whose next column is
    /// in `interval`.
    void add(Value[] key, int prefix, ColumnInterval interval) {
        if (prefix == types.size()) {
            KeyLimit lower = limit(key, prefix, false);
            Bytes from = KeyCodec.encode(types, lower.values().toArray(Value[]::new));
            ranges.add(
                    new TupleRange(
                            lower,
                            new KeyLimit(lower.values(), true),
                            from,
                            KeyCodec.prefixEnd(from)));
            return;
        }
        KeyLimit lower = limit(key, prefix, interval.lower());
        KeyLimit upper = limit(key, prefix, interval.upper());
        Bytes from = lower.encoded(types);
        // No end means that the range begins after all keys.
        if (from != null) {
            ranges.add(new TupleRange(lower, upper, from, upper.encoded(types)));
        }
    }

    private static KeyLimit limit(Value[] key, int prefix, Bound bound) {
        if (bound.isEnd()) {
            return limit(key, prefix, bound.place() > 0);
        }
        Value[] values = Arrays.copyOf(key, prefix + 1);
        values[prefix] = bound.value();
        return new KeyLimit(List.of(values), bound.after());
    }

    private static KeyLimit limit(Value[] key, int prefix, boolean max) {
        return new KeyLimit(List.of(Arrays.copyOf(key, prefix)), max);
    }

    /// A range with the first bytes of its lower end, which decide most comparisons.
    private record Headed(long head, TupleRange range) {}

    private static long head(TupleRange range) {
        byte[] from = range.from().array();
        long head = 0;
        for (int index = 0; index < Long.BYTES; index++) {
            head = head << Byte.SIZE | (index < from.length ? from[index] & 0xFF : 0);
        }
        return head;
    }

    private int compare(Headed left, Headed right) {
        int order = Long.compareUnsigned(left.head, right.head);
        if (order == 0) {
            order = left.range.from().compareTo(right.range.from());
        }
        return order != 0
                ? order
                : KeyLimit.compare(types, left.range.lower(), right.range.lower());
    }

    /// The ranges in ascending order. Those that overlap or touch are one.
    List<TupleRange> merged() {
        var sorted = new Headed[ranges.size()];
        Arrays.setAll(sorted, index -> new Headed(head(ranges.get(index)), ranges.get(index)));
        Arrays.sort(sorted, this::compare);
        List<TupleRange> merged = new ArrayList<>(sorted.length);
        @Nullable TupleRange last = null;
        for (Headed each : sorted) {
            TupleRange range = each.range;
            if (last != null && KeyLimit.compare(types, last.upper(), range.lower()) >= 0) {
                if (KeyLimit.compare(types, last.upper(), range.upper()) < 0) {
                    last = new TupleRange(last.lower(), range.upper(), last.from(), range.to());
                    merged.set(merged.size() - 1, last);
                }
            } else {
                last = range;
                merged.add(Objects.requireNonNull(last));
            }
        }
        return merged;
    }
}
