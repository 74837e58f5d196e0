package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.DataSteps.IndexTable;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Writes rows of a table and, in the same transaction, their entries in its indexes. ASYNC indexes
/// are not written here; they are updated after the commit. Only entries that change are written.
/// One instance is made for a step and shared by all runs of the step.
///
/// The old row is read before the write, unless it is known to exist and the write contains no
/// indexed or covered column. A new row gets its entries, with NULLs, even from an UPSERT that
/// names none of their columns.
public final class IndexWriter {
    private final Table table;
    private final List<IndexEntries> indexes;
    private final List<Type> keyTypes;

    /// The columns that the indexes have, without the primary key. Ascending.
    private final int[] columns;

    private final ReadColumns read;

    public IndexWriter(Table table, List<IndexTable> indexTables) {
        this.table = table;
        indexes = indexTables.stream().map(index -> new IndexEntries(table, index)).toList();
        keyTypes = table.key().stream().map(Column::type).toList();
        List<Integer> had = new ArrayList<>();
        for (int column = 0; column < table.columns().size(); column++) {
            int at = column;
            if (!table.isKey(column) && indexes.stream().anyMatch(index -> index.has(at))) {
                had.add(column);
            }
        }
        columns = had.stream().mapToInt(Integer::intValue).toArray();
        read = ReadColumns.of(table, columns);
    }

    /// Whether a write to this column changes entries.
    public boolean has(int column) {
        return indexes.stream().anyMatch(index -> index.has(column));
    }

    /// Begins the writes of one statement. The caller calls `finish` after the last write.
    public Statement begin(Transaction transaction) {
        return new Statement(transaction);
    }

    public final class Statement {
        private final Transaction transaction;

        /// For each index, the unique prefixes of new entries. They are checked at the end of the
        /// statement, because a statement may exchange values between rows.
        private final List<Set<Bytes>> claimed = new ArrayList<>();

        private Statement(Transaction transaction) {
            this.transaction = transaction;
            indexes.forEach(_ -> claimed.add(new LinkedHashSet<>()));
        }

        /// `isThere` means that the row is known to exist.
        public void write(Bytes key, RowWrite write, boolean isThere) {
            if (indexes.isEmpty() || (isThere && isOfNoIndex(write))) {
                transaction.write(table, key, write);
                return;
            }
            Value @Nullable [] old = old(key);
            transaction.write(table, key, write);
            Value @Nullable [] now =
                    write.kind() == RowWrite.Kind.ERASE ? null : now(key, old, write);
            if (old == null && now == null) {
                return;
            }
            for (int index = 0; index < indexes.size(); index++) {
                change(index, old, now);
            }
        }

        private void change(int index, Value @Nullable [] old, Value @Nullable [] now) {
            IndexEntries entries = indexes.get(index);
            @Nullable Bytes oldKey = old == null ? null : entries.key(old);
            @Nullable Bytes newKey = now == null ? null : entries.key(now);
            boolean stays = Objects.equals(oldKey, newKey);
            if (oldKey != null && !stays) {
                transaction.write(entries.table(), oldKey, RowWrite.ERASE);
            }
            if (newKey == null || now == null) {
                return;
            }
            if (!stays || old == null || !entries.sameCover(old, now)) {
                transaction.write(entries.table(), newKey, entries.write(now));
            }
            if (!stays) {
                entries.uniquePrefix(now).ifPresent(claimed.get(index)::add);
            }
        }

        /// Throws if the statement has violated a UNIQUE index.
        public void finish() {
            for (int index = 0; index < indexes.size(); index++) {
                IndexEntries entries = indexes.get(index);
                for (Bytes prefix : claimed.get(index)) {
                    checkOne(entries, prefix);
                }
            }
        }

        private void checkOne(IndexEntries entries, Bytes prefix) {
            var range = new KeyRange(prefix, KeyCodec.prefixEnd(prefix));
            try (RowStream found = transaction.scan(range, entries.keyOnly(), Direction.FORWARD)) {
                int count = 0;
                while (count < 2 && found.next()) {
                    count++;
                }
                if (count == 2) {
                    throw new StatusException(
                            Status.PRECONDITION_FAILED,
                            Issue.error(
                                    Issue.CONSTRAINT_VIOLATION,
                                    "Conflict with existing key. Unique index: "
                                            + entries.index().name()));
                }
            }
        }

        private boolean isOfNoIndex(RowWrite write) {
            return write.kind() == RowWrite.Kind.UPSERT
                    && Arrays.stream(write.columns())
                            .noneMatch(column -> Arrays.binarySearch(columns, column) >= 0);
        }

        /// The current row, indexed by column of the table; null if the row does not exist.
        private Value @Nullable [] old(Bytes key) {
            Value[] found = transaction.get(key, read);
            return found == null ? null : spread(key, found);
        }

        private Value[] now(Bytes key, Value @Nullable [] old, RowWrite write) {
            Value[] row;
            if (old != null && write.kind() == RowWrite.Kind.UPSERT) {
                row = old.clone();
            } else {
                var nothing = new Value[columns.length];
                Arrays.fill(nothing, Value.Null.NULL);
                row = spread(key, nothing);
            }
            for (int index = 0; index < write.columns().length; index++) {
                row[write.columns()[index]] = write.values()[index];
            }
            return row;
        }

        private Value[] spread(Bytes key, Value[] values) {
            var row = new Value[table.columns().size()];
            Arrays.fill(row, Value.Null.NULL);
            Value[] keyValues = KeyCodec.decode(keyTypes, key);
            for (int index = 0; index < keyValues.length; index++) {
                row[table.keyColumns().get(index)] = keyValues[index];
            }
            for (int index = 0; index < columns.length; index++) {
                row[columns[index]] = values[index];
            }
            return row;
        }
    }
}
