package io.cleave.txn;

import io.cleave.txn.RowWrite.Kind;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// What a transaction has done to one row so far: all its writes of that row, folded into one.
final class Effect {
    /// Whether cells that the effect does not name stay as they are stored.
    private boolean keepsStored;

    private boolean erases;

    /// By column index; null where the effect says nothing.
    private final @Nullable Value[] values;

    Effect(int columnCount, RowWrite first) {
        values = new @Nullable Value[columnCount];
        keepsStored = true;
        add(first);
    }

    void add(RowWrite write) {
        if (write.kind() != Kind.UPSERT) {
            Arrays.fill(values, null);
            keepsStored = false;
        }
        erases = write.kind() == Kind.ERASE;
        for (int index = 0; index < write.columns().length; index++) {
            values[write.columns()[index]] = write.values()[index];
        }
    }

    boolean erases() {
        return erases;
    }

    boolean keepsStored() {
        return keepsStored;
    }

    @Nullable Value value(int column) {
        return values[column];
    }
}
