package io.cleave.tree;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.IndexPositions;
import io.cleave.cluster.HeldTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tablet.Spool;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// The indexes of all tables, for those who build and follow them. An index is identified by the id
/// of its index table, because the index and its table may be renamed or dropped while it is being
/// built.
///
/// Threads: any.
public final class Indexes {
    /// Limit of the indexes remembered as completed by a truncation.
    private static final int MAX_TRUNCATED = 1_000;

    private final Tablets tablets;
    private final HeldTables held;
    private final Alterations alterations;
    private final ReentrantLock lock = new ReentrantLock();

    /// Index tables of indexes that were not READY when their table was truncated, oldest first.
    @GuardedBy("lock")
    private final SequencedSet<Long> truncated = new LinkedHashSet<>();

    public Indexes(Tablets tablets, Env env) {
        this.tablets = tablets;
        held = tablets.held();
        alterations = new Alterations(tablets, new NewPaths(tablets.database(), env));
    }

    /// The progress of ASYNC indexes.
    public IndexPositions positions() {
        return held.catalog().positions();
    }

    /// Calls `told` after every catalog change that may create or drop an ASYNC index.
    public void onAsyncChange(Runnable told) {
        held.catalog()
                .onChange(
                        changes -> {
                            if (changes.stream().anyMatch(Indexes::concernsAsync)) {
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
        tablets.cells().follow(tableId, queue);
        return tablets.fence();
    }

    public void unfollow(long tableId, ChangeQueue queue) {
        tablets.cells().unfollow(tableId, queue);
    }

    /// An index, its table, and the table that holds the index rows.
    public record TableIndex(Table table, Index index, Table indexTable) {}

    /// Builds the indexes of these index tables. They may have been renamed since they were added.
    void build(IndexBuilder builder, List<Table> indexTables) {
        for (Table indexTable : indexTables) {
            Optional<TableIndex> found = find(indexTable.id());
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
    private <T> Optional<T> with(long indexTableId, Purpose purpose, Function<TableIndex, T> work) {
        Optional<T> done = Optional.empty();
        Optional<TableIndex> there = find(indexTableId);
        while (done.isEmpty() && there.isPresent()) {
            done =
                    held.ifThere(
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
    public Optional<TableIndex> find(long indexTableId) {
        return all().stream().filter(found -> found.indexTable().id() == indexTableId).findFirst();
    }

    /// Every index of every table, from one view of the catalog.
    public List<TableIndex> all() {
        List<TableIndex> all = new ArrayList<>();
        CatalogView view = held.view();
        for (Table table : view.tables()) {
            for (Index index : table.indexes()) {
                view.find(Index.path(table.path(), index.name()))
                        .flatMap(CatalogView.Node::table)
                        .ifPresent(rows -> all.add(new TableIndex(table, index, rows)));
            }
        }
        return all;
    }

    /// The indexes that are not READY: the process stopped or crashed before they were built.
    public List<TableIndex> unfinished() {
        return all().stream().filter(found -> !found.index().isReady()).toList();
    }

    /// Temporary storage for sorting the rows of an index.
    public Spool newSpool() {
        return tablets.cells().newSpool();
    }

    /// Ends the bulk load of the index table: from now on only writers add rows to it.
    public void endLoad(long indexTableId) {
        tablets.cells().endLoad(indexTableId);
    }

    /// Replaces the index table by an empty one with new tablets.
    public TableIndex empty(long indexTableId) {
        return with(
                        indexTableId,
                        Purpose.CHANGE_ALL,
                        found -> alterations.emptyIndex(found.table(), found.index().name()).id())
                .flatMap(this::find)
                .orElseThrow(Indexes::dropped);
    }

    /// Refuses reads of the index before `timestamp`: it lacks the rows that the table had then.
    public void wholeFrom(long indexTableId, long timestamp) {
        tablets.wholeFrom(indexTableId, timestamp);
    }

    /// Marks the index as complete, so that queries may read it, and records from which timestamp
    /// on it has all rows. Returns false if it was dropped.
    public boolean ready(long indexTableId) {
        return with(
                        indexTableId,
                        Purpose.CHANGE,
                        found -> {
                            Table ready = ready(found.table(), found.index().name());
                            long wholeFrom = tablets.map(found.indexTable()).wholeFrom();
                            Table whole = found.indexTable().wholeFrom(wholeFrom);
                            held.change(
                                    List.of(
                                            new PutNode(Node.of(ready)),
                                            new PutNode(Node.of(whole))));
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
                            var drop = new TableChange.DropIndex(found.index().name());
                            return alterations.run(found.table(), List.of(drop));
                        });
    }

    private static StatusException dropped() {
        return new StatusException(Status.ABORTED, "the index was dropped while the request ran");
    }
}
