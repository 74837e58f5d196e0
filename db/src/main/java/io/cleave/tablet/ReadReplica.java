package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.log.LogCursor;
import io.cleave.log.TrimmedException;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ReplicaInfo;
import io.cleave.tablet.Route.Part;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// A read replica of a cell: reads the cell's log as it grows and applies it to its own tablets,
/// over the files that it shares with the leader. It writes nothing and takes no lock of the
/// leader. See `docs/replicas.md`.
///
/// Threads: its own thread runs it; any thread may read its tablets.
public final class ReadReplica implements BlobReferences.Behind {
    private static final System.Logger LOGGER = System.getLogger(ReadReplica.class.getName());

    /// While the replica catches up, readers see new records at least after each batch of this
    /// size.
    private static final int BATCH_RECORDS = 256;

    /// Records that become durable in this time are applied together with the one that woke the
    /// replica.
    private static final Duration GATHER = Duration.ofMillis(1);

    /// How long the thread sleeps before it checks whether it should stop.
    private static final Duration IDLE = Duration.ofMillis(50);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    /// The most marks that may be waiting; further ones are dropped.
    private static final int MAX_MARKS = 1024;

    private final ReplicaSource source;
    private final String zone;
    private final int number;
    private final Env env;
    private final LagHistory lag = new LagHistory();
    private final LongAdder reads = new LongAdder();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    /// A timestamp, the time on the monotonic clock at which it was the newest visible one, and the
    /// position one past the last record that the log had then.
    private record Mark(long timestamp, long steadyMicros, long appended) {}

    /// A timestamp that the replica has reached: everything that was visible at this time of the
    /// monotonic clock is in its tablets.
    record Reached(long timestamp, long steadyMicros) {}

    private final ReentrantLock lock = new ReentrantLock();

    /// Marks that are not reached yet, the oldest first.
    @GuardedBy("lock")
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    /// Written under the lock.
    private volatile @Nullable Reached reached;

    private volatile Tables tables;

    /// Set after `tables` was set, and cleared before `tables` is read.
    private volatile boolean tablesChanged;

    /// The tables that are read here, and those that are not. A table in neither set was just
    /// created; it will soon be in one of them.
    public record Tables(Set<Long> wanted, Set<Long> unwanted) {
        public Tables {
            wanted = Set.copyOf(wanted);
            unwanted = Set.copyOf(unwanted);
        }
    }

    private volatile ReplicaTablets tablets = ReplicaTablets.NONE;

    /// The source of the tablets. Used only by the replica's thread.
    private @Nullable ReplicaState state;

    /// One past the last record that is applied to the tablets.
    private volatile long applied;

    private volatile boolean opened;
    private volatile boolean stopped;
    private volatile long appliedRecords;
    private volatile long restarts;
    private volatile long memtableBytes;

    private ReadReplica(
            ReplicaSource source, String zone, int number, Set<Long> tableIds, Env env) {
        this.source = source;
        this.zone = zone;
        this.number = number;
        tables = new Tables(tableIds, Set.of());
        this.env = env;
    }

    /// Starts a replica of the tablets that these tables have in the cell.
    ///
    /// @param zone the availability zone of this process
    /// @param number distinguishes the replicas of a cell; the leader would be 0
    public static ReadReplica begin(
            Cell cell, String zone, int number, Set<Long> tableIds, Env env) {
        var replica = new ReadReplica(cell.replicaSource(), zone, number, tableIds, env);
        replica.source.references().follow(replica);
        env.spawnBackground("replica-%d-%d".formatted(cell.id(), number), replica::run);
        return replica;
    }

    public long cellId() {
        return source.cellId();
    }

    public int number() {
        return number;
    }

    public void setTables(Tables others) {
        if (!others.equals(tables)) {
            tables = others;
            tablesChanged = true;
        }
    }

    /// Stops the replica. Open cursors on its tablets stay valid. Returns at once.
    public void stop() {
        stopped = true;
    }

    public boolean isOver() {
        return over.isDone();
    }

    /// Returns when the replica has ended.
    public void awaitEnd() {
        var _ = over.join();
    }

    /// The tablet that has the key here in place of the leader's tablet, or null. The caller must
    /// first take a timestamp that this replica has reached, and then find the key in the leader's
    /// tablet.
    public @Nullable Route find(Route leader, Bytes key) {
        Tablet tablet = tablets.find(leader.tablet(), key);
        return tablet == null ? null : new Route(leader.cell(), tablet);
    }

    /// The parts of tablets that cover a part of the leader's tablet, in key order; empty if they
    /// do not.
    public List<Part> find(Part leader) {
        Route route = leader.route();
        return tablets.find(route.tablet(), leader.range()).stream()
                .map(tablet -> part(route.cell(), tablet, leader.range()))
                .toList();
    }

    private static Part part(CellService cell, Tablet tablet, KeyRange range) {
        return new Part(new Route(cell, tablet), range.intersection(tablet.range()));
    }

    /// The tablets that the replica has now, in no particular order. `leader` is the cell that the
    /// replica copies.
    public List<Route> tablets(CellService leader) {
        return tablets.all().stream().map(tablet -> new Route(leader, tablet)).toList();
    }

    /// Whether a snapshot at this timestamp sees here everything that it would see in the leader.
    public boolean hasReached(long timestamp) {
        Reached newest = reached;
        return newest != null && newest.timestamp >= timestamp;
    }

    /// Counts a read that was answered here.
    public void countRead() {
        reads.increment();
    }

    public ReplicaInfo info() {
        LagHistory.Quantiles quantiles = lag.quantiles();
        Reached newest = reached;
        return new ReplicaInfo(
                zone,
                source.cellId(),
                number,
                newest == null ? 0 : newest.timestamp,
                newest == null ? 0 : Math.max(0, env.nanoTime() / 1000 - newest.steadyMicros),
                quantiles.halfMicros(),
                quantiles.highMicros(),
                appliedRecords,
                Math.max(0, source.log().nextPosition() - applied),
                reads.sum(),
                restarts,
                memtableBytes,
                tablets.all().size());
    }

    /// At this time of the monotonic clock, the timestamp is the newest that can be read in any
    /// cell. The replica reaches it with the last record that the log has now, durable or not,
    /// because everything that is visible was appended.
    void mark(long timestamp, long steadyMicros) {
        long appended = source.appended().getAsLong();
        lock.lock();
        try {
            if (marks.size() < MAX_MARKS) {
                marks.add(new Mark(timestamp, steadyMicros, appended));
            }
        } finally {
            lock.unlock();
        }
        reach();
    }

    /// Passes the marks that the replica has reached.
    private void reach() {
        if (!opened) {
            return;
        }
        lock.lock();
        try {
            Mark passed = null;
            while (!marks.isEmpty() && marks.getFirst().appended <= applied) {
                passed = marks.removeFirst();
                lag.add(env.nanoTime() / 1000 - passed.steadyMicros);
            }
            if (passed != null) {
                reached = new Reached(passed.timestamp, passed.steadyMicros);
            }
        } finally {
            lock.unlock();
        }
    }

    @Nullable Reached reached() {
        return reached;
    }

    /// Whether a mark from before `steadyMicros` is not reached yet.
    boolean isBehind(long steadyMicros) {
        lock.lock();
        try {
            return !marks.isEmpty() && marks.getFirst().steadyMicros < steadyMicros;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long appended() {
        return source.appended().getAsLong();
    }

    @Override
    public long applied() {
        return applied;
    }

    /// The body of the replica's thread.
    private void run() {
        try {
            while (!stopped) {
                follow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopped = true;
            try {
                letGo();
            } finally {
                over.complete(true);
            }
        }
    }

    /// Releases all files: those of its tablets, and those named by records that it has not
    /// reached.
    private void letGo() {
        ReplicaState had = state;
        state = null;
        try {
            if (had != null) {
                had.close();
            }
        } finally {
            source.references().unfollow(this);
        }
    }

    /// Follows the log until the replica must start again from a newer state. The previous state
    /// serves reads until the new one is ready.
    private void follow() throws InterruptedException {
        try {
            tablesChanged = false;
            Set<Long> wanted = tables.wanted;
            var fresh = new ReplicaState(source, wanted::contains, env);
            ReplicaState had = state;
            state = fresh;
            publish(fresh);
            memtableBytes = fresh.memtableBytes();
            applied = fresh.applied();
            opened = true;
            if (had != null) {
                had.close();
                countRestart();
            }
            source.references().deleteRetained();
            tail(fresh);
        } catch (TrimmedException e) {
            // The leader has trimmed the log past this replica. The log now begins with a newer
            // state.
            LOGGER.log(System.Logger.Level.DEBUG, () -> name() + " starts again: " + e);
        } catch (RuntimeException | Error e) {
            if (!stopped) {
                LOGGER.log(
                        System.Logger.Level.ERROR,
                        name() + " could not follow the log; it tries again",
                        e);
                pauseAfterFailure();
            }
        }
    }

    /// The failure may repeat. Meanwhile the replica answers no reads, and no files are kept for
    /// it. The next attempt reads the log from its beginning, and opens only files that are still
    /// named at its end.
    private void pauseAfterFailure() throws InterruptedException {
        opened = false;
        tablets = ReplicaTablets.NONE;
        memtableBytes = 0;
        letGo();
        env.sleep(AFTER_FAILURE);
        source.references().follow(this);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread
    private void countRestart() {
        restarts++;
    }

    private String name() {
        return "replica %d of cell %d".formatted(number, source.cellId());
    }

    private void tail(ReplicaState state) throws InterruptedException {
        reach();
        try (LogCursor cursor = source.log().read(state.applied())) {
            while (!stopped && isRight(state)) {
                if (!applyBatch(state, cursor)
                        && source.log().awaitDurable(state.applied(), IDLE)) {
                    env.sleep(GATHER);
                }
            }
        }
    }

    /// Returns false if there was nothing to apply.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread
    private boolean applyBatch(ReplicaState state, LogCursor cursor) {
        int count = 0;
        boolean tabletsChanged = false;
        while (count < BATCH_RECORDS && cursor.next()) {
            tabletsChanged |= state.apply(cursor.position(), cursor.record());
            count++;
        }
        if (count == 0) {
            return false;
        }
        if (tabletsChanged) {
            publish(state);
        }
        appliedRecords += count;
        memtableBytes = state.memtableBytes();
        applied = state.applied();
        reach();
        source.references().deleteRetained();
        return true;
    }

    private void publish(ReplicaState state) {
        tablets = state.tablets();
    }

    /// Whether the state has all wanted tables. Drops the unwanted ones. If a wanted table was left
    /// out, the log must be read again.
    private boolean isRight(ReplicaState state) {
        if (!tablesChanged) {
            return true;
        }
        tablesChanged = false;
        Tables now = tables;
        if (now.wanted.stream().anyMatch(state::hasLeftOut)) {
            return false;
        }
        if (!now.unwanted.isEmpty()) {
            state.leaveOut(now.unwanted);
            publish(state);
        }
        return true;
    }
}
