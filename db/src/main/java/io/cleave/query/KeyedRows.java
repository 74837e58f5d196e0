package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.IndexWriter;
import io.cleave.plan.DataSteps;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.Table;
import io.cleave.tree.Scheme;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Reads and writes rows by encoded keys, without a query text: the front door for front ends that
/// have their own form of rows. Secondary indexes are kept in step, and generated key columns are
/// computed.
///
/// Threads: any.
public final class KeyedRows {
    /// The number of tables whose descriptions are kept for the next call.
    private static final int KEPT_TABLES = 10_000;

    /// The number of attempts of a write that reads first. Writes that do not read have no
    /// conflicts.
    private static final int ATTEMPTS = 10;

    private final Scheme scheme;
    private final Transactions transactions;

    /// By table id.
    private final Map<Long, KeyedTable> tables = new ConcurrentHashMap<>();

    KeyedRows(Scheme scheme, Transactions transactions) {
        this.scheme = scheme;
        this.transactions = transactions;
    }

    /// The table at an absolute path, such as `/local/t`. System views and the tables of indexes
    /// are not found.
    public Optional<KeyedTable> find(String path) {
        Table table = scheme.find(path).orElse(null);
        if (table == null || scheme.isHidden(path) || SystemViews.holds(table)) {
            return Optional.empty();
        }
        return table.isIndexTable() ? Optional.empty() : Optional.of(keyed(table));
    }

    private KeyedTable keyed(Table table) {
        KeyedTable kept = tables.get(table.id());
        if (kept == null || !kept.isOf(table)) {
            if (tables.size() >= KEPT_TABLES) {
                tables.clear();
            }
            kept = new KeyedTable(table);
            tables.put(table.id(), kept);
        }
        return kept;
    }

    /// The columns of one row as it is now, or null if there is no such row.
    public Value @Nullable [] lookup(Bytes key, ReadColumns columns) {
        return transactions.readNewest(key, columns);
    }

    /// Writes rows, all or none. If a key occurs several times, its writes are applied in order.
    /// Returns the timestamp of the commit.
    public long write(KeyedTable seen, List<KeyedWrite> rows) {
        KeyedTable table = seen;
        for (int attempt = 1; ; attempt++) {
            Transaction transaction = transactions.begin(Isolation.SNAPSHOT_READ_WRITE);
            try {
                write(transaction, table, rows);
                CommitOutcome outcome = transaction.commit();
                if (outcome instanceof CommitOutcome.Committed(long timestamp)) {
                    return timestamp;
                }
                StatusException failure = Commits.failure(outcome);
                if (failure != null && (isFinal(failure) || attempt == ATTEMPTS)) {
                    throw failure;
                }
                table = current(table);
            } finally {
                transaction.rollback();
            }
        }
    }

    /// The newest version of the table. Rows that were made for the older version must fit it:
    /// settings may have changed, but not columns.
    private KeyedTable current(KeyedTable before) {
        Table old = before.table();
        KeyedTable now = find(old.path()).orElse(before);
        boolean fits =
                now.table().id() == old.id()
                        && now.table().columns().equals(old.columns())
                        && now.table().keyColumns().equals(old.keyColumns());
        if (!fits) {
            throw new StatusException(
                    Status.ABORTED,
                    "Table '%s' was changed while the request ran; retry".formatted(old.path()));
        }
        return now;
    }

    private static boolean isFinal(StatusException failure) {
        return failure.status() != Status.ABORTED;
    }

    /// Starts a read of the newest moment, which the caller ends with a rollback.
    public Transaction beginNewest() {
        return transactions.begin(Isolation.SNAPSHOT_READ_ONLY);
    }

    /// Starts a read of an earlier moment, which the caller ends with a rollback; see
    /// [Transactions#beginAt].
    public Transaction beginAt(long timestamp) {
        return transactions.beginAt(timestamp);
    }

    /// Starts a transaction with row locks, whose snapshot is the newest moment.
    public KeyedTransaction begin() {
        return new KeyedTransaction(this, transactions.beginWithRowLocks());
    }

    /// Adds the writes to a transaction that sees its own writes.
    void write(Transaction transaction, KeyedTable table, List<KeyedWrite> rows) {
        Table written = table.table();
        IndexWriter.@Nullable Statement indexes = null;
        if (!written.indexes().isEmpty()) {
            List<DataSteps.IndexTable> indexTables = DataSteps.IndexTable.of(written, scheme);
            if (!indexTables.isEmpty()) {
                indexes = new IndexWriter(written, indexTables).begin(transaction);
            }
        }
        ReadColumns existence = ReadColumns.none(written);
        for (KeyedWrite row : rows) {
            RowWrite write =
                    table.hasDefaults()
                            ? whole(table, row, key -> transaction.get(key, existence) != null)
                            : row.write();
            if (indexes == null) {
                transaction.write(written, row.key(), write);
            } else {
                indexes.write(row.key(), write, false);
            }
        }
        if (indexes != null) {
            indexes.finish();
        }
    }

    /// The write with the defaults that a new row gets.
    private static RowWrite whole(
            KeyedTable table, KeyedWrite row, Function<Bytes, Boolean> exists) {
        RowWrite write = row.write();
        return switch (write.kind()) {
            case ERASE -> write;
            case REPLACE -> table.withDefaults(write);
            case UPSERT -> {
                if (!table.needsExistence(write) || exists.apply(row.key())) {
                    yield write;
                }
                int missing = table.missingRequired(write);
                if (missing >= 0) {
                    throw new MissingColumnException(table.table().columns().get(missing).name());
                }
                yield table.withDefaults(write);
            }
        };
    }

    /// A new row does not have a column that refuses NULL.
    public static final class MissingColumnException extends RuntimeException {
        private final String column;

        MissingColumnException(String column) {
            // An expected outcome, not a bug, so the cost of a stack trace is avoided.
            super("a new row needs a value of '" + column + "'", null, false, false);
            this.column = column;
        }

        public String column() {
            return column;
        }
    }
}
