package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Scheme;
import io.cleave.exec.IndexWriter;
import io.cleave.plan.DataSteps;
import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.Column;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Access to the rows of one table without a query text: lookups by key, range reads, blind writes.
public final class TableRows {
    /// YDB's limit for the answer of a lookup.
    private static final ResultLimits LOOKUP_LIMITS = new ResultLimits(Long.MAX_VALUE, 50L << 20);

    /// The number of rows in one transaction, if writes need transactions. `BATCH_ATTEMPTS` is the
    /// maximum number of attempts.
    private static final int BATCH_ROWS = 1000;

    private static final int BATCH_ATTEMPTS = 10;

    private final Scheme scheme;
    private final Transactions transactions;
    private final SystemViews views;

    /// The temporary tables of the calling session; none without a session.
    private final TemporaryTables temporaries;

    TableRows(Scheme scheme, Transactions transactions, SystemViews views) {
        this(scheme, transactions, views, new TemporaryTables());
    }

    private TableRows(
            Scheme scheme,
            Transactions transactions,
            SystemViews views,
            TemporaryTables temporaries) {
        this.scheme = scheme;
        this.transactions = transactions;
        this.views = views;
        this.temporaries = temporaries;
    }

    /// Access to the tables as the session sees them, with its temporary tables.
    public TableRows of(Session session) {
        return new TableRows(scheme, transactions, views, session.temporaries());
    }

    /// Looks up the rows with these keys. `keys` is a `List<Struct>` of all key columns. Keys that
    /// do not exist are left out. An empty list of columns means all columns.
    public void lookup(
            String path,
            TypedValue keys,
            List<String> columns,
            Cancellation cancellation,
            Results results) {
        Table table = find(path);
        RowMapping mapping = new RowMapping(table, structOf(keys.type()));
        if (!mapping.isKeyOnly()) {
            throw bad("The keys of a lookup must contain only key columns of " + path);
        }
        List<Bytes> encoded = rowsOf(keys.value()).stream().map(mapping::key).toList();
        if (encoded.isEmpty()) {
            throw bad("No keys to look up in " + path);
        }
        ReadColumns wanted = columnsOf(table, columns);
        read(
                cancellation,
                transaction -> {
                    var sink =
                            new LimitedResults(
                                    results, LOOKUP_LIMITS, cancellation, Integer.MAX_VALUE);
                    sink.begin(0, shape(wanted, false));
                    for (Bytes key : encoded) {
                        Value[] row = transaction.get(key, wanted);
                        if (row != null) {
                            sink.row(0, row);
                        }
                    }
                    sink.end(0);
                });
    }

    /// The parameters of a range read. A `rowLimit` of 0 means no limit.
    public record RangeRead(
            String path,
            KeyBounds bounds,
            List<String> columns,
            long rowLimit,
            boolean notNullAsOptional) {}

    /// Reads the rows of a range in key order, from one snapshot.
    public void read(RangeRead wanted, Cancellation cancellation, Results results) {
        Table table = find(wanted.path());
        KeyRange range = wanted.bounds().rangeIn(table);
        ReadColumns columns = columnsOf(table, wanted.columns());
        long most = wanted.rowLimit() == 0 ? Long.MAX_VALUE : wanted.rowLimit();
        read(
                cancellation,
                transaction -> {
                    results.begin(0, shape(columns, wanted.notNullAsOptional()));
                    if (!range.isEmpty()) {
                        copy(transaction, range, columns, most, results);
                    }
                    results.end(0, false);
                });
    }

    private static void copy(
            Transaction transaction,
            KeyRange range,
            ReadColumns columns,
            long most,
            Results results) {
        long count = 0;
        try (RowStream rows = transaction.scan(range, columns, Direction.FORWARD)) {
            while (count < most && rows.next()) {
                results.row(0, rows.row());
                count++;
            }
        }
    }

    /// Writes a `List<Struct>` of rows. Each tablet applies its part atomically.
    public void bulkUpsert(String path, TypedValue rows) {
        Table table = find(path);
        if (SystemViews.holds(table)) {
            throw SystemViews.readOnly(path);
        }
        if (table.isIndexTable()) {
            throw IndexRules.notWritable(table);
        }
        RowMapping mapping = new RowMapping(table, structOf(rows.type()));
        List<String> missing = mapping.missingNotNull();
        if (!missing.isEmpty()) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    Issue.error(
                            Issue.SCHEME,
                            "Missing not null columns: " + String.join(", ", missing)));
        }
        List<KeyedWrite> writes = rowsOf(rows.value()).stream().map(mapping::upsert).toList();
        if (writes.isEmpty()) {
            return;
        }
        List<DataSteps.IndexTable> indexTables = DataSteps.IndexTable.of(table, scheme);
        if (indexTables.isEmpty() && mapping.fresh().isEmpty()) {
            transactions.bulkWrite(table, writes);
        } else {
            writeInTransactions(table, new IndexWriter(table, indexTables), mapping, writes);
        }
    }

    /// Transactions are needed to update indexes, and to write the defaults of a new row.
    private void writeInTransactions(
            Table table, IndexWriter writer, RowMapping mapping, List<KeyedWrite> writes) {
        if (mapping.columns().anyMatch(writer::has)) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    Issue.error(
                            Issue.SCHEME, "Only async-indexed tables are supported by BulkUpsert"));
        }
        ReadColumns existence = ReadColumns.none(table);
        Optional<RowWrite> fresh = mapping.fresh();
        for (int from = 0; from < writes.size(); from += BATCH_ROWS) {
            int to = Math.min(writes.size(), from + BATCH_ROWS);
            List<KeyedWrite> batch = writes.subList(from, to);
            inTransaction(
                    transaction -> {
                        IndexWriter.Statement statement = writer.begin(transaction);
                        for (KeyedWrite row : batch) {
                            if (fresh.isPresent()
                                    && transaction.get(row.key(), existence) == null) {
                                statement.write(row.key(), fresh.get(), false);
                            }
                            statement.write(row.key(), row.write(), false);
                        }
                        statement.finish();
                    });
        }
    }

    private void inTransaction(Consumer<Transaction> writes) {
        for (int attempt = 1; ; attempt++) {
            Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
            try {
                writes.accept(transaction);
                Commits.commit(transaction);
                return;
            } catch (StatusException e) {
                if (e.status() != Status.ABORTED || attempt == BATCH_ATTEMPTS) {
                    throw e;
                }
            } finally {
                transaction.rollback();
            }
        }
    }

    private void read(Cancellation cancellation, Consumer<Transaction> body) {
        Transaction transaction = transactions.begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            body.accept(new RunTransaction(transaction, views, cancellation));
        } finally {
            transaction.rollback();
        }
    }

    private Table find(String path) {
        return scheme.find(TemporaryTables.resolved(temporaries.places(), path))
                .filter(_ -> !scheme.isHidden(path))
                .orElseThrow(
                        () ->
                                new StatusException(
                                        Status.SCHEME_ERROR,
                                        Issue.error(
                                                Issue.PATH_NOT_FOUND, "Table not found: " + path)));
    }

    private static Type.Struct structOf(Type type) {
        if (type instanceof Type.ListOf(Type.Struct struct)) {
            return struct;
        }
        throw bad("Expected a List<Struct> of rows, got " + type.text());
    }

    private static List<Value> rowsOf(Value value) {
        return ((Value.Items) value).items();
    }

    private static ReadColumns columnsOf(Table table, List<String> names) {
        int[] columns = new int[names.isEmpty() ? table.columns().size() : names.size()];
        for (int index = 0; index < columns.length; index++) {
            columns[index] = names.isEmpty() ? index : table.indexOf(names.get(index));
            if (columns[index] < 0) {
                throw new StatusException(
                        Status.SCHEME_ERROR,
                        Issue.error(
                                Issue.SCHEME,
                                "Unknown column '%s' of table %s"
                                        .formatted(names.get(index), table.path())));
            }
        }
        return ReadColumns.of(table, columns);
    }

    private static ResultShape shape(ReadColumns columns, boolean notNullAsOptional) {
        List<ResultColumn> shape = new ArrayList<>();
        for (int place = 0; place < columns.count(); place++) {
            Column column = columns.table().columns().get(columns.index(place));
            Type type = notNullAsOptional ? column.type().optional() : column.valueType();
            shape.add(new ResultColumn(column.name(), type));
        }
        return new ResultShape(shape);
    }

    private static StatusException bad(String message) {
        return new StatusException(Status.BAD_REQUEST, Issue.error(Issue.BAD_REQUEST, message));
    }
}
