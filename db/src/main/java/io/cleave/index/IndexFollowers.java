package io.cleave.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.catalog.IndexPositions;
import io.cleave.cluster.ClusterIndexes;
import io.cleave.cluster.LocalCluster;
import io.cleave.schema.Index;
import io.cleave.txn.OptimisticTransactions;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Those who bring what is written to tables into their ASYNC indexes: one for each index, on a
/// thread of its own. They come and go with the indexes.
///
/// Threads: any.
public final class IndexFollowers implements AutoCloseable {
    private final LocalCluster cluster;
    private final OptimisticTransactions transactions;
    private final long queueBytes;
    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();

    /// By the id of the index's table.
    @GuardedBy("lock")
    private final Map<Long, IndexFollower> followers = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /// Writers wait when so much of what they have written has yet to be followed.
    IndexFollowers(
            LocalCluster cluster, OptimisticTransactions transactions, long queueBytes, Env env) {
        this.cluster = cluster;
        this.transactions = transactions;
        this.queueBytes = queueBytes;
        this.env = env;
        cluster.indexes().onAsyncChange(this::adapt);
    }

    /// How an ASYNC index follows its table now.
    ///
    /// @param backlogRows written and not in the index
    /// @param lagMicros how old the oldest of them is; 0 if there is none
    /// @param highLagMicros what 99 of 100 batches waited at most, lately
    /// @param followedRows since the process started
    public record Info(
            long indexTableId,
            String tablePath,
            String index,
            long backlogRows,
            long lagMicros,
            long highLagMicros,
            long followedRows) {}

    /// Begins where indexes are READY and not followed yet, and ends where they are gone. Those
    /// that are being built begin when their build says so.
    void adapt() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Set<Long> there = new HashSet<>();
            for (ClusterIndexes.Found found : cluster.indexes().all()) {
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

    /// The index has, or will get from its build, all rows as of this moment, which is kept until
    /// the call returns.
    void follow(ClusterIndexes.Found found, long timestamp) {
        lock.lock();
        try {
            if (!closed) {
                long id = found.indexTable().id();
                begin(found, positions().begin(id, timestamp));
                if (cluster.indexes().find(id).isEmpty()) {
                    // Dropped since it was found, and nobody else knows of the position.
                    Objects.requireNonNull(followers.remove(id)).stop();
                    positions().forget(id);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private IndexPositions positions() {
        return cluster.indexes().positions();
    }

    @GuardedBy("lock")
    private void begin(ClusterIndexes.Found found, IndexPositions.Position position) {
        var follower = new IndexFollower(cluster, transactions, found, position, queueBytes, env);
        followers.put(follower.indexTableId(), follower);
        env.spawnBackground("follow-" + follower.indexTableId(), follower::run);
    }

    /// In no order.
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

    /// As after a crash: nothing more is written, and nobody is waited for.
    void abandon() {
        lock.lock();
        try {
            closed = true;
            followers.values().forEach(IndexFollower::stop);
        } finally {
            lock.unlock();
        }
    }

    /// Ends all of them, and returns when they have ended. The next start goes on where they were.
    @Override
    public void close() {
        abandon();
        all().forEach(IndexFollower::awaitEnd);
    }
}
