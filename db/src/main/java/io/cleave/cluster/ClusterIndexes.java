package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.tablet.Spool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Indexes that are being built, as who builds them sees the cluster. An index is named by the id
/// of the table with its rows: it and its table may be renamed meanwhile, or be dropped.
///
/// Threads: any.
public final class ClusterIndexes {
    private final LocalCluster cluster;
    private final CommitGate commits;

    ClusterIndexes(LocalCluster cluster, CommitGate commits) {
        this.cluster = cluster;
        this.commits = commits;
    }

    /// An index with its table and the table of its rows.
    public record Found(Table table, Index index, Table indexTable) {}

    /// Commits pass here.
    public CommitGate commits() {
        return commits;
    }

    /// The index as it is now; empty if it was dropped.
    public Optional<Found> find(long indexTableId) {
        return all().stream().filter(found -> found.indexTable().id() == indexTableId).findFirst();
    }

    /// Every index of every table.
    public List<Found> all() {
        List<Found> all = new ArrayList<>();
        for (Table table : cluster.tables()) {
            for (Index index : table.indexes()) {
                cluster.find(Index.path(table.path(), index.name()))
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
    public Found empty(Found found) {
        return find(cluster.emptyIndex(found.table().path(), found.index().name()).id())
                .orElseThrow(() -> gone(found));
    }

    /// The index is complete: queries may read it. False if it was dropped.
    public boolean ready(long indexTableId) {
        Optional<Found> there = find(indexTableId);
        // It may be renamed at any time.
        while (there.isPresent() && !there.get().index().isReady()) {
            String name = there.get().index().name();
            cluster.alterIndexes(there.get().table().path(), table -> ready(table, name));
            there = find(indexTableId);
        }
        return there.isPresent();
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
        find(indexTableId)
                .ifPresent(
                        found ->
                                cluster.alterTable(
                                        found.table().path(),
                                        List.of(new TableChange.DropIndex(found.index().name()))));
    }

    private static StatusException gone(Found found) {
        return new StatusException(
                Status.ABORTED,
                "index '%s' of '%s' was dropped meanwhile"
                        .formatted(found.index().name(), found.table().path()));
    }
}
