package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/// Reads and writes the rows of a [FakeDatabase] at once, until it is rolled back, and counts what
/// it was asked.
public final class FakeTransaction implements Transaction {
    private final FakeDatabase database;
    private final Isolation isolation;

    /// Rows that came out of scans, and lookups of single keys.
    int scannedRows;

    int lookups;
    int openStreams;

    /// How many keys were asked for together, each time.
    final List<Integer> gathered = new ArrayList<>();

    /// What was there when it began; null when it has ended.
    private @Nullable Map<Long, NavigableMap<Bytes, Value[]>> before;

    FakeTransaction(FakeDatabase database, Isolation isolation) {
        this.database = database;
        this.isolation = isolation;
        before = database.copy();
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        lookups++;
        Value[] row = database.rows(columns.table()).get(key);
        return row == null ? null : pick(row, columns);
    }

    @Override
    public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Value[] @Nullable [] getAll(List<Bytes> keys, ReadColumns columns) {
        gathered.add(keys.size());
        return Transaction.super.getAll(keys, columns);
    }

    private static Value[] pick(Value[] row, ReadColumns columns) {
        var picked = new Value[columns.count()];
        Arrays.setAll(picked, place -> row[columns.index(place)]);
        return picked;
    }

    @Override
    public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
        NavigableMap<Bytes, Value[]> rows =
                database.rows(columns.table()).tailMap(range.from(), true);
        if (range.to() != null) {
            rows = rows.headMap(range.to(), false);
        }
        if (direction == Direction.BACKWARD) {
            rows = rows.descendingMap();
        }
        Iterator<Value[]> iterator = rows.values().iterator();
        openStreams++;
        return new RowStream() {
            // One array for all rows, as the store may do it.
            private final Value[] row = new Value[columns.count()];

            @Override
            public boolean next() {
                if (!iterator.hasNext()) {
                    return false;
                }
                scannedRows++;
                System.arraycopy(pick(iterator.next(), columns), 0, row, 0, row.length);
                return true;
            }

            @Override
            public Value[] row() {
                return row;
            }

            @Override
            public void close() {
                openStreams--;
            }
        };
    }

    @Override
    public void write(Table table, Bytes key, RowWrite write) {
        var rows = database.rows(table);
        if (write.kind() == RowWrite.Kind.ERASE) {
            rows.remove(key);
            return;
        }
        Value[] old = write.kind() == RowWrite.Kind.UPSERT ? rows.get(key) : null;
        Value[] row = old == null ? emptyRow(table, key) : old.clone();
        for (int index = 0; index < write.columns().length; index++) {
            row[write.columns()[index]] = write.values()[index];
        }
        rows.put(key, row);
    }

    private static Value[] emptyRow(Table table, Bytes key) {
        var row = new Value[table.columns().size()];
        Arrays.fill(row, Value.Null.NULL);
        List<Column> keyColumns = table.key();
        Value[] keys = KeyCodec.decode(keyColumns.stream().map(Column::type).toList(), key);
        for (int index = 0; index < keys.length; index++) {
            row[table.keyColumns().get(index)] = keys[index];
        }
        return row;
    }

    @Override
    public long nextValue(Table table, int column) {
        return database.nextValue(table, column);
    }

    @Override
    public boolean hasWrites() {
        return false;
    }

    @Override
    public CommitOutcome commit() {
        before = null;
        return new CommitOutcome.Committed(1);
    }

    @Override
    public void rollback() {
        if (before != null) {
            database.restore(before);
            before = null;
        }
    }
}
