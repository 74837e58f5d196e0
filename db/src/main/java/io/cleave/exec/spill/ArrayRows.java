package io.cleave.exec.spill;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// Rows that are already in memory.
public final class ArrayRows implements Rows {
    private final Value[][] rows;
    private int next;

    public ArrayRows(Value[][] rows) {
        this.rows = rows;
    }

    @Override
    public Value @Nullable [] next() {
        return next == rows.length ? null : rows[next++];
    }
}
