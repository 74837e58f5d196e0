package io.cleave.txn;

import io.cleave.codec.RowCodec;
import io.cleave.codec.RowReader;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The columns of a table that a read returns, in the requested order. Created once for a plan and
/// shared by all its executions. Immutable, except for a cached reader.
public final class ReadColumns {
    private final Table table;
    private final int[] indexes;

    /// Set by the first read. Concurrent readers may each set one; all are equivalent.
    private @Nullable RowReader reader;

    private ReadColumns(Table table, int[] indexes) {
        this.table = table;
        this.indexes = indexes;
    }

    /// `indexes` are indexes into `table.columns()`.
    public static ReadColumns of(Table table, int... indexes) {
        return new ReadColumns(table, indexes.clone());
    }

    public static ReadColumns of(Table table, List<Integer> indexes) {
        return new ReadColumns(table, indexes.stream().mapToInt(Integer::intValue).toArray());
    }

    /// For a read that only checks whether a row exists.
    public static ReadColumns none(Table table) {
        return new ReadColumns(table, new int[0]);
    }

    public Table table() {
        return table;
    }

    public int count() {
        return indexes.length;
    }

    /// The index in the table of the column that is returned at `place`.
    public int index(int place) {
        return indexes[place];
    }

    /// Reads the columns from stored rows of the table.
    RowReader reader(RowCodecs codecs) {
        RowReader kept = reader;
        if (kept == null) {
            kept = new RowReader(codecs.codec(table), indexes);
            reader = kept;
        }
        return kept;
    }

    /// Reads the columns from stored rows that were found without a transaction.
    public RowReader newReader() {
        return new RowReader(new RowCodec(table), indexes);
    }
}
