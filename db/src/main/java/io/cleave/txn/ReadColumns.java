package io.cleave.txn;

import io.cleave.lsm.Projection;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// The columns of a table that a read gives back, in the order asked, and which cells of a stored
/// row that takes. Made once for a plan and shared by all its runs: nothing of it changes.
public final class ReadColumns {
    private final Table table;
    private final int[] indexes;
    private final Projection stored;

    /// Kept by the first read; another that comes at the same time keeps one just like it.
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

    /// `indexes` are into `table.columns()`.
    public static ReadColumns of(Table table, int... indexes) {
        return new ReadColumns(table, indexes.clone());
    }

    public static ReadColumns of(Table table, List<Integer> indexes) {
        return new ReadColumns(table, indexes.stream().mapToInt(Integer::intValue).toArray());
    }

    /// To learn only whether there is a row.
    public static ReadColumns none(Table table) {
        return new ReadColumns(table, new int[0]);
    }

    public Table table() {
        return table;
    }

    public int count() {
        return indexes.length;
    }

    /// Where the column that is given back at `place` stands in the table.
    public int index(int place) {
        return indexes[place];
    }

    /// Where the column at `place`, which is not of the key, stands among [#stored].
    int storedPlace(int place) {
        return Arrays.binarySearch(stored.columnIds(), table.columns().get(indexes[place]).id());
    }

    /// What makes rows of the table of cells.
    RowCodec codec(OptimisticTransactions codecs) {
        RowCodec kept = codec;
        if (kept == null) {
            kept = codecs.codec(table);
            codec = kept;
        }
        return kept;
    }

    /// The columns whose cells are needed. Those of the key are not: they are read off the key
    /// itself.
    Projection stored() {
        return stored;
    }
}
