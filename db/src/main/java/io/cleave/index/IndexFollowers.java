package io.cleave.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.catalog.IndexPositions;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Index;
import io.cleave.tree.Indexes;
import io.cleave.txn.OptimisticTransactions;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The followers that apply the writes of tables to their ASYNC indexes: one for each index, on its
/// own thread. They start and end with the indexes.
///
/// Threads: any.
public final class IndexFollowers implements AutoCloseable {
    private final Tablets tablets;
    private final Indexes indexes;
    private final OptimisticTransactions transactions;
    private final long queueBytes;
    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();

    /// By the id of the index table.
    @GuardedBy("lock")
    private final Map<Long, IndexFollower> followers = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /// Writers wait when `queueBytes` of their changes are not applied yet.
    IndexFollowers(
            Tablets tablets,
            Indexes indexes,
            OptimisticTransactions transactions,
            long queueBytes,
            Env env) {
        this.tablets = tablets;
        this.indexes = indexes;
        this.transactions = transactions;
        this.queueBytes = queueBytes;
        this.env = env;
        indexes.onAsyncChange(this::adapt);
    }

    /// The state of an ASYNC index relative to its table.
    ///
    /// @param backlogRows written but not yet in the index
    /// @param lagMicros the age of the oldest of them; 0 if there is none
    /// @param highLagMicros the recent 99th percentile of how long batches waited
    /// @param followedRows since the process started
    public record Info(
            long indexTableId,
            String tablePath,
            String index,
            long backlogRows,
            long lagMicros,
            long highLagMicros,
            long followedRows) {}

    /// Starts followers of READY indexes that have none, and stops followers of dropped indexes.
    /// For an index that is being built, the build starts the follower.
    void adapt() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Set<Long> there = new HashSet<>();
            for (Indexes.TableIndex found : indexes.all()) {
                long id = found.indexTable().id();
                if (found.index().kind() == Index.Kind.ASYNC) {
                    there.add(id);
                    if (found.index().isReady() && !followers.containsKey(id)) {
                        begin(found, positions().of(id));
                    }
                }
            }
            followers
                    .values()
                    .removeIf(
                            follower -> {
                                boolean gone = !there.contains(follower.indexTableId());
                                if (gone) {
                                    follower.stop();
                                    positions().forget(follower.indexTableId());
                                }
                                return gone;
                            });
        } finally {
            lock.unlock();
        }
    }

    /// Starts a follower. The index has all rows as of this timestamp, or will get them from its
    /// build. The caller holds the timestamp until the call returns.
    void follow(Indexes.TableIndex found, long timestamp) {
        lock.lock();
        try {
            if (!closed) {
                long id = found.indexTable().id();
                begin(found, positions().begin(id, timestamp));
                if (indexes.find(id).isEmpty()) {
                    // The index was dropped meanwhile, so nobody else would remove the position.
                    Objects.requireNonNull(followers.remove(id)).stop();
                    positions().forget(id);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private IndexPositions positions() {
        return indexes.positions();
    }

    @GuardedBy("lock")
    private void begin(Indexes.TableIndex found, IndexPositions.Position position) {
        var follower =
                new IndexFollower(tablets, indexes, transactions, found, position, queueBytes, env);
        followers.put(follower.indexTableId(), follower);
        env.spawnBackground("follow-" + follower.indexTableId(), follower::run);
    }

    /// In no particular order.
    public List<Info> list() {
        return all().stream().map(IndexFollower::info).flatMap(Optional::stream).toList();
    }

    private List<IndexFollower> all() {
        lock.lock();
        try {
            return List.copyOf(followers.values());
        } finally {
            lock.unlock();
        }
    }

    /// Stops all followers without waiting, as in a crash: nothing more is written.
    void abandon() {
        lock.lock();
        try {
            closed = true;
            followers.values().forEach(IndexFollower::stop);
        } finally {
            lock.unlock();
        }
    }

    /// Stops all followers, and returns when they have ended. The next start continues where they
    /// were.
    @Override
    public void close() {
        abandon();
        all().forEach(IndexFollower::awaitEnd);
    }
}
