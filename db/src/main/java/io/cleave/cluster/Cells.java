package io.cleave.cluster;

import io.cleave.lsm.table.TableFiles.CacheStatistics;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellService;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tablet.DetachedTablet;
import io.cleave.tablet.Route;
import io.cleave.tablet.Spool;
import io.cleave.time.Timeline;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The user cells of a node, by their ids. This is the directory of cells: other classes get a cell
/// here as a [CellService].
///
/// Threads: any.
public final class Cells {
    private final SortedMap<Long, Cell> cells = new TreeMap<>();
    private final Cell first;

    Cells(List<Cell> cells) {
        cells.forEach(cell -> this.cells.put(cell.id(), cell));
        first = this.cells.firstEntry().getValue();
    }

    Collection<CellService> all() {
        return Collections.unmodifiableCollection(cells.values());
    }

    /// The cells that this process leads, for their read replicas.
    Collection<Cell> local() {
        return cells.values();
    }

    Set<Long> ids() {
        return cells.keySet();
    }

    Optional<CellService> find(long cellId) {
        return Optional.ofNullable(cells.get(cellId));
    }

    CellService get(long cellId) {
        return find(cellId).orElseThrow(() -> new IllegalStateException("no cell " + cellId));
    }

    /// The names of the media that files of tablets may lie on.
    Set<String> media() {
        return first.files().media();
    }

    /// The timeline of commit timestamps, which all cells share.
    Timeline timeline() {
        return first.timeline();
    }

    /// Statistics of the cache that all tablets share.
    public CacheStatistics cacheStatistics() {
        return first.files().cacheStatistics();
    }

    /// The memory for tables that are kept in memory.
    public PinnedMemory pinnedMemory() {
        CacheStatistics cache = cacheStatistics();
        return new PinnedMemory(cache.pinnedBytes(), cache.maxPinnedBytes());
    }

    public record PinnedMemory(long usedBytes, long maxBytes) {}

    /// What users see of the cells of each of these bundles, by cell id.
    List<CellInfo> infos(SortedMap<String, List<Long>> bundles) {
        SortedMap<Long, CellInfo> infos = new TreeMap<>();
        bundles.forEach(
                (bundle, cellIds) -> {
                    for (long cellId : cellIds) {
                        find(cellId)
                                .ifPresent(cell -> infos.put(cellId, CellInfo.of(cell, bundle)));
                    }
                });
        return List.copyOf(infos.values());
    }

    /// Temporary storage for sorting many rows.
    public Spool newSpool() {
        return new Spool(first.files());
    }

    /// Prepares every cell for a bulk load of the table's rows.
    public void awaitLoad(long tableId) {
        all().forEach(cell -> cell.structure().awaitLoad(tableId));
    }

    /// Ends the bulk load of a table, whether or not it succeeded: from now on only writers add
    /// rows.
    public void endLoad(long tableId) {
        all().forEach(cell -> cell.structure().endLoad(tableId));
    }

    /// Sends later writes to the table's rows to a queue, in every cell.
    public void follow(long tableId, ChangeQueue queue) {
        local().forEach(cell -> cell.changeQueues().add(tableId, queue));
    }

    public void unfollow(long tableId, ChangeQueue queue) {
        local().forEach(cell -> cell.changeQueues().remove(tableId, queue));
    }

    /// The number of tablets in each of these cells.
    SortedMap<Long, Integer> tabletCounts(List<Long> cellIds) {
        SortedMap<Long, Integer> counts = new TreeMap<>();
        cellIds.forEach(cellId -> counts.put(cellId, get(cellId).structure().tablets().size()));
        return counts;
    }

    /// Blocks a cell of this process for at most this long, as if it hung.
    void freeze(long cellId, Duration most) {
        Cell cell = cells.get(cellId);
        if (cell != null) {
            var _ = cell.freeze(most);
        }
    }

    /// Drops the tablets of these tables from every cell, including tablets detached for a move.
    void dropTables(Set<Long> tableIds) {
        for (CellService cell : all()) {
            CellStructure structure = cell.structure();
            Set<Long> dropped = new TreeSet<>();
            for (Route route : structure.tablets()) {
                if (tableIds.contains(route.statistics().tableId())) {
                    dropped.add(route.tabletId());
                }
            }
            for (DetachedTablet detached : structure.detached()) {
                if (tableIds.contains(detached.tableId())) {
                    dropped.add(detached.tabletId());
                }
            }
            if (!dropped.isEmpty()) {
                structure.drop(List.copyOf(dropped));
            }
        }
    }
}
