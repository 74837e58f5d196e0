package io.cleave.index;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.exec.IndexEntries;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.tablet.BulkLoad;
import io.cleave.tablet.Route;
import io.cleave.tablet.Spool;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tree.Indexes;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.Snapshot;
import io.cleave.value.KeyCodec;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// Fills a new index with the rows that the table already has. New writes reach the index by
/// another way: each write updates it, or, if it is ASYNC, a follower applies the changes since the
/// snapshot of the build. See `docs/indexes.md`.
///
/// Threads: one runs it; any may look at it or stop it.
final class IndexBuild {
    /// The number of rows after which the build checks whether it should stop.
    private static final int ROWS_BETWEEN_LOOKS = 256;

    /// How often a tablet may be split, merged or moved while rows are loaded into it.
    private static final int LOAD_ATTEMPTS = 100;

    /// The progress after the table was read, and after the index was written.
    private static final float READ_PERCENT = 50;

    private static final float WRITTEN_PERCENT = 90;

    private final Tablets tablets;
    private final Resharding resharding;
    private final Indexes indexes;
    private final OptimisticTransactions transactions;
    private final IndexFollowers followers;
    private final long indexTableId;

    private volatile BuildState state = BuildState.PREPARING;
    private volatile float progress;

    /// Why the build should stop; null while it may continue.
    private volatile @Nullable StatusException stop;

    private long rowsSeen;

    IndexBuild(
            Tablets tablets,
            Resharding resharding,
            Indexes indexes,
            OptimisticTransactions transactions,
            IndexFollowers followers,
            long indexTableId) {
        this.tablets = tablets;
        this.resharding = resharding;
        this.indexes = indexes;
        this.transactions = transactions;
        this.followers = followers;
        this.indexTableId = indexTableId;
    }

    BuildState state() {
        return state;
    }

    /// Progress in percent.
    float progress() {
        return progress;
    }

    void stop(StatusException why) {
        stop = why;
    }

    void enter(BuildState next) {
        state = next;
        if (next == BuildState.DONE) {
            progress = 100;
        }
    }

    /// Returns when queries may read the index. If it throws, the index stays not READY.
    void run() {
        try {
            try (Snapshot snapshot = transactions.snapshot();
                    Spool spool = indexes.newSpool()) {
                enter(BuildState.TRANSFERING_DATA);
                indexes.wholeFrom(indexTableId, snapshot.timestamp());
                if (find().index().kind() == Index.Kind.ASYNC) {
                    followers.follow(find(), snapshot.timestamp());
                }
                read(snapshot, spool);
                cut(spool);
                load(snapshot.timestamp(), spool);
            }
        } finally {
            indexes.endLoad(indexTableId);
        }
        Indexes.TableIndex found = find();
        if (found.index().kind() == Index.Kind.UNIQUE) {
            // A transaction that read the index before the load was committed before it, or has
            // lost its locks to it. The check then sees those that were committed.
            var _ = tablets.fence();
            checkUnique(found);
        }
        if (found.index().kind() == Index.Kind.ASYNC) {
            indexes.positions().keep(indexTableId);
        }
        enter(BuildState.APPLYING);
        check();
        if (!indexes.ready(indexTableId)) {
            throw dropped();
        }
    }

    private void read(Snapshot snapshot, Spool spool) {
        Indexes.TableIndex found = find();
        Table table = found.table();
        var entries = new IndexEntries(table, found.index(), found.indexTable());
        ReadColumns had = entries.read(table);
        boolean follows = found.index().kind() == Index.Kind.ASYNC;
        long rowCount =
                Math.max(1, tablets.infos(table).stream().mapToLong(tablet -> tablet.rows()).sum());
        Value[] row = new Value[table.columns().size()];
        long read = 0;
        try (RowStream rows = snapshot.scan(KeyRange.ALL, had)) {
            while (rows.next()) {
                look();
                Value[] values = rows.row();
                for (int place = 0; place < had.count(); place++) {
                    row[had.index(place)] = values[place];
                }
                @Nullable Bytes key = follows ? entries.storedKey(row) : entries.key(row);
                if (key != null) {
                    spool.add(key, transactions.encode(entries.table(), entries.write(row)));
                }
                progress = Math.min(READ_PERCENT, READ_PERCENT * ++read / rowCount);
            }
        }
    }

    /// Splits the index table into the number of tablets that its settings require for this size.
    private void cut(Spool spool) {
        for (int attempt = 1; true; attempt++) {
            try {
                cut(find().indexTable(), spool);
                return;
            } catch (StatusException e) {
                // The table was renamed, or split at one of the keys, meanwhile.
                boolean passes =
                        e.status() == Status.SCHEME_ERROR || e.status() == Status.BAD_REQUEST;
                if (!passes || attempt == LOAD_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void cut(Table indexTable, Spool spool) {
        Partitioning wanted = indexTable.options().partitioning();
        long bySize =
                wanted.bySize() ? 1 + spool.bytes() / Math.max(1, wanted.sizeMegabytes() << 20) : 1;
        // Larger tablets would be split regardless of the maximum.
        long forced = 1 + spool.bytes() / (Partitioning.DEFAULT.sizeMegabytes() << 20);
        long most = Math.max(wanted.maxTablets(), forced);
        long count = Math.min(Math.max(bySize, wanted.minCount()), most);
        var keys = new TreeSet<Bytes>();
        for (long number = 1; number < count; number++) {
            spool.keyAt((double) number / count).ifPresent(keys::add);
        }
        tablets.map(indexTable).routes().forEach(route -> keys.remove(route.range().from()));
        if (!keys.isEmpty()) {
            resharding.split(indexTable.path(), keys);
        }
    }

    private void load(long timestamp, Spool spool) {
        @Nullable Bytes from = Bytes.EMPTY;
        long bytes = Math.max(1, spool.bytes());
        long written = 0;
        int attempts = 0;
        while (from != null) {
            Route route = tablets.map(find().indexTable()).find(from);
            KeyRange range = new KeyRange(from, route.range().to());
            long part = load(timestamp, spool, route, range);
            if (part < 0) {
                // The tablet was split, merged or moved meanwhile.
                if (++attempts == LOAD_ATTEMPTS) {
                    throw new StatusException(
                            Status.OVERLOADED,
                            "the tablets of '%s' kept moving; retry"
                                    .formatted(find().indexTable().path()));
                }
                continue;
            }
            written += part;
            progress = READ_PERCENT + (WRITTEN_PERCENT - READ_PERCENT) * written / bytes;
            from = range.to();
        }
    }

    /// Returns the number of loaded bytes, or -1 if the tablet is no longer there.
    private long load(long timestamp, Spool spool, Route route, KeyRange range) {
        long bytes = 0;
        BulkLoad begun;
        try {
            begun = route.cell().bulkLoad(route.tabletId());
        } catch (StatusException e) {
            if (route.isCurrent()) {
                throw e;
            }
            return -1;
        }
        try (BulkLoad load = begun) {
            Spool.Sorted rows = spool.rows(range.from(), range.to());
            while (rows.next()) {
                look();
                Bytes change = rows.change();
                load.add(rows.key(), change);
                bytes += rows.key().length() + change.length();
            }
            return switch (load.finishBelow(timestamp)) {
                case CommitResult.Done _ -> bytes;
                case CommitResult.Gone _, CommitResult.Moved _ -> -1;
                case CommitResult.Broken _, CommitResult.Outdated _ ->
                        throw new IllegalStateException("the index has rows below its load");
                case CommitResult.Lost(String why) ->
                        throw new StatusException(Status.UNAVAILABLE, why);
            };
        }
    }

    /// Looks for duplicates. Transactions that write from now on see all rows of the index, and
    /// transactions that read it before conflict with the load. So checking the current rows is
    /// enough.
    private void checkUnique(Indexes.TableIndex found) {
        int count = found.index().columns().size();
        int[] columns = new int[count];
        Arrays.setAll(columns, column -> column);
        List<Type> types = found.indexTable().key().stream().map(Column::type).toList();
        @Nullable Bytes before = null;
        try (Snapshot snapshot = transactions.snapshot();
                RowStream rows =
                        snapshot.scan(KeyRange.ALL, ReadColumns.of(found.indexTable(), columns))) {
            while (rows.next()) {
                look();
                Value[] values = rows.row();
                if (Arrays.stream(values).anyMatch(Value::isNull)) {
                    continue;
                }
                Bytes prefix = KeyCodec.encode(types, values);
                if (before != null && prefix.equals(before)) {
                    throw new StatusException(
                            Status.PRECONDITION_FAILED,
                            Issue.error(
                                    Issue.CONSTRAINT_VIOLATION,
                                    "Duplicate key found in unique index '%s': %s"
                                            .formatted(
                                                    found.index().name(),
                                                    text(found, types, values))));
                }
                before = prefix;
            }
        }
    }

    private static String text(Indexes.TableIndex found, List<Type> types, Value[] values) {
        List<String> texts = new ArrayList<>();
        for (int index = 0; index < values.length; index++) {
            String value = TextForm.print(types.get(index), values[index]);
            texts.add(found.index().columns().get(index) + " = " + value);
        }
        return String.join(", ", texts);
    }

    private Indexes.TableIndex find() {
        return indexes.find(indexTableId).orElseThrow(IndexBuild::dropped);
    }

    private static StatusException dropped() {
        return new StatusException(
                Status.CANCELLED, "The index was dropped while it was being built");
    }

    private void look() {
        if (++rowsSeen % ROWS_BETWEEN_LOOKS == 0) {
            check();
        }
    }

    private void check() {
        StatusException why = stop;
        if (why != null) {
            throw why;
        }
        find();
    }
}
