package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.TrimmedException;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// A follower of a cell: reads its log as it grows and applies it to tablets of its own, over the
/// files that it shares with the leader. It writes nothing, and takes no lock of the leader; see
/// `docs/replicas.md`.
///
/// Threads: one of its own runs it; any may read its tablets.
public final class ReadReplica implements BlobReferences.Behind {
    private static final System.Logger LOGGER = System.getLogger(ReadReplica.class.getName());

    /// Readers learn of new records at least this often while it catches up.
    private static final int BATCH_RECORDS = 256;

    /// What becomes durable in this time goes with the record that woke it.
    private static final Duration GATHER = Duration.ofMillis(1);

    /// How long it waits to be woken before it looks whether it is to stop.
    private static final Duration IDLE = Duration.ofMillis(50);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    /// As many moments may be on their way to it; further ones are not noted.
    private static final int MAX_MARKS = 1024;

    private final Source source;
    private final int number;
    private final Env env;
    private final LagHistory lag = new LagHistory();
    private final LongAdder reads = new LongAdder();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    /// What of the leader a replica may touch.
    ///
    /// @param appended one past the newest record of the log, durable or not
    record Source(long cellId, Log log, LongSupplier appended, BlobReferences references) {}

    /// A moment of the timeline, when it was the newest by a clock that does not jump, and one past
    /// the last record that the log had then.
    private record Mark(long timestamp, long steadyMicros, long appended) {}

    /// A moment that the replica has reached: all that was visible at this time of that clock is in
    /// its tablets.
    record Reached(long timestamp, long steadyMicros) {}

    private final ReentrantLock lock = new ReentrantLock();

    /// Moments that it has not reached, the oldest first.
    @GuardedBy("lock")
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    /// Set under the lock.
    private volatile @Nullable Reached reached;

    private volatile Tables tables;

    /// Set by whoever sets others, and cleared before they are looked at.
    private volatile boolean tablesChanged;

    /// The tables that are read here, and those that nobody reads. One that is neither has only
    /// just been created, and which of them it is will be known soon.
    public record Tables(Set<Long> wanted, Set<Long> unwanted) {
        public Tables {
            wanted = Set.copyOf(wanted);
            unwanted = Set.copyOf(unwanted);
        }
    }

    private volatile ReplicaTablets tablets = ReplicaTablets.NONE;

    /// What the tablets are of. Touched by its thread only.
    private @Nullable ReplicaState state;

    /// One past the last record that is in the tablets.
    private volatile long applied;

    private volatile boolean opened;
    private volatile boolean stopped;
    private volatile long appliedRecords;
    private volatile long restarts;
    private volatile long memtableBytes;

    private ReadReplica(Source source, int number, Set<Long> tableIds, Env env) {
        this.source = source;
        this.number = number;
        tables = new Tables(tableIds, Set.of());
        this.env = env;
    }

    /// A replica of these tables' tablets in the cell, begun.
    ///
    /// @param number tells it from the others of the cell; the leader would be 0
    public static ReadReplica begin(Cell cell, int number, Set<Long> tableIds, Env env) {
        var replica = new ReadReplica(cell.replicaSource(), number, tableIds, env);
        replica.source.references.follow(replica);
        env.spawnBackground("replica-%d-%d".formatted(cell.id(), number), replica::run);
        return replica;
    }

    public long cellId() {
        return source.cellId;
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

    /// Ends it; cursors that are open on its tablets go on. Returns at once.
    public void stop() {
        stopped = true;
    }

    public boolean isOver() {
        return over.isDone();
    }

    /// Returns when it has ended.
    public void awaitEnd() {
        var _ = over.join();
    }

    /// The tablet that answers for the key in the place of the leader's, or null. The caller has
    /// taken a moment that this replica has reached, and then seen the key in the leader's.
    public @Nullable Tablet find(Tablet leader, Bytes key) {
        return tablets.find(leader, key);
    }

    /// The same for a range that lies in the leader's: in key order, or none.
    public List<Tablet> find(Tablet leader, KeyRange range) {
        return tablets.find(leader, range);
    }

    /// Those it has now, in no order.
    public List<Tablet> tablets() {
        return tablets.all();
    }

    /// Whether a snapshot of this moment sees all here that it would see in the leader.
    public boolean hasReached(long timestamp) {
        Reached newest = reached;
        return newest != null && newest.timestamp >= timestamp;
    }

    /// A read was answered here.
    public void countRead() {
        reads.increment();
    }

    /// How it does.
    ///
    /// @param reachedMicros the newest moment that it has all of; 0 while it has none
    /// @param behindMicros how long ago by a clock that does not jump that was the newest there was
    public record Info(
            long cellId,
            int number,
            long reachedMicros,
            long behindMicros,
            long halfLagMicros,
            long highLagMicros,
            long appliedRecords,
            long waitingRecords,
            long reads,
            long restarts,
            long memtableBytes,
            int tablets) {}

    public Info info() {
        LagHistory.Quantiles quantiles = lag.quantiles();
        Reached newest = reached;
        return new Info(
                source.cellId,
                number,
                newest == null ? 0 : newest.timestamp,
                newest == null ? 0 : Math.max(0, env.nanoTime() / 1000 - newest.steadyMicros),
                quantiles.halfMicros(),
                quantiles.highMicros(),
                appliedRecords,
                Math.max(0, source.log.nextPosition() - applied),
                reads.sum(),
                restarts,
                memtableBytes,
                tablets.all().size());
    }

    // ---- moments

    /// At this time of that clock the moment is the newest that can be read, whatever the cell. It
    /// is reached with the last record that the log has by now, durable or not: what is visible was
    /// appended.
    void mark(long timestamp, long steadyMicros) {
        long appended = source.appended.getAsLong();
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

    /// Passes the moments that it has come to.
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

    /// Whether a moment of before `steadyMicros` waits to be reached.
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
        return source.appended.getAsLong();
    }

    @Override
    public long applied() {
        return applied;
    }

    // ---- its thread

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

    /// Needs no files any more: those of its tablets, and those that records name which it has not
    /// come to.
    private void letGo() {
        ReplicaState had = state;
        state = null;
        try {
            if (had != null) {
                had.close();
            }
        } finally {
            source.references.unfollow(this);
        }
    }

    /// Follows the log until it has to begin anew. The state it has had serves until the next is
    /// there.
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
            source.references.deleteRetained();
            tail(fresh);
        } catch (TrimmedException e) {
            // The leader has gone on without it, and the log begins with a newer image.
            LOGGER.log(System.Logger.Level.DEBUG, () -> name() + " begins anew: " + e);
        } catch (RuntimeException | Error e) {
            if (!stopped) {
                LOGGER.log(System.Logger.Level.ERROR, name() + " does not follow", e);
                pauseAfterFailure();
            }
        }
    }

    /// It may fail again and again: meanwhile it answers nobody, and no file is kept for it. The
    /// next try reads the log from its beginning, and opens only files that are named to its end.
    private void pauseAfterFailure() throws InterruptedException {
        opened = false;
        tablets = ReplicaTablets.NONE;
        memtableBytes = 0;
        letGo();
        env.sleep(AFTER_FAILURE);
        source.references.follow(this);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread
    private void countRestart() {
        restarts++;
    }

    private String name() {
        return "replica %d of cell %d".formatted(number, source.cellId);
    }

    private void tail(ReplicaState state) throws InterruptedException {
        reach();
        try (LogCursor cursor = source.log.read(state.applied())) {
            while (!stopped && isRight(state)) {
                if (!applyBatch(state, cursor) && source.log.awaitDurable(state.applied(), IDLE)) {
                    env.sleep(GATHER);
                }
            }
        }
    }

    /// False when there was nothing to apply.
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
        source.references.deleteRetained();
        return true;
    }

    private void publish(ReplicaState state) {
        tablets = state.tablets();
    }

    /// Whether it has the tables that are wanted. Those that are not are given up; for one that was
    /// left out the log has to be read again.
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
