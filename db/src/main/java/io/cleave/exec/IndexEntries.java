package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.exec.spill.RowKey;
import io.cleave.plan.DataSteps.IndexTable;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Maps the rows of a table to their entries in one of its indexes. Immutable.
public final class IndexEntries {
    private final Index index;
    private final Table table;
    private final List<Type> keyTypes;

    /// The positions in the indexed table of the index table's key columns. `coverColumns` has the
    /// positions of its other columns.
    private final int[] keyColumns;

    private final int[] coverColumns;

    /// The positions of the covered columns in the index table.
    private final int[] written;

    private final ReadColumns keyOnly;

    IndexEntries(Table of, IndexTable indexTable) {
        this(of, indexTable.index(), indexTable.table());
    }

    public IndexEntries(Table of, Index index, Table indexTable) {
        this.index = index;
        this.table = indexTable;
        keyTypes = table.key().stream().map(Column::type).toList();
        int keyCount = keyTypes.size();
        keyColumns = columns(of, 0, keyCount);
        coverColumns = columns(of, keyCount, table.columns().size());
        written = new int[coverColumns.length];
        Arrays.setAll(written, cover -> keyCount + cover);
        keyOnly = ReadColumns.none(table);
    }

    private int[] columns(Table of, int from, int to) {
        return table.columns().subList(from, to).stream()
                .mapToInt(column -> of.indexOf(column.name()))
                .toArray();
    }

    Index index() {
        return index;
    }

    /// The table that stores the index.
    public Table table() {
        return table;
    }

    /// Reads no column values: for a check whether entries exist.
    ReadColumns keyOnly() {
        return keyOnly;
    }

    /// Whether a write to this column of the indexed table changes an entry.
    boolean has(int column) {
        return contains(keyColumns, column) || contains(coverColumns, column);
    }

    private static boolean contains(int[] columns, int column) {
        return Arrays.stream(columns).anyMatch(each -> each == column);
    }

    /// The key of the row's entry. `row` is indexed by column of the indexed table and has a value
    /// for each column that the index has.
    public Bytes key(Value[] row) {
        Bytes key = encodedKey(row);
        RowLimits.checkKey(keyTypes, key);
        return key;
    }

    private Bytes encodedKey(Value[] row) {
        return KeyCodec.encode(keyTypes, pick(row, keyColumns));
    }

    /// The key of the entry of a row that is already stored and can no longer be refused. Null if
    /// the index is ASYNC and the key would be longer than the limit: an ASYNC index leaves out
    /// such rows.
    public @Nullable Bytes storedKey(Value[] row) {
        Bytes key = encodedKey(row);
        boolean leftOut = index.kind() == Index.Kind.ASYNC && RowLimits.isTooLong(keyTypes, key);
        return leftOut ? null : key;
    }

    /// The columns of the indexed table that entries are made of.
    public ReadColumns read(Table of) {
        return ReadColumns.of(
                of,
                IntStream.range(0, of.columns().size())
                        .filter(column -> table.indexOf(of.columns().get(column).name()) >= 0)
                        .toArray());
    }

    /// The write of the row's entry, without its key.
    public RowWrite write(Value[] row) {
        return new RowWrite(RowWrite.Kind.REPLACE, written, pick(row, coverColumns));
    }

    public boolean sameCover(Value[] one, Value[] other) {
        return Arrays.equals(pick(one, coverColumns), pick(other, coverColumns));
    }

    /// The common key prefix of all entries with the same indexed values, of which only one may
    /// exist. Empty if the index is not UNIQUE or one of the values is NULL.
    Optional<Bytes> uniquePrefix(Value[] row) {
        if (index.kind() != Index.Kind.UNIQUE) {
            return Optional.empty();
        }
        Value[] values = pick(row, Arrays.copyOf(keyColumns, index.columns().size()));
        return RowKey.hasNull(values)
                ? Optional.empty()
                : Optional.of(KeyCodec.encode(keyTypes, values));
    }

    private static Value[] pick(Value[] row, int[] columns) {
        var picked = new Value[columns.length];
        for (int index = 0; index < columns.length; index++) {
            picked[index] = row[columns[index]];
        }
        return picked;
    }
}
