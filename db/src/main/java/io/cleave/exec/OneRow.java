package io.cleave.exec;

import io.cleave.exec.spill.Rows;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// A single row that is already in memory.
final class OneRow implements Rows {
    private Value @Nullable [] row;

    OneRow(Value[] row) {
        this.row = row;
    }

    @Override
    public Value @Nullable [] next() {
        Value[] next = row;
        row = null;
        return next;
    }
}
