package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletMap;
import io.cleave.cluster.Tablets;
import io.cleave.codec.RowReader;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowConflict;
import io.cleave.schema.RowLock;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.tablet.MovedException;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.CommitOutcome.Conflict;
import io.cleave.txn.CommitOutcome.Unknown;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/// A transaction that reads one snapshot and is validated when it commits.
///
/// Serializable: every read leaves a lock, and a lock broken by another commit makes this commit a
/// conflict. Without writes there is nothing to validate, because all reads are of one snapshot. It
/// is also a conflict if a table changed after the transaction wrote to it, because the writes were
/// made for other columns.
///
/// Threads: one at a time.
final class OptimisticTransaction implements RowLockTransaction {
    private static final long NO_SNAPSHOT = -1;

    /// How long a transaction may be open. Versions that it reads are kept from compaction that
    /// long.
    static final Duration MAX_LIFETIME = Duration.ofHours(1);

    private final Isolation isolation;
    private final Tablets cluster;
    private final OptimisticTransactions transactions;
    private final RowCodecs codecs;
    private final CommitCounters counters;
    private final Env env;
    private final long begunNanos;

    /// By table id, in the order in which tables were first written. Created by the first write.
    private Map<Long, Effects> effects = Map.of();

    /// Row locks without writes, by table id. Created by the first lock.
    private Map<Long, RowLocks> rowLocks = Map.of();

    /// Counts the memory of the effects. Created by the first write.
    private Effects.@Nullable Budget budget;

    /// Created when the first lock is needed; most transactions read one snapshot and need none.
    private @Nullable TransactionLocks locks;

    private Runnable scanStep = () -> {};

    /// Reads of replicas in place of leaders; null if leaders are read.
    private @Nullable StaleReads stale;

    private long snapshot = NO_SNAPSHOT;

    /// Whether another transaction keeps the snapshot.
    private boolean borrowed;

    /// The moment of the past that is read; null if the snapshot was the newest when it was taken.
    private @Nullable PastSnapshot past;

    private boolean ended;

    OptimisticTransaction(
            Isolation isolation, Tablets cluster, OptimisticTransactions transactions, Env env) {
        this.isolation = isolation;
        this.cluster = cluster;
        this.transactions = transactions;
        codecs = transactions.codecs();
        counters = transactions.counters();
        this.env = env;
        begunNanos = env.recentNanos();
    }

    /// Reads the moment `timestamp`, which may be long gone. A moment of the future is the newest.
    void readPast(long timestamp) {
        past = PastSnapshot.hold(cluster, timestamp);
        if (past != null) {
            snapshot = timestamp;
            borrowed = true;
        }
    }

    @Override
    public long snapshot() {
        checkOpen();
        if (snapshot == NO_SNAPSHOT) {
            snapshot = take();
        }
        return snapshot;
    }

    @Override
    public Transaction readingSnapshot() {
        var reading =
                new OptimisticTransaction(Isolation.SNAPSHOT_READ_ONLY, cluster, transactions, env);
        reading.snapshot = snapshot();
        reading.borrowed = true;
        return reading;
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        Table table = columns.table();
        MountChecks.checkReadable(table, key, cluster);
        Effects written = effectsOn(table);
        Effect own = written == null ? null : written.get(key);
        Value @Nullable [] stored = null;
        if (own == null || own.keepsStored()) {
            stored = read(map(table).find(key), key, columns.reader(codecs), readLocks(table));
        }
        return own == null || written == null ? stored : written.over(stored, key, own, columns);
    }

    private Value @Nullable [] read(
            Route leader, Bytes key, RowReader columns, @Nullable TransactionLocks held) {
        Route route = reading(leader, key);
        while (true) {
            try {
                LockOwner owner = TransactionLocks.in(route.cell(), held);
                return route.cell().get(route, key, columns, snapshot, owner);
            } catch (MovedException moved) {
                route = moved.find(key);
            }
        }
    }

    @Override
    public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
        MountChecks.checkReadable(columns.table(), key, cluster);
        Route route = map(columns.table()).find(key);
        while (true) {
            try {
                return route.cell().versions(route, key, columns.reader(codecs), snapshot, limits);
            } catch (MovedException moved) {
                route = moved.find(key);
            }
        }
    }

    /// Asks the tablet once for neighbouring keys.
    @Override
    public Value[] @Nullable [] getAll(List<Bytes> keys, ReadColumns columns) {
        Table table = columns.table();
        MountChecks.checkReadable(table, keys, cluster);
        Effects written = effectsOn(table);
        TabletMap map = map(table);
        Value[] @Nullable [] rows = new Value[keys.size()] @Nullable [];
        int from = 0;
        @Nullable Route successor = null;
        while (from < rows.length) {
            Route leader = successor == null ? map.find(keys.get(from)) : successor;
            successor = null;
            Route route = reading(leader, keys.get(from));
            int to = from + 1;
            while (to < rows.length
                    && leader.range().contains(keys.get(to))
                    && (stale == null || route.range().contains(keys.get(to)))) {
                to++;
            }
            try {
                read(route, keys.subList(from, to), columns, written, rows, from);
                from = to;
            } catch (MovedException moved) {
                successor = moved.find(keys.get(from));
            }
        }
        return rows;
    }

    /// Reads keys of one tablet; their rows are put into `rows`, beginning at `at`.
    private void read(
            Route route,
            List<Bytes> keys,
            ReadColumns columns,
            @Nullable Effects written,
            Value[] @Nullable [] rows,
            int at)
            throws MovedException {
        LockOwner owner = TransactionLocks.in(route.cell(), readLocks(columns.table()));
        List<Bytes> asked = written == null ? keys : keys.stream().filter(written::needs).toList();
        Value[] @Nullable [] stored =
                route.cell().getMany(route, asked, columns.reader(codecs), snapshot, owner);
        if (written == null) {
            System.arraycopy(stored, 0, rows, at, stored.length);
            return;
        }
        written.overAll(stored, keys, columns, rows, at);
    }

    @Override
    public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
        Table table = columns.table();
        return new MergedStream(
                new ScanRequest(range, columns, columns.reader(codecs), snapshot(table), direction),
                readLocks(table),
                parts(table, range),
                effectsOn(table),
                scanStep);
    }

    @Override
    public void onScanStep(Runnable step) {
        scanStep = step;
    }

    @Override
    public Optional<BatchStream> scanBatches(KeyRange range, ReadColumns columns) {
        Table table = columns.table();
        return effects.containsKey(table.id())
                ? Optional.empty()
                : Optional.of(
                        new LazyBatches(
                                columns.reader(codecs),
                                snapshot(table),
                                readLocks(table),
                                parts(table, range),
                                scanStep));
    }

    @Override
    public Optional<List<ScanPart>> scanParts(
            List<KeyRange> ranges, ReadColumns columns, long partBytes) {
        Table table = columns.table();
        if (effects.containsKey(table.id())) {
            return Optional.empty();
        }
        var parts =
                new TabletParts(
                        columns.reader(codecs),
                        snapshot(table),
                        readLocks(table),
                        partBytes,
                        scanStep);
        for (KeyRange range : ranges) {
            parts.add(parts(table, range));
        }
        return Optional.of(parts.parts());
    }

    @Override
    public void lock(Table table, RowLock lock) {
        checkOpen();
        Check.that(isolation == Isolation.ROW_LOCKS, "a row lock in another isolation mode");
        budget().add(lock.key(), RowWrite.ERASE, 0);
        if (rowLocks.isEmpty()) {
            rowLocks = new LinkedHashMap<>();
        }
        rowLocks.computeIfAbsent(table.id(), _ -> new RowLocks(table)).add(lock);
    }

    @Override
    public void write(Table table, Bytes key, RowWrite write) {
        checkOpen();
        if (!isolation.writes()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "a transaction in mode " + isolation + " cannot write: " + table.path());
        }
        budget().add(key, write, table.columns().size());
        if (effects.isEmpty()) {
            effects = new LinkedHashMap<>();
        }
        effects.computeIfAbsent(table.id(), _ -> new Effects(codecs.codec(table))).add(key, write);
    }

    private Effects.Budget budget() {
        Effects.Budget counted = budget;
        if (counted == null) {
            counted = new Effects.Budget(transactions.memory());
            budget = counted;
        }
        return counted;
    }

    @Override
    public long nextValue(Table table, int column) {
        checkOpen();
        return cluster.nextValue(table, column);
    }

    @Override
    public boolean hasWrites() {
        return !effects.isEmpty() || !rowLocks.isEmpty();
    }

    @Override
    public void rest() {
        if (budget != null) {
            budget.countAll();
        }
        if (locks != null) {
            locks.countAll();
        }
    }

    @Override
    public CommitOutcome commit() {
        checkNotEnded();
        try {
            if (!hasWrites()) {
                return new Committed(Math.max(snapshot, 0));
            }
            checkOpen();
            effects.values()
                    .forEach(written -> MountChecks.checkWritable(written.table(), written));
            return commitEffects();
        } finally {
            end();
        }
    }

    @Override
    public boolean commitLater(Consumer<CommitOutcome> whenEnded) {
        checkNotEnded();
        if (effects.isEmpty() || isolation != Isolation.SERIALIZABLE) {
            return false;
        }
        checkOpen();
        boolean mounted =
                effects.values().stream().allMatch(written -> written.table().isMounted());
        if (!mounted || changedTable() != null) {
            return false;
        }
        NavigableMap<Long, CellWrites> writes = writesByCell();
        CellWrites only = writes.firstEntry().getValue();
        if (writes.size() > 1 || !locks().isWithin(only.cell().id())) {
            return false;
        }
        boolean taken =
                only.cell()
                        .commitLater(
                                only.tablets(),
                                locks().owner(),
                                result -> {
                                    end();
                                    whenEnded.accept(outcome(result));
                                });
        if (taken) {
            counters.countOneCell();
        }
        return taken;
    }

    @Override
    public void rollback() {
        end();
    }

    /// If tablets move during the commit, looks up their routes again and retries.
    private CommitOutcome commitEffects() {
        Long writeSnapshot =
                isolation == Isolation.SNAPSHOT_READ_WRITE && snapshot != NO_SNAPSHOT
                        ? (Long) snapshot
                        : null;
        var retries = new RetryBudget(env);
        while (true) {
            // A table may change after this check; the tablets check again where it matters.
            String changed = changedTable();
            if (changed != null) {
                refuseIfNotMounted();
                return new Conflict(changed);
            }
            CommitResult result = commit(writesByCell(), writeSnapshot);
            if (result instanceof CommitResult.Outdated) {
                refuseIfNotMounted();
            }
            if (result instanceof CommitResult.Moved) {
                locks().moved();
            }
            boolean elsewhere =
                    result instanceof CommitResult.Gone || result instanceof CommitResult.Moved;
            if (!elsewhere || !retries.again()) {
                return outcome(result);
            }
        }
    }

    private CommitOutcome outcome(CommitResult result) {
        return switch (result) {
            case CommitResult.Done(long timestamp) -> new Committed(timestamp);
            case CommitResult.Broken(long tableId, RowConflict row) ->
                    new Conflict(path(tableId), row);
            case CommitResult.Outdated(long tableId) -> new Conflict(writtenPath(tableId));
            case CommitResult.Lost(String why) -> new Unknown(why);
            case CommitResult.Gone _, CommitResult.Moved _ -> {
                counters.countAbortedByMove();
                yield new Conflict(firstPath());
            }
        };
    }

    /// The path of a table that changed since it was written, or null.
    private @Nullable String changedTable() {
        for (Effects written : effects.values()) {
            String path = written.table().path();
            if (!cluster.find(path).map(written.codec()::isFor).orElse(false)) {
                return path;
            }
        }
        for (RowLocks locked : rowLocks.values()) {
            if (!cluster.find(locked.table().path()).map(locked::areFor).orElse(false)) {
                return locked.table().path();
            }
        }
        return null;
    }

    /// Throws if a written key is no longer writable, which is a better answer than a conflict.
    /// Nothing was committed.
    private void refuseIfNotMounted() {
        for (Effects written : effects.values()) {
            Table used = written.table();
            cluster.find(used.path())
                    .filter(there -> there.id() == used.id())
                    .ifPresent(there -> MountChecks.checkWritable(there, written));
        }
    }

    private CommitResult commit(
            NavigableMap<Long, CellWrites> writes, @Nullable Long writeSnapshot) {
        CellWrites first = writes.firstEntry().getValue();
        TransactionLocks read = locks();
        if (writes.size() == 1 && read.isWithin(first.cell().id())) {
            counters.countOneCell();
            return first.cell().commit(first.tablets(), read.owner(), writeSnapshot);
        }
        counters.countSeveralCells();
        var parts = new TreeMap<Long, List<TabletWrites>>();
        writes.forEach((cellId, part) -> parts.put(cellId, part.tablets()));
        return new TwoPhaseCommit(
                        cluster.timeline(), first.cell().links(), parts, read, writeSnapshot, env)
                .run();
    }

    private NavigableMap<Long, CellWrites> writesByCell() {
        Long locksAt = isolation == Isolation.ROW_LOCKS ? (Long) snapshot : null;
        return CellWrites.byCell(cluster, effects.values(), rowLocks.values(), locksAt);
    }

    /// The tablet that serves the read of a key that was found on this route.
    private Route reading(Route leader, Bytes key) {
        return stale == null ? leader : stale.find(leader, key);
    }

    private List<Part> parts(Table table, KeyRange range) {
        MountChecks.checkReadable(table, range, cluster);
        List<Part> leaders = map(table).find(range);
        return stale == null ? leaders : stale.find(leaders);
    }

    @Override
    public OptionalLong staleMicros() {
        return stale == null ? OptionalLong.empty() : OptionalLong.of(stale.micros(env));
    }

    /// The path of a table that this transaction has used.
    private String path(long tableId) {
        Table table = codecs.table(tableId);
        return table == null ? firstPath() : table.path();
    }

    private String writtenPath(long tableId) {
        Effects written = effects.get(tableId);
        return written == null ? path(tableId) : written.table().path();
    }

    private String firstPath() {
        return effects.isEmpty()
                ? rowLocks.values().iterator().next().table().path()
                : effects.values().iterator().next().table().path();
    }

    /// A UNIQUE index is read to check that no row has the value yet. Transactions that write must
    /// therefore lock what they read in an index table, in every isolation mode.
    private @Nullable TransactionLocks readLocks(Table table) {
        boolean locked =
                isolation == Isolation.SERIALIZABLE || (isolation.writes() && table.isIndexTable());
        return locked ? locks() : null;
    }

    private @Nullable Effects effectsOn(Table table) {
        return effects.isEmpty() ? null : effects.get(table.id());
    }

    private TransactionLocks locks() {
        TransactionLocks made = locks;
        if (made == null) {
            made = new TransactionLocks(transactions.memory());
            locks = made;
        }
        return made;
    }

    /// The tablets of the table. Throws ABORTED if the snapshot is older than the moment at which
    /// an index was built or the table was filled, because it does not see all rows.
    private TabletMap map(Table table) {
        // The snapshot comes first: a map older than the snapshot might lack the time from which
        // the table is complete.
        long at = snapshot(table);
        if (past != null) {
            past.check(table);
        }
        TabletMap map = cluster.map(table);
        OptimisticTransactions.checkWhole(map, table, at);
        return map;
    }

    private long snapshot(Table table) {
        if (snapshot == NO_SNAPSHOT) {
            checkNotEnded();
            if (isolation == Isolation.STALE_READ_ONLY) {
                stale = StaleReads.begin(cluster, table);
            }
            snapshot = stale == null ? take() : stale.timestamp();
        } else {
            checkOpen();
        }
        return snapshot;
    }

    private long take() {
        return isolation == Isolation.STALE_READ_ONLY
                ? cluster.timeline().take()
                : cluster.timeline().takeNewest();
    }

    private void checkNotEnded() {
        if (ended) {
            throw new StatusException(Status.NOT_FOUND, "the transaction has ended");
        }
    }

    private void checkOpen() {
        checkNotEnded();
        if (env.nanoTime() - begunNanos >= MAX_LIFETIME.toNanos()) {
            end();
            throw new StatusException(
                    Status.ABORTED,
                    "A transaction may be open for at most %d minutes; retry the transaction"
                            .formatted(MAX_LIFETIME.toMinutes()));
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            if (locks != null) {
                locks.release();
            }
            if (budget != null) {
                budget.release();
            }
            if (past != null) {
                past.release();
            }
            if (stale != null) {
                stale.end();
            } else if (snapshot != NO_SNAPSHOT && !borrowed) {
                cluster.timeline().release(snapshot);
            }
        }
    }
}
