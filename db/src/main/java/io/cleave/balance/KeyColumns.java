package io.cleave.balance;

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

/// Keys by their columns. A bound has the first columns of a key, as few as tell it from others;
/// the rest of them are as if NULL, which comes first.
record KeyColumns(List<Type> types) {
    /// The first column, the first two, … of a key.
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

    /// The shortest bound from `low` up to `high`, both included, that `wanted`, which lies between
    /// them, leads to: its first columns, or the next value that the last of them can have.
    /// `others` are keys there, ascending.
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

    /// What comes after all keys that begin with these columns: the last one's value plus 1, or the
    /// next value that is there.
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
