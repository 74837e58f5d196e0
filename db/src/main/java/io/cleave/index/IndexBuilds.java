package io.cleave.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tree.IndexBuilder;
import io.cleave.tree.Indexes;
import io.cleave.txn.OptimisticTransactions;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// The index builds: those that run, each on its own thread, and the last ones that are over. A
/// build continues when its client goes away. After a crash it starts again.
///
/// Threads: any.
public final class IndexBuilds implements IndexBuilder, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(IndexBuilds.class.getName());

    /// How many finished builds are remembered.
    static final int MAX_OVER = 100;

    private final Tablets tablets;
    private final Resharding resharding;
    private final Indexes indexes;
    private final OptimisticTransactions transactions;
    private final Env env;
    private final IndexFollowers followers;
    private final ReentrantLock lock = new ReentrantLock();

    /// By build id, in the order in which they were started.
    @GuardedBy("lock")
    private final Map<Long, Running> builds = new LinkedHashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    public IndexBuilds(
            Tablets tablets,
            Resharding resharding,
            Indexes indexes,
            OptimisticTransactions transactions,
            Env env) {
        this.tablets = tablets;
        this.resharding = resharding;
        this.indexes = indexes;
        this.transactions = transactions;
        this.env = env;
        followers = new IndexFollowers(tablets, indexes, transactions, ChangeQueue.FULL_BYTES, env);
    }

    /// The followers that keep ASYNC indexes up to date.
    public IndexFollowers followers() {
        return followers;
    }

    /// The current state of a build. `failure` says why it was rejected or cancelled.
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

    /// After a start, restarts interrupted builds from the beginning, and continues to follow the
    /// tables of ASYNC indexes.
    public void resume() {
        followers.adapt();
        for (Indexes.TableIndex found : indexes.unfinished()) {
            try {
                begin(indexes.empty(found.indexTable().id()));
            } catch (StatusException e) {
                // The index stays not READY, and the other tables can be used.
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        () ->
                                "index '%s' of '%s' will only be built at the next start: %s"
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

    /// Empties the index after all writers that do not know it have finished. Such a write could
    /// otherwise come after the write of index entries for the same row, and make them wrong.
    /// Returns empty if there is nothing left to build.
    private Optional<Indexes.TableIndex> prepared(long indexTableId) {
        try {
            Optional<Indexes.TableIndex> added = indexes.find(indexTableId);
            added.ifPresent(found -> tablets.olderCommits().end(found.table().id()));
            return Optional.of(indexes.empty(indexTableId));
        } catch (StatusException e) {
            drop(indexTableId, e);
            if (indexes.wasTruncated(indexTableId)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Running begin(Indexes.TableIndex found) {
        long indexTableId = found.indexTable().id();
        var running =
                new Running(
                        tablets.timeline().newId(),
                        found.table().path(),
                        found.index(),
                        new IndexBuild(
                                tablets,
                                resharding,
                                indexes,
                                transactions,
                                followers,
                                indexTableId),
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
            failure = new StatusException(Status.INTERNAL_ERROR, "the index build failed: " + e);
            throw e;
        } finally {
            running.over()
                    .complete(
                            Optional.ofNullable(failure)
                                    .filter(why -> !end(build, indexTableId, why)));
        }
    }

    /// Cleans up after a failure. Returns whether the index is complete all the same, because its
    /// table was truncated.
    private boolean end(IndexBuild build, long indexTableId, StatusException failure) {
        boolean cancelled = failure.status() == Status.CANCELLED;
        build.enter(cancelled ? BuildState.CANCELLATION : BuildState.REJECTION);
        drop(indexTableId, failure);
        if (indexes.wasTruncated(indexTableId)) {
            build.enter(BuildState.DONE);
            return true;
        }
        build.enter(cancelled ? BuildState.CANCELLED : BuildState.REJECTED);
        return false;
    }

    /// Drops an index that cannot be completed, unless the next start may complete it.
    private void drop(long indexTableId, StatusException failure) {
        if (failure.status() != Status.UNAVAILABLE) {
            try {
                indexes.drop(indexTableId);
            } catch (StatusException _) {
                // The index stays not READY, and a user can drop it.
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

    /// In the order in which they were started.
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

    /// Stops a build; its index is dropped.
    public void cancel(long id) {
        Running running = find(id);
        if (running.over().isDone()) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "Index build process with id <" + id + "> has been finished already");
        }
        running.build()
                .stop(
                        new StatusException(
                                Status.CANCELLED,
                                Issue.error(Issue.CANCELLED, "The build was cancelled")));
    }

    /// Removes a finished build from the list.
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
        return new StatusException(
                Status.UNAVAILABLE, "the node is stopping; its next start builds the index");
    }

    /// Stops all builds and followers, and returns when they have stopped. The next start begins
    /// the builds again.
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

    /// Stops the followers without waiting, as in a crash.
    public void abandon() {
        followers.abandon();
    }
}
