package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tree.ColumnWork;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Background work on a column while the table is in use: checks for NULLs, and fills a new column
/// with sequence numbers. Threads: any.
public final class ColumnRows implements ColumnWork {
    /// Rows of one transaction.
    private static final int ROWS_AT_ONCE = 500;

    private final Tablets cluster;
    private final OptimisticTransactions transactions;
    private final Env env;

    public ColumnRows(Tablets cluster, OptimisticTransactions transactions, Env env) {
        this.cluster = cluster;
        this.transactions = transactions;
        this.env = env;
    }

    /// The column in the current version of the table.
    private record Place(Table table, int column) {
        /// Reads the key columns, then the column.
        ReadColumns read() {
            int[] columns =
                    Arrays.copyOf(
                            table.keyColumns().stream().mapToInt(Integer::intValue).toArray(),
                            table.keyColumns().size() + 1);
            columns[columns.length - 1] = column;
            return ReadColumns.of(table, columns);
        }

        List<Type> keyTypes() {
            return table.key().stream().map(Column::type).toList();
        }
    }

    private Place find(long tableId, int columnId) {
        for (Table table : cluster.tables()) {
            for (int index = 0; table.id() == tableId && index < table.columns().size(); index++) {
                if (table.columns().get(index).id() == columnId) {
                    return new Place(table, index);
                }
            }
        }
        throw new StatusException(
                Status.ABORTED, "The table or its column was dropped while it became NOT NULL");
    }

    @Override
    public long check(long tableId, int columnId) {
        Place place = find(tableId, columnId);
        Column column = place.table().columns().get(place.column());
        try (Snapshot snapshot = transactions.snapshot();
                RowStream rows = snapshot.scan(KeyRange.ALL, place.read())) {
            int last = place.table().keyColumns().size();
            while (rows.next()) {
                if (rows.row()[last].isNull()) {
                    throw new StatusException(
                            Status.PRECONDITION_FAILED,
                            Issue.error(
                                    Issue.CONSTRAINT_VIOLATION,
                                    "Cannot set NOT NULL: column '%s' of table '%s' has NULL values"
                                            .formatted(column.name(), place.table().path())));
                }
            }
            return snapshot.timestamp();
        }
    }

    @Override
    public void fill(long tableId, int columnId) {
        Bytes from = Bytes.EMPTY;
        List<Bytes> keys = unnumbered(find(tableId, columnId), from);
        while (!keys.isEmpty()) {
            var retries = new RetryBudget(env);
            // A number that an aborted attempt has taken is used by the next attempt.
            var numbers = new @Nullable Value[keys.size()];
            while (!number(find(tableId, columnId), keys, numbers)) {
                if (!retries.again()) {
                    throw new StatusException(
                            Status.OVERLOADED, "The rows of the table are written all the time");
                }
            }
            from = keys.getLast().successor();
            keys = unnumbered(find(tableId, columnId), from);
        }
    }

    /// The keys of the next rows with NULL in the column.
    private List<Bytes> unnumbered(Place place, Bytes from) {
        List<Bytes> keys = new ArrayList<>();
        int keyCount = place.table().keyColumns().size();
        try (Snapshot snapshot = transactions.snapshot();
                RowStream rows = snapshot.scan(new KeyRange(from, null), place.read())) {
            while (keys.size() < ROWS_AT_ONCE && rows.next()) {
                if (rows.row()[keyCount].isNull()) {
                    Value[] key = Arrays.copyOf(rows.row(), keyCount);
                    keys.add(KeyCodec.encode(place.keyTypes(), key));
                }
            }
        }
        return keys;
    }

    /// Returns false if another transaction wrote these rows or the table was changed.
    private boolean number(Place place, List<Bytes> keys, @Nullable Value[] numbers) {
        Table table = place.table();
        int[] columns = {place.column()};
        ReadColumns read = ReadColumns.of(table, columns);
        Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
        try {
            for (int index = 0; index < numbers.length; index++) {
                Bytes key = keys.get(index);
                Value[] now = transaction.get(key, read);
                if (now != null && now[0].isNull()) {
                    Value known = numbers[index];
                    Value number =
                            known == null
                                    ? Value.of(transaction.nextValue(table, place.column()))
                                    : known;
                    numbers[index] = number;
                    Value[] cells = {number};
                    transaction.write(
                            table, key, new RowWrite(RowWrite.Kind.UPSERT, columns, cells));
                }
            }
            return switch (transaction.commit()) {
                case CommitOutcome.Committed _ -> true;
                case CommitOutcome.Conflict _ -> false;
                case CommitOutcome.Unknown(String why) ->
                        throw new StatusException(Status.UNAVAILABLE, why);
            };
        } finally {
            transaction.rollback();
        }
    }
}
