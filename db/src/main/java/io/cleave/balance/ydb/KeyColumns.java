package io.cleave.balance.ydb;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Keys as lists of column values. A bound consists of the first columns of a key, as few as needed
/// to separate it from other keys. The remaining columns count as NULL, which sorts first.
record KeyColumns(List<Type> types) {
    /// The prefixes of a key: its first column, its first two columns, and so on.
    List<Bytes> prefixes(Bytes key) {
        Value[] values = decode(key).orElse(null);
        if (values == null) {
            return List.of(key);
        }
        List<Bytes> prefixes = new ArrayList<>();
        for (int count = 1; count <= values.length; count++) {
            prefixes.add(KeyCodec.encode(types, Arrays.copyOf(values, count)));
        }
        return prefixes;
    }

    Optional<Value[]> decode(Bytes key) {
        try {
            return Optional.of(KeyCodec.decode(types, key));
        } catch (CorruptionException _) {
            return Optional.empty();
        }
    }

    /// The bound with the fewest columns between `low` and `high`, both included, that can be
    /// derived from `wanted`, a key between them. It is a prefix of `wanted`, or that prefix with
    /// the next value of its last column. `others` are keys of the tablet, ascending.
    Optional<Bytes> shortestBetween(Bytes low, Bytes wanted, Bytes high, List<Bytes> others) {
        for (Bytes prefix : prefixes(wanted)) {
            if (low.compareTo(prefix) <= 0) {
                return Optional.of(prefix);
            }
            Bytes next = next(prefix, others);
            if (next != null && low.compareTo(next) <= 0 && next.compareTo(high) <= 0) {
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    /// A bound after all keys with this prefix: the last column's value plus 1, or the next value
    /// that occurs in `others`.
    private @Nullable Bytes next(Bytes prefix, List<Bytes> others) {
        Bytes end = KeyCodec.prefixEnd(prefix);
        if (end == null) {
            return null;
        }
        int columns = prefixes(prefix).size();
        if (decode(end).filter(values -> values.length == columns).isPresent()) {
            return end;
        }
        for (Bytes other : others) {
            if (other.compareTo(end) >= 0) {
                List<Bytes> prefixes = prefixes(other);
                return prefixes.get(Math.min(columns, prefixes.size()) - 1);
            }
        }
        return null;
    }
}
