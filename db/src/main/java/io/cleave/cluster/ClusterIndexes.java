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

/// Indexes that are being built, as who builds them sees the cluster. An index is named by the id
/// of the table with its rows: it and its table may be renamed meanwhile, or be dropped.
///
/// Threads: any.
public final class ClusterIndexes {
    /// How many that a truncation has completed are remembered.
    private static final int MAX_TRUNCATED = 1_000;

    private final LocalCluster cluster;
    private final Catalog catalog;
    private final Cells cells;
    private final CommitGate commits;
    private final ReentrantLock lock = new ReentrantLock();

    /// Indexes that were not READY when their tables were truncated, the oldest first.
    @GuardedBy("lock")
    private final SequencedSet<Long> truncated = new LinkedHashSet<>();

    ClusterIndexes(LocalCluster cluster, Catalog catalog, Cells cells, CommitGate commits) {
        this.cluster = cluster;
        this.catalog = catalog;
        this.cells = cells;
        this.commits = commits;
    }

    /// How far ASYNC indexes have come.
    public IndexPositions positions() {
        return catalog.positions();
    }

    /// Tells of every change of the catalog that may begin or end an ASYNC index.
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

    /// Puts what is written to the table's rows into a queue, in whatever cell they are. Returns a
    /// moment: all that is written later goes into the queue, and all up to it is visible.
    public long follow(long tableId, ChangeQueue queue) {
        cells.all().forEach(cell -> cell.followers().add(tableId, queue));
        return fence();
    }

    public void unfollow(long tableId, ChangeQueue queue) {
        cells.all().forEach(cell -> cell.followers().remove(tableId, queue));
    }

    /// The present moment, when all up to it is visible.
    public long fence() {
        Timeline.Moment now = cluster.timeline().begin();
        cluster.timeline().end(now);
        String failure = cluster.timeline().await(now.timestamp());
        if (failure != null) {
            throw new StatusException(Status.UNAVAILABLE, failure);
        }
        return now.timestamp();
    }

    /// An index with its table and the table of its rows.
    public record Found(Table table, Index index, Table indexTable) {}

    /// Commits pass here.
    public CommitGate commits() {
        return commits;
    }

    /// Returns when everything that was made for the tables as they were before this call is
    /// visible or never will be.
    public void settle() {
        commits.awaitEarlier();
        // A commit over several cells may be decided, and its thread be gone: its moment is in
        // flight.
        var _ = fence();
    }

    /// Has the indexes built whose tables these are. They may have been renamed since they were
    /// added.
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

    /// Does what truncates a table: each index of it that is being built is complete then, and has
    /// other tables for its rows than these.
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

    /// Whether the index, which is not found any more, was completed by a truncation of its table.
    public boolean wasTruncated(long indexTableId) {
        lock.lock();
        try {
            return truncated.contains(indexTableId);
        } finally {
            lock.unlock();
        }
    }

    /// Does something with the index while nobody else changes it or its table; nothing if it was
    /// dropped. Until they are held, both may be renamed, and others be where they were.
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

    /// The index as it is now; empty if it was dropped, or [truncated][#wasTruncated].
    public Optional<Found> find(long indexTableId) {
        return all().stream().filter(found -> found.indexTable().id() == indexTableId).findFirst();
    }

    /// Every index of every table, as all of them are at one moment.
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

    /// What is not READY: a crash or the end of the process came before.
    public List<Found> unfinished() {
        return all().stream().filter(found -> !found.index().isReady()).toList();
    }

    /// A place to sort an index's rows in.
    public Spool newSpool() {
        return cluster.newSpool();
    }

    /// Nobody brings rows into the index's table any more past its writers.
    public void endLoad(long indexTableId) {
        cluster.endLoad(indexTableId);
    }

    /// Puts an empty table with new tablets in the place of the index's rows.
    public Found empty(long indexTableId) {
        return with(
                        indexTableId,
                        Purpose.CHANGE_ALL,
                        found -> cluster.emptyIndex(found.table(), found.index().name()).id())
                .flatMap(this::find)
                .orElseThrow(ClusterIndexes::dropped);
    }

    /// Who reads an earlier moment would find the index without the rows that the table had then.
    public void wholeFrom(long indexTableId, long timestamp) {
        cluster.wholeFrom(indexTableId, timestamp);
    }

    /// The index is complete: queries may read it. False if it was dropped.
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

    /// The index will never be complete: it goes.
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
