package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletMap;
import io.cleave.cluster.Tablets;
import io.cleave.codec.RowCodec;
import io.cleave.codec.RowReader;
import io.cleave.memory.MemoryBudget;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.tablet.MovedException;
import io.cleave.tablet.Route;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Starts transactions over the tablets of one cluster. Threads: any.
public final class OptimisticTransactions implements Transactions {
    private static final long DEFAULT_HEAP_BYTES = 2L << 30;

    private final Tablets cluster;
    private final Env env;
    private final MemoryPool memory;
    private final CommitCounters counters = new CommitCounters();

    private final RowCodecs codecs = new RowCodecs();

    private final LongSupplier newest;

    /// For tests and other embedded uses.
    public OptimisticTransactions(Tablets cluster, Env env) {
        this(cluster, env, new MemoryBudget(DEFAULT_HEAP_BYTES, env).transactions());
    }

    /// The memory for open transactions is taken from `memory`.
    public OptimisticTransactions(Tablets cluster, Env env, MemoryPool memory) {
        this.cluster = cluster;
        this.env = env;
        this.memory = memory;
        newest = cluster.timeline()::newest;
    }

    public CommitCounters counters() {
        return counters;
    }

    @Override
    public Transaction begin(Isolation isolation) {
        return isolation == Isolation.ROW_LOCKS ? beginWithRowLocks() : transaction(isolation);
    }

    private OptimisticTransaction transaction(Isolation isolation) {
        return new OptimisticTransaction(isolation, cluster, this, env);
    }

    @Override
    public RowLockTransaction beginWithRowLocks() {
        OptimisticTransaction transaction = transaction(Isolation.ROW_LOCKS);
        var _ = transaction.snapshot();
        return transaction;
    }

    @Override
    public Transaction beginAt(long timestamp) {
        OptimisticTransaction transaction = transaction(Isolation.SNAPSHOT_READ_ONLY);
        transaction.readPast(timestamp);
        return transaction;
    }

    /// The newest timestamp that can be read: all commits up to it have reached their tablets.
    public long visible() {
        return cluster.timeline().visible();
    }

    /// A timestamp for [#beginAt] that is after every commit so far and before every commit that
    /// begins later. Each call returns a later one.
    public long timestamp() {
        return cluster.timeline().pass();
    }

    /// Reads without a transaction object and without a registered snapshot. One row needs none,
    /// because the tablet pins the data before it asks for the timestamp.
    @Override
    public Value @Nullable [] readNewest(Bytes key, ReadColumns columns) {
        MountChecks.checkReadable(columns.table(), key, cluster);
        TabletMap map = cluster.map(columns.table());
        checkWhole(map, columns.table(), newest.getAsLong());
        RowReader reader = columns.reader(codecs);
        Route route = map.find(key);
        while (true) {
            try {
                return route.cell().getNewest(route, key, reader);
            } catch (MovedException moved) {
                route = moved.find(key);
            }
        }
    }

    /// Throws if the table did not have all its rows at the snapshot.
    static void checkWhole(TabletMap map, Table table, long snapshot) {
        if (snapshot < map.wholeFrom()) {
            throw new StatusException(
                    Status.ABORTED,
                    "Table '%s' was created after the transaction started; retry the transaction"
                            .formatted(table.path()));
        }
    }

    @Override
    public void bulkWrite(Table table, List<KeyedWrite> rows) {
        RowCodec codec = codecs.codec(table);
        List<KeyedChange> left = new ArrayList<>();
        for (KeyedWrite row : rows) {
            Bytes change = new Effect(table.columns().size(), row.write()).encode(codec);
            left.add(new KeyedChange(row.key(), change));
        }
        var retries = new RetryBudget(env);
        left = commitByTablet(table, left);
        while (!left.isEmpty()) {
            if (!retries.again()) {
                throw new StatusException(
                        Status.OVERLOADED,
                        "the tablets of '" + table.path() + "' kept moving; retry");
            }
            left = commitByTablet(table, left);
        }
    }

    /// Returns the rows that could not be written because their tablets moved, or require a later
    /// version of the table.
    private List<KeyedChange> commitByTablet(Table table, List<KeyedChange> rows) {
        Table there = there(table);
        rows.forEach(row -> MountChecks.checkWritable(there, row.key()));
        return commitEach(table, rows, there.version());
    }

    /// Checks that the table still has the same columns and indexes. Otherwise the rows would be
    /// missing in new indexes. Returns the table in the version for which this holds.
    private Table there(Table table) {
        Optional<Table> there = cluster.find(table.path());
        if (there.isEmpty()) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    "Table '" + table.path() + "' was dropped while the request ran");
        }
        if (there.get().id() != table.id()) {
            throw new StatusException(
                    Status.ABORTED,
                    "Table '" + table.path() + "' was replaced while the request ran; retry");
        }
        if (refusesMore(table, there.get())) {
            throw new StatusException(
                    Status.ABORTED,
                    "A column of '%s' became NOT NULL while the request ran; retry"
                            .formatted(table.path()));
        }
        if (!there.get().indexes().equals(table.indexes())) {
            throw new StatusException(
                    Status.ABORTED,
                    "The indexes of '%s' were changed while the request ran; retry"
                            .formatted(table.path()));
        }
        return there.get();
    }

    /// Whether a column that allowed NULL refuses it now.
    private static boolean refusesMore(Table before, Table now) {
        return before.version() != now.version()
                && now.columns().stream()
                        .filter(Column::refusesNull)
                        .anyMatch(column -> !refused(before, column));
    }

    /// Whether writers that used the previous version of the table cannot have left a NULL in the
    /// column.
    private static boolean refused(Table before, Column column) {
        int at = before.indexOf(column.name());
        return at < 0 ? column.missing().isPresent() : before.columns().get(at).refusesNull();
    }

    private List<KeyedChange> commitEach(Table table, List<KeyedChange> rows, long version) {
        Map<Route, List<KeyedChange>> byTablet = new LinkedHashMap<>();
        for (KeyedChange row : rows) {
            byTablet.computeIfAbsent(cluster.map(table).find(row.key()), _ -> new ArrayList<>())
                    .add(row);
        }
        List<KeyedChange> left = new ArrayList<>();
        byTablet.forEach(
                (route, changes) -> {
                    if (!commit(route, changes, version)) {
                        left.addAll(changes);
                    }
                });
        return left;
    }

    /// A snapshot of the newest moment.
    public Snapshot snapshot() {
        return new Snapshot(cluster, codecs);
    }

    /// Reads rows at earlier moments.
    public RowHistory history() {
        return new RowHistory(cluster, codecs);
    }

    /// Encodes a write of a row as its tablet stores it.
    public Bytes encode(Table table, RowWrite write) {
        return new Effect(table.columns().size(), write).encode(codecs.codec(table));
    }

    MemoryPool memory() {
        return memory;
    }

    RowCodecs codecs() {
        return codecs;
    }

    /// Returns false if the tablet is no longer there, or requires a later version of the table.
    private static boolean commit(Route route, List<KeyedChange> changes, long version) {
        var writes = List.of(new TabletWrites(route.tabletId(), changes, version));
        return switch (route.cell().commit(writes, null, null)) {
            case CommitResult.Done _ -> true;
            case CommitResult.Moved _, CommitResult.Gone _, CommitResult.Outdated _ -> false;
            case CommitResult.Lost(String why) ->
                    throw new StatusException(
                            Status.UNDETERMINED, Issue.error(Issue.UNAVAILABLE, why));
            case CommitResult.Broken _ ->
                    throw new IllegalStateException("a write without reads was in conflict");
        };
    }
}
