package io.cleave.plan.range;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// The keys from `lower` (inclusive) to `upper` (exclusive).
///
/// @param from `lower` as an encoded key
/// @param to `upper` as an encoded key; null if the range has no end
public record TupleRange(KeyLimit lower, KeyLimit upper, Bytes from, @Nullable Bytes to) {
    /// Whether it is a single key of that number of columns.
    public boolean isKey(int keyColumns) {
        return lower.values().size() == keyColumns
                && !lower.max()
                && upper.max()
                && lower.values().equals(upper.values());
    }

    /// Whether it is every key.
    public boolean isAll() {
        return from.isEmpty() && to == null;
    }

    /// Whether no key can be in it, as between 1 and 2.
    public boolean isEmpty() {
        return to != null && from.compareTo(to) >= 0;
    }
}
