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
            List<Value> values = List.of(key);
            Bytes from = KeyCodec.encode(types, key);
            ranges.add(
                    new TupleRange(
                            new KeyLimit(values, false),
                            new KeyLimit(values, true),
                            from,
                            KeyCodec.prefixEnd(from)));
            return;
        }
        End lower = end(key, prefix, interval.lower());
        End upper = end(key, prefix, interval.upper());
        // If `lower` has no encoding, the range begins after all keys.
        if (lower.encoded != null) {
            ranges.add(new TupleRange(lower.limit, upper.limit, lower.encoded, upper.encoded));
        }
    }

    /// One end of a range; `encoded` is null if it is after all keys.
    private record End(KeyLimit limit, @Nullable Bytes encoded) {}

    private End end(Value[] key, int prefix, Bound bound) {
        if (bound.isEnd()) {
            return end(Arrays.copyOf(key, prefix), bound.place() > 0);
        }
        Value[] values = Arrays.copyOf(key, prefix + 1);
        values[prefix] = bound.value();
        return end(values, bound.after());
    }

    private End end(Value[] values, boolean max) {
        var limit = new KeyLimit(List.of(values), max);
        if (values.length == 0) {
            return new End(limit, max ? null : Bytes.EMPTY);
        }
        Bytes encoded = KeyCodec.encode(types, values);
        return new End(limit, max ? KeyCodec.prefixEnd(encoded) : encoded);
    }

    /// A range with the first bytes of its lower end. These bytes decide most comparisons.
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

    /// The ranges in ascending order. Ranges that overlap or touch are merged.
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
