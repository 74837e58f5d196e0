package io.cleave.cluster;

import io.cleave.lsm.table.TableFiles.CacheStatistics;
import io.cleave.tablet.Cell;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tablet.DetachedTablet;
import io.cleave.tablet.Route;
import io.cleave.tablet.Spool;
import io.cleave.tablet.Tablet;
import io.cleave.time.Timeline;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The user cells of a node, by their ids.
///
/// Threads: any.
public final class Cells {
    private final SortedMap<Long, Cell> cells = new TreeMap<>();
    private final Cell first;

    Cells(List<Cell> cells) {
        cells.forEach(cell -> this.cells.put(cell.id(), cell));
        first = get(this.cells.firstKey());
    }

    Collection<Cell> all() {
        return cells.values();
    }

    Set<Long> ids() {
        return cells.keySet();
    }

    Optional<Cell> find(long cellId) {
        return Optional.ofNullable(cells.get(cellId));
    }

    Cell get(long cellId) {
        return find(cellId).orElseThrow(() -> new IllegalStateException("no cell " + cellId));
    }

    /// Any cell will do for a question about what all cells share.
    Cell first() {
        return first;
    }

    /// The timeline of commit timestamps, which all cells share.
    Timeline timeline() {
        return first.timeline();
    }

    /// Statistics of the cache that all tablets share.
    public CacheStatistics cacheStatistics() {
        return first.cacheStatistics();
    }

    /// Temporary storage for sorting many rows.
    public Spool newSpool() {
        return first.newSpool();
    }

    /// Prepares every cell for a bulk load of the table's rows.
    public void awaitLoad(long tableId) {
        all().forEach(cell -> cell.awaitLoad(tableId));
    }

    /// Ends the bulk load of a table, whether or not it succeeded: from now on only writers add
    /// rows.
    public void endLoad(long tableId) {
        all().forEach(cell -> cell.endLoad(tableId));
    }

    /// Sends later writes to the table's rows to a queue, in every cell.
    public void follow(long tableId, ChangeQueue queue) {
        all().forEach(cell -> cell.changeQueues().add(tableId, queue));
    }

    public void unfollow(long tableId, ChangeQueue queue) {
        all().forEach(cell -> cell.changeQueues().remove(tableId, queue));
    }

    /// The number of tablets in each of these cells.
    SortedMap<Long, Integer> tabletCounts(List<Long> cellIds) {
        SortedMap<Long, Integer> counts = new TreeMap<>();
        cellIds.forEach(cellId -> counts.put(cellId, get(cellId).tablets().size()));
        return counts;
    }

    /// The route to a tablet of the cell; throws if the tablet is not there.
    static Route route(Cell cell, long tabletId) {
        Tablet tablet = cell.tablet(tabletId);
        if (tablet == null) {
            throw new IllegalStateException(
                    "tablet %d is not in cell %d".formatted(tabletId, cell.id()));
        }
        return new Route(cell, tablet);
    }

    /// Drops the tablets of these tables from every cell, including tablets detached for a move.
    void dropTables(Set<Long> tableIds) {
        for (Cell cell : all()) {
            Set<Long> dropped = new TreeSet<>();
            for (Tablet tablet : cell.tablets()) {
                if (tableIds.contains(tablet.tableId())) {
                    dropped.add(tablet.id());
                }
            }
            for (DetachedTablet detached : cell.detached()) {
                if (tableIds.contains(detached.tableId())) {
                    dropped.add(detached.tabletId());
                }
            }
            if (!dropped.isEmpty()) {
                cell.dropTablets(List.copyOf(dropped));
            }
        }
    }
}
