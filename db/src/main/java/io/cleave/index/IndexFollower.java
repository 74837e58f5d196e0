package io.cleave.index;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.catalog.IndexPositions;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Index;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tree.Indexes;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.RowHistory;
import io.cleave.txn.Transactions.KeyedWrite;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Applies the writes of a table to one of its ASYNC indexes: see `docs/indexes.md`.
///
/// Invariant: the index has every row as of `applied`. Index writes are durable before `applied`
/// advances, and `applied` advances before it is stored as the position from which a start
/// continues.
///
/// Threads: one runs it; any may look at it or stop it.
final class IndexFollower {
    private static final System.Logger LOGGER = System.getLogger(IndexFollower.class.getName());

    /// The number of rows that are read before their entries are written.
    private static final int BATCH_ROWS = 1000;

    /// Changes that arrive in this time after a change are applied together with it.
    private static final Duration GATHER = Duration.ofMillis(5);

    /// How long the thread sleeps when idle. Then it releases versions that nobody needs.
    private static final Duration IDLE = Duration.ofSeconds(1);

    /// How often the position is stored. A start repeats at most this much work.
    private static final Duration STORE_EVERY = Duration.ofSeconds(1);

    private static final Duration AFTER_BUG = Duration.ofSeconds(5);

    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

    private final Tablets tablets;
    private final Indexes indexes;
    private final OptimisticTransactions transactions;
    private final RowHistory history;
    private final Env env;
    private final long tableId;
    private final long indexTableId;
    private final String name;
    private final IndexPositions.Position position;
    private final ChangeQueue queue;
    private final FollowerLag lag;
    private final long begunMicros;
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    private volatile boolean stopped;

    // Used only by the running thread.
    private long applied;

    /// The timestamp of the last change that was applied to the index.
    private long lastChange;

    private long storedNanos;

    IndexFollower(
            Tablets tablets,
            Indexes indexes,
            OptimisticTransactions transactions,
            Indexes.TableIndex found,
            IndexPositions.Position position,
            long queueBytes,
            Env env) {
        this.tablets = tablets;
        this.indexes = indexes;
        this.transactions = transactions;
        this.history = transactions.history();
        this.position = position;
        this.env = env;
        tableId = found.table().id();
        indexTableId = found.indexTable().id();
        name = "index '%s' of '%s'".formatted(found.index().name(), found.table().path());
        queue = new ChangeQueue(name, queueBytes);
        lag = new FollowerLag(env);
        applied = position.stored();
        begunMicros = env.wallMicros();
        lastChange = applied;
        beginBehind();
    }

    /// The follower does not know yet how far it is behind. Its age counts at most from its start,
    /// because the position of a table without writes may be very old.
    private void beginBehind() {
        lag.behindSince(Math.max(applied, begunMicros));
    }

    long indexTableId() {
        return indexTableId;
    }

    /// Stops the follower. The next one continues from the stored position.
    void stop() {
        stopped = true;
        queue.close();
    }

    /// Returns when the follower has ended.
    void awaitEnd() {
        var _ = over.join();
    }

    void run() {
        try {
            while (!stopped) {
                followSafely();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopped = true;
            indexes.unfollow(tableId, queue);
            queue.close();
            over.complete(true);
        }
    }

    /// A failure may be temporary. Until it is over, the index is behind, and reports so.
    private void followSafely() throws InterruptedException {
        try {
            follow();
        } catch (RuntimeException | Error e) {
            if (!stopped) {
                LOGGER.log(
                        System.Logger.Level.ERROR,
                        name + " could not follow its table; it tries again",
                        e);
                queue.holdWriters(false);
                env.sleep(AFTER_BUG);
            }
        }
    }

    private void follow() throws InterruptedException {
        // Writers are not held up during the first catch-up, which may cover the whole table. If
        // too many changes arrive meanwhile, the queue is lost and the follower catches up again.
        catchUp();
        queue.holdWriters(true);
        storedNanos = env.nanoTime();
        while (!stopped) {
            if (queue.isLost()) {
                catchUp();
            }
            attempt(this::step);
        }
        attempt(this::store);
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    /// Repeats the work until it succeeds, or the index is gone. The work must be idempotent.
    private void attempt(Work work) throws InterruptedException {
        boolean done = false;
        while (!done) {
            try {
                work.run();
                done = true;
            } catch (StatusException e) {
                if (stopped || indexes.find(indexTableId).isEmpty()) {
                    stopped = true;
                    return;
                }
                LOGGER.log(System.Logger.Level.DEBUG, () -> name + " waits: " + e.getMessage());
                env.sleep(AFTER_FAILURE);
            }
        }
    }

    /// Finds the changes since `applied` in the row versions. The index may already have some of
    /// them, because a start continues from an older stored position.
    private void catchUp() throws InterruptedException {
        beginBehind();
        attempt(
                () -> {
                    queue.begin();
                    indexes.unfollow(tableId, queue);
                    long through = indexes.follow(tableId, queue);
                    catchUp(through);
                });
        lag.none();
    }

    private void catchUp(long through) {
        Optional<Indexes.TableIndex> found = indexes.find(indexTableId);
        if (found.isEmpty() || found.get().table().id() != tableId) {
            stopped = true;
            return;
        }
        var entries = new EntryChanges(found.get(), history);
        history.changes(
                found.get().table(),
                applied,
                through,
                (key, moments) -> {
                    entries.add(key, applied, moments);
                    lastChange = Math.max(lastChange, moments.getLast());
                    if (entries.isEnough()) {
                        write(found.get(), entries.take());
                    }
                    return !stopped;
                });
        write(found.get(), entries.take());
        if (!stopped) {
            applied = through;
        }
    }

    /// Waits for changes and applies them.
    private void step() throws InterruptedException {
        OptionalLong first = queue.first();
        if (first.isEmpty()) {
            rest();
            return;
        }
        lag.behindSince(first.getAsLong());
        env.sleep(GATHER);
        // The queue has every change up to the visible timestamp.
        long visible = tablets.timeline().visible();
        if (visible < first.getAsLong()) {
            tablets.timeline().await(first.getAsLong());
            visible = tablets.timeline().visible();
        }
        ChangeQueue.Taken taken = queue.take(visible, BATCH_ROWS);
        attempt(() -> apply(taken));
        if (queue.first().isEmpty()) {
            lag.none();
        }
        if (env.nanoTime() - storedNanos >= STORE_EVERY.toNanos()) {
            store();
        }
    }

    private void apply(ChangeQueue.Taken taken) {
        if (taken.keys().isEmpty() || taken.through() <= applied) {
            applied = Math.max(applied, taken.through());
            return;
        }
        Optional<Indexes.TableIndex> found = indexes.find(indexTableId);
        if (found.isEmpty() || found.get().table().id() != tableId) {
            stopped = true;
            return;
        }
        var entries = new EntryChanges(found.get(), history);
        for (Bytes key : taken.keys()) {
            entries.add(key, applied, taken.through());
            if (entries.isEnough()) {
                write(found.get(), entries.take());
            }
        }
        write(found.get(), entries.take());
        applied = taken.through();
        lastChange = applied;
        lag.caughtUp(taken.first(), taken.keys().size());
    }

    private void write(Indexes.TableIndex found, List<KeyedWrite> writes) {
        if (!writes.isEmpty()) {
            transactions.bulkWrite(found.indexTable(), writes);
        }
    }

    /// Called when there is nothing to apply.
    private void rest() throws InterruptedException {
        lag.none();
        if (env.nanoTime() - storedNanos >= STORE_EVERY.toNanos()) {
            store();
        }
        long visible = tablets.timeline().visible();
        // The order matters: a visible change is in the queue before it becomes visible.
        if (queue.isDone() && position.stored() >= lastChange) {
            applied = Math.max(applied, visible);
            position.pass(visible);
        }
        queue.await(env, IDLE);
    }

    private void store() {
        storedNanos = env.nanoTime();
        if (lastChange > position.stored()) {
            position.store(applied);
        }
    }

    /// The state for display; empty if the index is gone.
    Optional<IndexFollowers.Info> info() {
        return indexes.find(indexTableId).map(found -> info(found.table().path(), found.index()));
    }

    private IndexFollowers.Info info(String tablePath, Index index) {
        return new IndexFollowers.Info(
                indexTableId,
                tablePath,
                index.name(),
                queue.rows(),
                lag.micros(),
                lag.highMicros(),
                lag.changes());
    }
}
