package io.cleave.txn;

import io.cleave.lsm.row.Projection;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// The columns of a table that a read returns, in the requested order, and the stored columns it
/// needs. Created once for a plan and shared by all its executions. Immutable, except for a cached
/// codec.
public final class ReadColumns {
    private final Table table;
    private final int[] indexes;
    private final Projection stored;

    /// Set by the first read. Concurrent readers may each set one; all are equivalent.
    private @Nullable RowCodec codec;

    private ReadColumns(Table table, int[] indexes) {
        this.table = table;
        this.indexes = indexes;
        stored =
                Projection.of(
                        Arrays.stream(indexes)
                                .filter(index -> !table.isKey(index))
                                .map(index -> table.columns().get(index).id())
                                .sorted()
                                .distinct()
                                .toArray());
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

    /// The position among [#stored] of the non-key column at `place`.
    int storedPlace(int place) {
        return Arrays.binarySearch(stored.columnIds(), table.columns().get(indexes[place]).id());
    }

    /// The codec that decodes rows of the table.
    RowCodec codec(OptimisticTransactions codecs) {
        RowCodec kept = codec;
        if (kept == null) {
            kept = codecs.codec(table);
            codec = kept;
        }
        return kept;
    }

    /// The columns that must be read from storage. Key columns are not among them; they are decoded
    /// from the key.
    Projection stored() {
        return stored;
    }
}
