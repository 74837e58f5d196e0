package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TableFiles.CacheStatistics;
import io.cleave.schema.CellHealth;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellHost;
import io.cleave.tablet.CellService;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.ChangeQueue;
import io.cleave.tablet.DetachedTablet;
import io.cleave.tablet.Route;
import io.cleave.tablet.Spool;
import io.cleave.time.Timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/// The open user cells of a node, by their ids. This is the directory of cells: other classes get a
/// cell here as a [CellService]. Cells come and go while the node runs; what is asked for all cells
/// also holds for those that come later.
///
/// Threads: any.
public final class Cells {
    private final Timeline timeline;
    private final TableFiles files;

    private final ReentrantLock lock = new ReentrantLock();

    /// Replaced as a whole, under the lock.
    private volatile SortedMap<Long, Cell> cells;

    /// The queues that follow a table, by table id.
    @GuardedBy("lock")
    private final Map<Long, List<ChangeQueue>> followed = new HashMap<>();

    /// The tables for which a bulk load is announced.
    @GuardedBy("lock")
    private final Set<Long> loading = new HashSet<>();

    Cells(Collection<Cell> cells, CellHost host) {
        timeline = host.timeline();
        files = host.files();
        var byId = new TreeMap<Long, Cell>();
        cells.forEach(cell -> byId.put(cell.id(), cell));
        this.cells = Collections.unmodifiableSortedMap(byId);
    }

    /// Adds a cell that was opened while the node runs.
    void add(Cell cell) {
        lock.lock();
        try {
            followed.forEach(
                    (tableId, queues) ->
                            queues.forEach(queue -> cell.changeQueues().add(tableId, queue)));
            loading.forEach(tableId -> cell.structure().awaitLoad(tableId));
            var more = new TreeMap<>(cells);
            more.put(cell.id(), cell);
            cells = Collections.unmodifiableSortedMap(more);
        } finally {
            lock.unlock();
        }
    }

    /// Forgets a cell that is about to be closed.
    void remove(long cellId) {
        lock.lock();
        try {
            var fewer = new TreeMap<>(cells);
            fewer.remove(cellId);
            cells = Collections.unmodifiableSortedMap(fewer);
        } finally {
            lock.unlock();
        }
    }

    Collection<CellService> all() {
        return Collections.unmodifiableCollection(cells.values());
    }

    /// The cells that this process leads, for their read replicas.
    Collection<Cell> local() {
        return cells.values();
    }

    Optional<Cell> findLocal(long cellId) {
        return Optional.ofNullable(cells.get(cellId));
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

    /// How the cell is. All cells stop taking writes when the log of one of them has failed.
    public CellHealth health(long cellId) {
        CellService cell = cells.get(cellId);
        if (timeline().failure() != null) {
            return CellHealth.FAILED;
        }
        if (cell == null) {
            return CellHealth.INITIALIZING;
        }
        return cell.flushFailure().isPresent() ? CellHealth.DEGRADED : CellHealth.GOOD;
    }

    /// The names of the media that files of tablets may lie on.
    Set<String> media() {
        return files.media();
    }

    /// The timeline of commit timestamps, which all cells share.
    Timeline timeline() {
        return timeline;
    }

    /// Statistics of the cache that all tablets share.
    public CacheStatistics cacheStatistics() {
        return files.cacheStatistics();
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
        return new Spool(files);
    }

    /// Prepares every cell for a bulk load of the table's rows.
    public void awaitLoad(long tableId) {
        lock.lock();
        try {
            loading.add(tableId);
            all().forEach(cell -> cell.structure().awaitLoad(tableId));
        } finally {
            lock.unlock();
        }
    }

    /// Ends the bulk load of a table, whether or not it succeeded: from now on only writers add
    /// rows.
    public void endLoad(long tableId) {
        lock.lock();
        try {
            loading.remove(tableId);
            all().forEach(cell -> cell.structure().endLoad(tableId));
        } finally {
            lock.unlock();
        }
    }

    /// Sends later writes to the table's rows to a queue, in every cell.
    public void follow(long tableId, ChangeQueue queue) {
        lock.lock();
        try {
            followed.computeIfAbsent(tableId, _ -> new ArrayList<>()).add(queue);
            local().forEach(cell -> cell.changeQueues().add(tableId, queue));
        } finally {
            lock.unlock();
        }
    }

    public void unfollow(long tableId, ChangeQueue queue) {
        lock.lock();
        try {
            followed.computeIfPresent(
                    tableId,
                    (_, queues) -> {
                        queues.removeIf(each -> each == queue);
                        return queues.isEmpty() ? null : queues;
                    });
            local().forEach(cell -> cell.changeQueues().remove(tableId, queue));
        } finally {
            lock.unlock();
        }
    }

    /// The number of tablets in each of these cells. A cell that is not open is left out.
    SortedMap<Long, Integer> tabletCounts(List<Long> cellIds) {
        SortedMap<Long, Integer> counts = new TreeMap<>();
        for (long cellId : cellIds) {
            find(cellId).ifPresent(cell -> counts.put(cellId, cell.structure().tablets().size()));
        }
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
