package io.cleave.txn;

import io.cleave.lsm.Projection;
import io.cleave.lsm.Row;
import io.cleave.value.Value;

/// Values of stored rows, for one who has found them without a transaction. Threads: any.
public final class RowReader {
    private final RowCodec codec;
    private final ReadColumns columns;

    public RowReader(ReadColumns columns) {
        this.columns = columns;
        codec = new RowCodec(columns.table());
    }

    /// What a stored row has to be read with.
    public Projection stored() {
        return columns.stored();
    }

    /// The columns' values, in their order.
    public Value[] read(Row row) {
        return codec.read(row, columns);
    }
}
