package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// A row that is there.
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
