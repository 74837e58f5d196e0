package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.IndexPositions;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tablet.Spool;
import io.cleave.tablet.Timeline;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// The cluster as index builders see it. An index is identified by the id of its index table,
/// because the index and its table may be renamed or dropped while it is being built.
///
/// Threads: any.
public final class ClusterIndexes {
    /// Limit of the indexes remembered as completed by a truncation.
    private static final int MAX_TRUNCATED = 1_000;

    private final LocalCluster cluster;
    private final Catalog catalog;
    private final Cells cells;
    private final CommitGate commits;
    private final ReentrantLock lock = new ReentrantLock();

    /// Index tables of indexes that were not READY when their table was truncated, oldest first.
    @GuardedBy("lock")
    private final SequencedSet<Long> truncated = new LinkedHashSet<>();

    ClusterIndexes(LocalCluster cluster, Catalog catalog, Cells cells, CommitGate commits) {
        this.cluster = cluster;
        this.catalog = catalog;
        this.cells = cells;
        this.commits = commits;
    }

    /// The progress of ASYNC indexes.
    public IndexPositions positions() {
        return catalog.positions();
    }

    /// Calls `told` after every catalog change that may create or drop an ASYNC index.
    public void onAsyncChange(Runnable told) {
        catalog.onChange(
                changes -> {
                    if (changes.stream().anyMatch(ClusterIndexes::concernsAsync)) {
                        told.run();
                    }
                });
    }

    private static boolean concernsAsync(CatalogChange change) {
        return switch (change) {
            case PutNode(Node node) ->
                    node.table().stream()
                            .flatMap(table -> table.indexes().stream())
                            .anyMatch(index -> index.kind() == Index.Kind.ASYNC);
            case RemoveTablets _ -> true;
            default -> false;
        };
    }

    /// Sends later writes to the table's rows to a queue, in every cell. Returns a timestamp: every
    /// write after it goes into the queue, and every write up to it is visible.
    public long follow(long tableId, ChangeQueue queue) {
        cells.all().forEach(cell -> cell.changeQueues().add(tableId, queue));
        return fence();
    }

    public void unfollow(long tableId, ChangeQueue queue) {
        cells.all().forEach(cell -> cell.changeQueues().remove(tableId, queue));
    }

    /// Returns the current timestamp once everything up to it is visible.
    public long fence() {
        Timeline.CommitSlot now = cluster.timeline().begin();
        cluster.timeline().end(now);
        String failure = cluster.timeline().await(now.timestamp());
        if (failure != null) {
            throw new StatusException(Status.UNAVAILABLE, failure);
        }
        return now.timestamp();
    }

    /// An index, its table, and the table that holds the index rows.
    public record Found(Table table, Index index, Table indexTable) {}

    /// The gate that every commit passes.
    public CommitGate commits() {
        return commits;
    }

    /// Waits until every commit prepared for the table descriptions from before this call is
    /// visible or has failed.
    public void settle() {
        commits.awaitEarlier();
        // A decided multi-cell commit may outlive its thread; its timestamp is then still in
        // flight.
        var _ = fence();
    }

    /// Builds the indexes of these index tables. They may have been renamed since they were added.
    void build(IndexBuilder builder, List<Table> indexTables) {
        for (Table indexTable : indexTables) {
            Optional<Found> found = find(indexTable.id());
            if (found.isPresent()) {
                builder.build(found.get().table(), found.get().indexTable());
            } else if (!wasTruncated(indexTable.id())) {
                throw dropped();
            }
        }
    }

    /// Runs `work`, which truncates a table. Afterwards every unfinished index of the table is
    /// complete, and its rows are in a new index table instead of the given one.
    <T> T truncating(List<Long> indexTableIds, Supplier<T> work) {
        remember(indexTableIds);
        boolean done = false;
        try {
            T result = work.get();
            done = true;
            return result;
        } finally {
            if (!done) {
                forget(indexTableIds);
            }
        }
    }

    private void remember(List<Long> indexTableIds) {
        lock.lock();
        try {
            truncated.addAll(indexTableIds);
            while (truncated.size() > MAX_TRUNCATED) {
                truncated.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private void forget(List<Long> indexTableIds) {
        lock.lock();
        try {
            truncated.removeAll(Set.copyOf(indexTableIds));
        } finally {
            lock.unlock();
        }
    }

    /// Whether an index that is no longer found was completed by a truncation of its table.
    public boolean wasTruncated(long indexTableId) {
        lock.lock();
        try {
            return truncated.contains(indexTableId);
        } finally {
            lock.unlock();
        }
    }

    /// Runs `work` while nobody else changes the index or its table; returns empty if the index was
    /// dropped. Before the locks are held, the table may be renamed and another may take its path,
    /// so the search is repeated.
    private <T> Optional<T> with(long indexTableId, Purpose purpose, Function<Found, T> work) {
        Optional<T> done = Optional.empty();
        Optional<Found> there = find(indexTableId);
        while (done.isEmpty() && there.isPresent()) {
            done =
                    cluster.ifThere(
                                    there.get().table().path(),
                                    purpose,
                                    (table, _) ->
                                            find(indexTableId)
                                                    .filter(
                                                            found ->
                                                                    found.table().id()
                                                                            == table.id())
                                                    .map(work))
                            .flatMap(result -> result);
            there = find(indexTableId);
        }
        return done;
    }

    /// The current state of the index; empty if it was dropped or [truncated][#wasTruncated].
    public Optional<Found> find(long indexTableId) {
        return all().stream().filter(found -> found.indexTable().id() == indexTableId).findFirst();
    }

    /// Every index of every table, from one view of the catalog.
    public List<Found> all() {
        List<Found> all = new ArrayList<>();
        CatalogView view = cluster.view();
        for (Table table : view.tables()) {
            for (Index index : table.indexes()) {
                view.find(Index.path(table.path(), index.name()))
                        .flatMap(CatalogView.Node::table)
                        .ifPresent(rows -> all.add(new Found(table, index, rows)));
            }
        }
        return all;
    }

    /// The indexes that are not READY: the process stopped or crashed before they were built.
    public List<Found> unfinished() {
        return all().stream().filter(found -> !found.index().isReady()).toList();
    }

    /// Temporary storage for sorting the rows of an index.
    public Spool newSpool() {
        return cluster.newSpool();
    }

    /// Ends the bulk load of the index table: from now on only writers add rows to it.
    public void endLoad(long indexTableId) {
        cluster.endLoad(indexTableId);
    }

    /// Replaces the index table by an empty one with new tablets.
    public Found empty(long indexTableId) {
        return with(
                        indexTableId,
                        Purpose.CHANGE_ALL,
                        found -> cluster.emptyIndex(found.table(), found.index().name()).id())
                .flatMap(this::find)
                .orElseThrow(ClusterIndexes::dropped);
    }

    /// Refuses reads of the index before `timestamp`: it lacks the rows that the table had then.
    public void wholeFrom(long indexTableId, long timestamp) {
        cluster.wholeFrom(indexTableId, timestamp);
    }

    /// Marks the index as complete, so that queries may read it. Returns false if it was dropped.
    public boolean ready(long indexTableId) {
        return with(
                        indexTableId,
                        Purpose.CHANGE,
                        found -> {
                            Table ready = ready(found.table(), found.index().name());
                            cluster.change(List.of(new PutNode(Node.of(ready))));
                            return true;
                        })
                .isPresent();
    }

    private static Table ready(Table table, String name) {
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            indexes.add(index.name().equals(name) ? index.with(Index.State.READY) : index);
        }
        return table.with(indexes);
    }

    /// Drops an index that can never be completed.
    public void drop(long indexTableId) {
        var _ =
                with(
                        indexTableId,
                        Purpose.CHANGE_ALL,
                        found -> {
                            cluster.alterTable(
                                    found.table().path(),
                                    List.of(new TableChange.DropIndex(found.index().name())));
                            return true;
                        });
    }

    private static StatusException dropped() {
        return new StatusException(Status.ABORTED, "the index was dropped meanwhile");
    }
}
