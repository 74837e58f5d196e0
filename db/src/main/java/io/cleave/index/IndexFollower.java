package io.cleave.index;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.catalog.IndexPositions;
import io.cleave.cluster.ClusterIndexes;
import io.cleave.cluster.LocalCluster;
import io.cleave.schema.Index;
import io.cleave.tablet.ChangeQueue;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.RowHistory;
import io.cleave.txn.Transactions.KeyedWrite;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Brings what is written to a table into one of its ASYNC indexes: see `docs/indexes.md`.
///
/// Invariant: the index has every row as it was at `applied`. What is written to it is durable
/// before that moves on, and it moves on before the moment is stored from which a start begins.
///
/// Threads: one runs it; any may look at it or stop it.
final class IndexFollower {
    private static final System.Logger LOGGER = System.getLogger(IndexFollower.class.getName());

    /// So many rows are looked at before their entries are written.
    private static final int BATCH_ROWS = 1000;

    /// What comes in this time after a change goes with it.
    private static final Duration GATHER = Duration.ofMillis(5);

    /// How long it waits to be woken; then it lets go of moments that nobody needs.
    private static final Duration IDLE = Duration.ofSeconds(1);

    /// What a start has to do again is at most of this time.
    private static final Duration STORE_EVERY = Duration.ofSeconds(1);

    private static final Duration AFTER_BUG = Duration.ofSeconds(5);

    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

    private final LocalCluster cluster;
    private final ClusterIndexes indexes;
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

    // The running thread's own.
    private long applied;

    /// The last moment at which something was written that the index has.
    private long lastChange;

    private long storedNanos;

    IndexFollower(
            LocalCluster cluster,
            OptimisticTransactions transactions,
            ClusterIndexes.Found found,
            IndexPositions.Position position,
            long queueBytes,
            Env env) {
        this.cluster = cluster;
        this.indexes = cluster.indexes();
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

    /// It has yet to find out what there is to do. What was before it began says nothing: a table
    /// that nobody writes has a position of long ago.
    private void beginBehind() {
        lag.behindSince(Math.max(applied, begunMicros));
    }

    long indexTableId() {
        return indexTableId;
    }

    /// It goes no further; what was stored is where the next one begins.
    void stop() {
        stopped = true;
        queue.close();
    }

    /// Returns when it has ended.
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

    /// What cannot be read today may be tomorrow; until then the index is behind, and says so.
    private void followSafely() throws InterruptedException {
        try {
            follow();
        } catch (RuntimeException | Error e) {
            if (!stopped) {
                LOGGER.log(System.Logger.Level.ERROR, name + " does not follow", e);
                queue.holdWriters(false);
                env.sleep(AFTER_BUG);
            }
        }
    }

    private void follow() throws InterruptedException {
        // Writers are not held up while it goes over what it has missed for the first time: that
        // may be the whole table. What comes meanwhile is missed again, if it is too much.
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

    /// Does it until it is done, or the index is gone. Whatever it is may be done twice.
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

    /// Finds what was written since by the versions of the rows. The index may have some of it
    /// already: a start begins at a moment that was stored before.
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
        Optional<ClusterIndexes.Found> found = indexes.find(indexTableId);
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

    /// Waits for something to do and does it.
    private void step() throws InterruptedException {
        OptionalLong first = queue.first();
        if (first.isEmpty()) {
            rest();
            return;
        }
        lag.behindSince(first.getAsLong());
        env.sleep(GATHER);
        // All that was put in up to what is visible now is here.
        long visible = cluster.timeline().visible();
        if (visible < first.getAsLong()) {
            cluster.timeline().await(first.getAsLong());
            visible = cluster.timeline().visible();
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
        Optional<ClusterIndexes.Found> found = indexes.find(indexTableId);
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

    private void write(ClusterIndexes.Found found, List<KeyedWrite> writes) {
        if (!writes.isEmpty()) {
            transactions.bulkWrite(found.indexTable(), writes);
        }
    }

    /// Nothing is there to do.
    private void rest() throws InterruptedException {
        lag.none();
        if (env.nanoTime() - storedNanos >= STORE_EVERY.toNanos()) {
            store();
        }
        long visible = cluster.timeline().visible();
        // In this order: what is visible was put in before.
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

    /// As it is shown.
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
