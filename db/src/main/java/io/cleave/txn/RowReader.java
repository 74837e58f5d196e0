package io.cleave.txn;

import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.value.Value;

/// Decodes stored rows that were found without a transaction. Threads: any.
public final class RowReader {
    private final RowCodec codec;
    private final ReadColumns columns;

    public RowReader(ReadColumns columns) {
        this.columns = columns;
        codec = new RowCodec(columns.table());
    }

    /// The columns that a stored row must be read with.
    public Projection stored() {
        return columns.stored();
    }

    /// The values of the columns, in the requested order.
    public Value[] read(Row row) {
        return codec.read(row, columns);
    }
}
