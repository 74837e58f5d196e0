package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.query.metric.TableAccess;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ColumnBatch;
import io.cleave.txn.ForwardingTransaction;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.ScanPart;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A transaction as one run of a query sees it. It includes the system views, counts rows, and
/// checks regularly whether the run should stop.
final class RunTransaction extends ForwardingTransaction {
    private static final int ROWS_A_CHECK = 32;

    private final SystemViews views;
    private final Cancellation cancellation;

    /// A short list: a query names a few tables, and most queries only one.
    private List<TableAccess> accesses = List.of();

    /// The number of rows that may still be touched. `bytesLeft` is the limit of their size.
    private int rowsLeft;

    private long bytesLeft = ShortRuns.MOST_BYTES;

    /// Null if any number of rows may be read.
    private final @Nullable ReadLimit limit;

    /// The number of rows until the next check by [#checkSometimes].
    private int untilCheck = ROWS_A_CHECK;

    RunTransaction(Transaction transaction, SystemViews views, Cancellation cancellation) {
        this(transaction, views, cancellation, Integer.MAX_VALUE, null);
    }

    /// Throws [ShortRuns.TooLong] when the run touches more than `mostRows` rows.
    RunTransaction(
            Transaction transaction,
            SystemViews views,
            Cancellation cancellation,
            int mostRows,
            @Nullable ReadLimit limit) {
        super(transaction);
        this.limit = limit;
        rowsLeft = mostRows;
        this.views = views;
        this.cancellation = cancellation;
    }

    /// Called at the beginning of a scan. The scan then checks regularly whether the run should
    /// stop.
    private void beginScan() {
        cancellation.check();
        transaction.onScanStep(rowsLeft == Integer.MAX_VALUE ? cancellation::check : this::step);
    }

    /// Called when a scan has passed more keys than a short run may read.
    private void step() {
        throw new ShortRuns.TooLong();
    }

    List<TableAccess> accesses() {
        return accesses;
    }

    @Override
    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        checkSometimes();
        countRows(1);
        Table table = columns.table();
        if (SystemViews.holds(table)) {
            countView();
            return views.get(key, columns);
        }
        Value[] row = transaction.get(key, columns);
        if (row != null) {
            if (limit != null && !limit.admits(1)) {
                return null;
            }
            access(table).found(1, countBytes(row));
        }
        return row;
    }

    @Override
    public Value[] @Nullable [] getAll(List<Bytes> keys, ReadColumns columns) {
        cancellation.check();
        Table table = columns.table();
        if (SystemViews.holds(table)) {
            return super.getAll(keys, columns);
        }
        countRows(keys.size());
        Value[] @Nullable [] rows = transaction.getAll(keys, columns);
        int found = 0;
        long bytes = 0;
        for (int index = 0; index < rows.length; index++) {
            Value[] row = rows[index];
            if (row != null) {
                if (limit != null && !limit.admits(1)) {
                    rows[index] = null;
                    continue;
                }
                bytes += countBytes(row);
                found++;
            }
        }
        if (found > 0) {
            access(table).found(found, bytes);
        }
        return rows;
    }

    /// Rows of system views have no past.
    @Override
    public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
        checkSometimes();
        return SystemViews.holds(columns.table())
                ? List.of()
                : transaction.versions(key, columns, limits);
    }

    @Override
    public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
        beginScan();
        Table table = columns.table();
        if (SystemViews.holds(table)) {
            countView();
            return new CountedRows(views.scan(range, columns, direction), access(table));
        }
        return new CountedRows(transaction.scan(range, columns, direction), access(table));
    }

    @Override
    public Optional<BatchStream> scanBatches(KeyRange range, ReadColumns columns) {
        beginScan();
        Table table = columns.table();
        return SystemViews.holds(table)
                ? Optional.empty()
                : transaction
                        .scanBatches(range, columns)
                        .map(batches -> new CountedBatches(batches, access(table)));
    }

    @Override
    public Optional<List<ScanPart>> scanParts(
            List<KeyRange> ranges, ReadColumns columns, long partBytes) {
        beginScan();
        Table table = columns.table();
        if (SystemViews.holds(table)) {
            return Optional.empty();
        }
        TableAccess access = access(table);
        return transaction
                .scanParts(ranges, columns, partBytes)
                .map(
                        parts ->
                                parts.stream()
                                        .<ScanPart>map(
                                                part ->
                                                        () ->
                                                                new CountedBatches(
                                                                        part.open(), access))
                                        .toList());
    }

    @Override
    public void write(Table table, Bytes key, RowWrite write) {
        checkSometimes();
        if (SystemViews.holds(table)) {
            throw SystemViews.readOnly(table.path());
        }
        transaction.write(table, key, write);
        if (write.kind() == RowWrite.Kind.ERASE) {
            access(table).erased(key.length());
        } else {
            access(table).updated(table, key, key.length() + ValueSize.of(write.values()));
        }
    }

    @Override
    public long nextValue(Table table, int column) {
        cancellation.check();
        return transaction.nextValue(table, column);
    }

    /// Checks whether the run should stop, but not for every row: reading the clock costs as much
    /// as a row.
    private void checkSometimes() {
        if (--untilCheck == 0) {
            cancellation.check();
            untilCheck = ROWS_A_CHECK;
        }
    }

    private void countRows(int rows) {
        if (rowsLeft != Integer.MAX_VALUE) {
            rowsLeft -= rows;
            if (rowsLeft < 0) {
                throw new ShortRuns.TooLong();
            }
        }
    }

    /// Returns the size of the row.
    private long countBytes(Value[] row) {
        long bytes = ValueSize.of(row);
        if (rowsLeft != Integer.MAX_VALUE) {
            bytesLeft -= bytes;
            if (bytesLeft < 0) {
                throw new ShortRuns.TooLong();
            }
        }
        return bytes;
    }

    /// A short run may not read a system view, because all its rows are made before the first one
    /// is returned.
    private void countView() {
        if (rowsLeft != Integer.MAX_VALUE) {
            throw new ShortRuns.TooLong();
        }
    }

    private TableAccess access(Table table) {
        for (TableAccess access : accesses) {
            if (access.path().equals(table.path())) {
                return access;
            }
        }
        TableAccess first = new TableAccess(table.path());
        if (accesses.isEmpty()) {
            accesses = List.of(first);
        } else {
            List<TableAccess> more = new ArrayList<>(accesses);
            more.add(first);
            accesses = List.copyOf(more);
        }
        return first;
    }

    private final class CountedBatches implements BatchStream {
        private final BatchStream batches;
        private final TableAccess access;

        CountedBatches(BatchStream batches, TableAccess access) {
            this.batches = batches;
            this.access = access;
        }

        @Override
        public @Nullable ColumnBatch next() {
            cancellation.check();
            ColumnBatch batch = batches.next();
            if (batch != null) {
                // A run that may stop early reads by row, so that it stops at the right one.
                if (limit != null && !limit.admits(batch.rows())) {
                    return null;
                }
                access.scanned(batch.rows(), batch.bytes());
            }
            return batch;
        }

        @Override
        public void close() {
            batches.close();
        }
    }

    private final class CountedRows implements RowStream {
        private final RowStream rows;
        private final TableAccess access;
        private int untilCheck;
        private long countedRows;
        private long countedBytes;

        CountedRows(RowStream rows, TableAccess access) {
            this.rows = rows;
            this.access = access;
        }

        @Override
        public boolean next() {
            // Reading the clock costs as much as a row.
            if (untilCheck-- == 0) {
                cancellation.check();
                untilCheck = ROWS_A_CHECK;
            }
            countRows(1);
            if (!rows.next() || (limit != null && !limit.admits(1))) {
                return false;
            }
            countedRows++;
            countedBytes += countBytes(rows.row());
            return true;
        }

        @Override
        public Value[] row() {
            return rows.row();
        }

        @Override
        public void close() {
            access.scanned(countedRows, countedBytes);
            countedRows = 0;
            countedBytes = 0;
            rows.close();
        }
    }
}
