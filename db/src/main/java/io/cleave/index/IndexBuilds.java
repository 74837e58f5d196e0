package io.cleave.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.ClusterIndexes;
import io.cleave.cluster.IndexBuilder;
import io.cleave.cluster.LocalCluster;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.tablet.ChangeQueue;
import io.cleave.txn.OptimisticTransactions;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// The builds of indexes: those that run, each on a thread of its own, and the last ones that are
/// over. A build goes on when nobody waits for it any more; after a crash it is done anew.
///
/// Threads: any.
public final class IndexBuilds implements IndexBuilder, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(IndexBuilds.class.getName());

    /// How many that are over are remembered.
    static final int MAX_OVER = 100;

    private final LocalCluster cluster;
    private final OptimisticTransactions transactions;
    private final Env env;
    private final IndexFollowers followers;
    private final ReentrantLock lock = new ReentrantLock();

    /// By their ids, in the order they were begun.
    @GuardedBy("lock")
    private final Map<Long, Running> builds = new LinkedHashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    public IndexBuilds(LocalCluster cluster, OptimisticTransactions transactions, Env env) {
        this.cluster = cluster;
        this.transactions = transactions;
        this.env = env;
        followers = new IndexFollowers(cluster, transactions, ChangeQueue.FULL_BYTES, env);
        cluster.setIndexBuilder(this);
    }

    /// Those who keep ASYNC indexes up.
    public IndexFollowers followers() {
        return followers;
    }

    /// A build as it is now. `failure` says why it is rejected or cancelled.
    public record Info(
            long id,
            String tablePath,
            Index index,
            BuildState state,
            float progress,
            Optional<StatusException> failure) {}

    private record Running(
            long id,
            String tablePath,
            Index index,
            IndexBuild build,
            CompletableFuture<Optional<StatusException>> over) {
        Info info() {
            return new Info(
                    id,
                    tablePath,
                    index,
                    build.state(),
                    build.progress(),
                    over.getNow(Optional.empty()));
        }
    }

    /// Begins what a crash or the end of the process has interrupted, from the beginning, and
    /// follows where it was left off.
    public void resume() {
        followers.adapt();
        ClusterIndexes indexes = cluster.indexes();
        for (ClusterIndexes.Found found : indexes.unfinished()) {
            try {
                begin(indexes.empty(found.indexTable().id()));
            } catch (StatusException e) {
                // It stays as it is, not READY, and keeps nobody from using the other tables.
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        () ->
                                "index '%s' of '%s' is not built before the next start: %s"
                                        .formatted(
                                                found.index().name(),
                                                found.table().path(),
                                                e.getMessage()));
            }
        }
    }

    @Override
    public void build(Table table, Table indexTable) {
        Optional<StatusException> failure =
                prepared(indexTable.id()).flatMap(found -> begin(found).over().join());
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /// The index, empty again when nobody is left who writes to its table without knowing it: such
    /// a write could follow one that has its entries, and these would be wrong then. Nothing if
    /// there is nothing left to be built.
    private Optional<ClusterIndexes.Found> prepared(long indexTableId) {
        ClusterIndexes indexes = cluster.indexes();
        try {
            indexes.settle();
            return Optional.of(indexes.empty(indexTableId));
        } catch (StatusException e) {
            drop(indexTableId, e);
            if (indexes.wasTruncated(indexTableId)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Running begin(ClusterIndexes.Found found) {
        long indexTableId = found.indexTable().id();
        var running =
                new Running(
                        cluster.timeline().newId(),
                        found.table().path(),
                        found.index(),
                        new IndexBuild(cluster, transactions, followers, indexTableId),
                        new CompletableFuture<>());
        lock.lock();
        try {
            if (closed) {
                running.build().stop(closing());
            }
            builds.put(running.id(), running);
            forgetOldest();
        } finally {
            lock.unlock();
        }
        env.spawnBackground("index build", () -> run(running, indexTableId));
        return running;
    }

    private void run(Running running, long indexTableId) {
        IndexBuild build = running.build();
        @Nullable StatusException failure = null;
        try {
            build.run();
            build.enter(BuildState.DONE);
        } catch (StatusException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            failure = new StatusException(Status.INTERNAL_ERROR, "the build broke off: " + e);
            throw e;
        } finally {
            running.over()
                    .complete(
                            Optional.ofNullable(failure)
                                    .filter(why -> !end(build, indexTableId, why)));
        }
    }

    /// Whether the index is complete all the same: its table was truncated.
    private boolean end(IndexBuild build, long indexTableId, StatusException failure) {
        boolean cancelled = failure.status() == Status.CANCELLED;
        build.enter(cancelled ? BuildState.CANCELLATION : BuildState.REJECTION);
        drop(indexTableId, failure);
        if (cluster.indexes().wasTruncated(indexTableId)) {
            build.enter(BuildState.DONE);
            return true;
        }
        build.enter(cancelled ? BuildState.CANCELLED : BuildState.REJECTED);
        return false;
    }

    /// An index that cannot be completed goes, unless the next start may complete it.
    private void drop(long indexTableId, StatusException failure) {
        if (failure.status() != Status.UNAVAILABLE) {
            try {
                cluster.indexes().drop(indexTableId);
            } catch (StatusException _) {
                // It stays as it is, not READY, and can be dropped by whoever sees it.
            }
        }
    }

    @GuardedBy("lock")
    private void forgetOldest() {
        List<Long> over = new ArrayList<>();
        builds.forEach(
                (id, running) -> {
                    if (running.over().isDone()) {
                        over.add(id);
                    }
                });
        for (long id : over.subList(0, Math.max(0, over.size() - MAX_OVER))) {
            builds.remove(id);
        }
    }

    /// In the order they were begun.
    public List<Info> list() {
        return all().stream().map(Running::info).toList();
    }

    private List<Running> all() {
        lock.lock();
        try {
            return List.copyOf(builds.values());
        } finally {
            lock.unlock();
        }
    }

    public Info get(long id) {
        return find(id).info();
    }

    /// Stops a build; its index goes.
    public void cancel(long id) {
        Running running = find(id);
        if (running.over().isDone()) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED, "Index build process with id <" + id + "> is over");
        }
        running.build()
                .stop(
                        new StatusException(
                                Status.CANCELLED,
                                Issue.error(Issue.CANCELLED, "The build was cancelled")));
    }

    /// Forgets a build that is over.
    public void forget(long id) {
        Running running = find(id);
        if (!running.over().isDone()) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "Index build process with id <" + id + "> hasn't been finished yet");
        }
        lock.lock();
        try {
            builds.remove(id);
        } finally {
            lock.unlock();
        }
    }

    private Running find(long id) {
        lock.lock();
        try {
            Running running = builds.get(id);
            if (running == null) {
                throw new StatusException(
                        Status.NOT_FOUND, "Index build process with id <" + id + "> not found");
            }
            return running;
        } finally {
            lock.unlock();
        }
    }

    private static StatusException closing() {
        return new StatusException(Status.UNAVAILABLE, "the node stops; the build goes on later");
    }

    /// Stops all builds, and returns when they have stopped; the next start begins them anew. Those
    /// who follow tables end, too.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        for (Running running : all()) {
            running.build().stop(closing());
            var _ = running.over().join();
        }
        followers.close();
    }

    /// As after a crash.
    public void abandon() {
        followers.abandon();
    }
}
