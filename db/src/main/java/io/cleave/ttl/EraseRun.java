package io.cleave.ttl;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.ExpiredFiles;
import io.cleave.cluster.Tablets;
import io.cleave.exec.IndexWriter;
import io.cleave.plan.DataSteps.IndexTable;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Snapshot;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One run over all rows of a table: erases the rows that have expired when it begins.
///
/// It visits one tablet after the other, and each tablet in chunks. Each chunk is read at its own
/// snapshot, so that no snapshot is kept for long. A transaction that reads each row once more
/// erases the expired rows of the chunk. So a row whose time was changed meanwhile stays, and SYNC
/// indexes always match the table.
///
/// Files that have expired as a whole are erased first, by their key range, if the table has no
/// indexes. If keys begin with the time, only expired keys are visited. After each chunk the run
/// rests in proportion to the time that the chunk took. It also waits while commits of the cell are
/// held back.
///
/// Threads: one runs it.
final class EraseRun {
    /// Limits of one transaction, as in YDB.
    static final int BATCH_KEYS = 256;

    static final int BATCH_BYTES = 512_000;

    /// Rows read at one snapshot.
    private static final int CHUNK_ROWS = 10_000;

    /// How often a batch is tried if other transactions write the same rows. Then the next run
    /// erases it.
    private static final int ATTEMPTS = 5;

    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /// Interval between checks whether commits are still delayed.
    private static final Duration HELD_BACK = Duration.ofMillis(100);

    private final Tablets tablets;
    private final OptimisticTransactions transactions;
    private final Env env;
    private final int rest;
    private final long tableId;
    private final ExpiryRule rule;
    private final long nowMicros;

    /// The only keys that can have expired; null if keys do not tell.
    private final @Nullable KeyRange expiredKeys;

    private final EraseProgress progress;

    EraseRun(
            Tablets tablets,
            OptimisticTransactions transactions,
            Env env,
            int rest,
            Table table,
            ExpiryRule rule,
            EraseProgress progress) {
        this.tablets = tablets;
        this.transactions = transactions;
        this.env = env;
        this.rest = rest;
        this.rule = rule;
        this.progress = progress;
        tableId = table.id();
        nowMicros = env.wallMicros();
        expiredKeys = rule.expiredKeys(table, nowMicros).orElse(null);
    }

    /// Returns whether all tablets were visited. Returns false if the run was stopped, or if the
    /// TTL of the table was changed or removed.
    boolean run() throws InterruptedException {
        @Nullable Bytes from = Bytes.EMPTY;
        while (from != null) {
            Table table = table();
            if (table == null) {
                return false;
            }
            Route route = tablets.map(table).find(from);
            @Nullable Bytes to = route.range().to();
            var range = new KeyRange(from, to);
            KeyRange wanted = expiredKeys == null ? range : range.intersection(expiredKeys);
            if (!eraseIn(table, route, wanted)) {
                return false;
            }
            from = to;
        }
        return true;
    }

    /// The current version of the table; null if the run should end.
    private @Nullable Table table() {
        if (progress.isStopped()) {
            return null;
        }
        return tablets.tables().stream()
                .filter(table -> table.id() == tableId)
                .filter(table -> ExpiryRule.of(table).equals(Optional.of(rule)))
                .findFirst()
                .orElse(null);
    }

    /// Covers all keys of the range, even if the tablet is split, merged or moved meanwhile.
    private boolean eraseIn(Table begun, Route route, KeyRange range) throws InterruptedException {
        long dropped = dropFiles(begun, route);
        progress.went(dropped, dropped, dropped);
        long processed = dropped;
        long erased = dropped;
        @Nullable Bytes from = range.from();
        while (from != null && !new KeyRange(from, range.to()).isEmpty()) {
            awaitCalm(route);
            Table table = table();
            if (table == null) {
                return false;
            }
            if (!isOpen(table, from)) {
                break;
            }
            long begunNanos = env.nanoTime();
            Chunk chunk = read(table, new KeyRange(from, range.to()));
            long gone = chunk.expired.isEmpty() ? 0 : erase(table, chunk.expired);
            processed += chunk.rows;
            erased += gone;
            progress.went(chunk.rows, gone, 0);
            from = chunk.next;
            rest(env.nanoTime() - begunNanos);
        }
        progress.finished(route.tabletId(), processed, erased);
        return true;
    }

    /// Erases whole files, if the table has no indexes: index entries must be erased row by row,
    /// and followers see only changes of rows. When an index is added, the tablet refuses the
    /// erase, or the build waits until it is visible.
    private long dropFiles(Table table, Route route) {
        if (!table.indexes().isEmpty()) {
            return 0;
        }
        Table there = table();
        if (there == null || !there.indexes().isEmpty() || !isOpen(there, route.range().from())) {
            return 0;
        }
        return expiredKeys == null
                ? ExpiredFiles.erase(there, route, rule.limitMicros(nowMicros))
                : ExpiredFiles.erase(there, route, expiredKeys);
    }

    /// Whether the tablet of this key can be written. A tablet that is unmounted or frozen keeps
    /// its rows until a run after it was mounted again.
    private static boolean isOpen(Table table, Bytes key) {
        return table.options().yt().map(yt -> yt.states().at(key).isWritable()).orElse(true);
    }

    private void awaitCalm(Route route) throws InterruptedException {
        while (route.cell().isHeldBack() && !progress.isStopped()) {
            env.sleep(HELD_BACK);
        }
    }

    private void rest(long tookNanos) throws InterruptedException {
        env.sleep(Duration.ofNanos(Math.clamp(tookNanos * rest, 1000, LONGEST_REST.toNanos())));
    }

    /// Some rows of a range.
    ///
    /// @param next the key where the next chunk begins; null at the end of the table
    private record Chunk(List<Bytes> expired, long rows, @Nullable Bytes next) {}

    private Chunk read(Table table, KeyRange range) {
        List<Type> keyTypes = table.key().stream().map(Column::type).toList();
        List<Integer> columns = new ArrayList<>(table.keyColumns());
        columns.add(rule.columnIn(table));
        List<Bytes> expired = new ArrayList<>();
        long bytes = 0;
        long rowCount = 0;
        try (Snapshot snapshot = transactions.snapshot();
                RowStream rows = snapshot.scan(range, ReadColumns.of(table, columns))) {
            while (rows.next()) {
                Value[] row = rows.row();
                var keyValues = new Value[keyTypes.size()];
                System.arraycopy(row, 0, keyValues, 0, keyValues.length);
                Bytes key = KeyCodec.encode(keyTypes, keyValues);
                rowCount++;
                if (rule.isExpired(row[keyValues.length], nowMicros)) {
                    expired.add(key);
                    bytes += key.length();
                }
                if (expired.size() == BATCH_KEYS
                        || bytes >= BATCH_BYTES
                        || rowCount == CHUNK_ROWS) {
                    return new Chunk(expired, rowCount, KeyCodec.prefixEnd(key));
                }
            }
        }
        return new Chunk(expired, rowCount, range.to());
    }

    /// Erases the rows that are still expired, and returns their number.
    private long erase(Table table, List<Bytes> keys) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
            try {
                long erased = erase(table, keys, transaction);
                switch (transaction.commit()) {
                    case CommitOutcome.Committed _ -> {
                        return erased;
                    }
                    case CommitOutcome.Conflict _ -> {}
                    case CommitOutcome.Unknown(String why) ->
                            throw new StatusException(Status.UNDETERMINED, why);
                }
            } catch (StatusException e) {
                if (e.status() != Status.ABORTED) {
                    throw e;
                }
            } finally {
                transaction.rollback();
            }
        }
        return 0;
    }

    private long erase(Table table, List<Bytes> keys, Transaction transaction) {
        var writer = new IndexWriter(table, IndexTable.of(table, tablets));
        IndexWriter.Statement statement = writer.begin(transaction);
        long erased = 0;
        Value[] @Nullable [] rows =
                transaction.getAll(keys, ReadColumns.of(table, rule.columnIn(table)));
        for (int index = 0; index < rows.length; index++) {
            Value @Nullable [] row = rows[index];
            if (row != null && rule.isExpired(row[0], nowMicros)) {
                statement.write(keys.get(index), RowWrite.ERASE, true);
                erased++;
            }
        }
        statement.finish();
        return erased;
    }
}
