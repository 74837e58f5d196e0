package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// Rows that are already in memory.
final class ArrayRows implements Rows {
    private final Value[][] rows;
    private int next;

    ArrayRows(Value[][] rows) {
        this.rows = rows;
    }

    @Override
    public Value @Nullable [] next() {
        return next == rows.length ? null : rows[next++];
    }
}
