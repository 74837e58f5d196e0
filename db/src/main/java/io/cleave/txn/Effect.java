package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.codec.RowCodec;
import io.cleave.txn.RowWrite.Kind;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// All writes of a transaction to one row, folded into one.
final class Effect {
    /// Whether columns that the effect does not set keep their stored values.
    private boolean keepsStored;

    private boolean erases;

    /// By column index; null for columns that the effect does not set.
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

    /// The write as its tablet stores it.
    Bytes encode(RowCodec codec) {
        return erases ? RowCodec.ERASE : codec.encode(keepsStored, values);
    }
}
