package io.cleave.schema;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// Encoded keys from `from` (inclusive) to `to` (exclusive). A null `to` means no upper bound, an
/// empty `from` no lower bound.
public record KeyRange(Bytes from, @Nullable Bytes to) {
    public static final KeyRange ALL = new KeyRange(Bytes.EMPTY, null);

    public static KeyRange point(Bytes key) {
        return new KeyRange(key, key.successor());
    }

    public boolean isEmpty() {
        return to != null && from.compareTo(to) >= 0;
    }

    public boolean contains(Bytes key) {
        return from.compareTo(key) <= 0 && (to == null || key.compareTo(to) < 0);
    }

    public boolean intersects(KeyRange other) {
        return !intersection(other).isEmpty();
    }

    public KeyRange intersection(KeyRange other) {
        Bytes start = from.compareTo(other.from) >= 0 ? from : other.from;
        Bytes end;
        if (to == null) {
            end = other.to;
        } else if (other.to == null) {
            end = to;
        } else {
            end = to.compareTo(other.to) <= 0 ? to : other.to;
        }
        return new KeyRange(start, end);
    }
}
