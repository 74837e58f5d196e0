package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// The tablet maps of all tables. A map may lag behind a change that the cells have just made; its
/// routes then lead to the successors of the old tablets.
///
/// Threads: any may read. Only the thread that holds the table in [TableLocks] changes its map.
final class TabletMaps {
    // ---- own synchronisation

    /// By table id, for every table that the catalog has or is about to have. Changed under the
    /// lock.
    private final Map<Long, TabletMap> maps = new ConcurrentHashMap<>();

    // ---- guarded by the lock

    private final ReentrantLock lock = new ReentrantLock();

    /// The totals of tablets that are no longer in any map.
    @GuardedBy("lock")
    private TrafficTotals ended = TrafficTotals.NONE;

    /// Incremented with every change.
    @GuardedBy("lock")
    private long version;

    /// Throws SCHEME_ERROR if the table was dropped. Throws ABORTED if a retry would find another
    /// table in its place, or would not use the index.
    TabletMap of(Table table, CatalogView view) {
        TabletMap map = maps.get(table.id());
        if (map == null) {
            boolean again = table.isIndexTable() || view.find(table.path()).isPresent();
            throw new StatusException(
                    again ? Status.ABORTED : Status.SCHEME_ERROR,
                    "Table '%s' was %s while the request ran"
                            .formatted(table.path(), again ? "replaced" : "dropped"));
        }
        return map;
    }

    /// Null if the table was dropped.
    @Nullable TabletMap find(long tableId) {
        return maps.get(tableId);
    }

    void put(long tableId, TabletMap map) {
        lock.lock();
        try {
            TabletMap before = maps.get(tableId);
            maps.put(tableId, before == null ? map : map.wholeFrom(before.wholeFrom()));
            end(before, map.routes());
        } finally {
            lock.unlock();
        }
    }

    /// Does nothing if the table is gone.
    void wholeFrom(long tableId, long timestamp) {
        lock.lock();
        try {
            maps.computeIfPresent(tableId, (_, map) -> map.wholeFrom(timestamp));
        } finally {
            lock.unlock();
        }
    }

    /// Sets the timestamp from which an unsettled table can be read.
    void settle(long tableId, long timestamp) {
        lock.lock();
        try {
            maps.computeIfPresent(tableId, (_, map) -> map.settled(timestamp));
        } finally {
            lock.unlock();
        }
    }

    void remove(long tableId) {
        lock.lock();
        try {
            end(maps.remove(tableId), List.of());
        } finally {
            lock.unlock();
        }
    }

    /// The sum over all current and former tablets.
    TrafficTotals traffic() {
        while (true) {
            Counted counted = counted();
            TrafficTotals sum = counted.ended();
            for (TabletMap map : counted.maps()) {
                for (Route route : map.routes()) {
                    sum = sum.plus(TrafficTotals.of(route.statistics()));
                }
            }
            // A tablet that was removed meanwhile may have counted more since, and the next sum
            // would be smaller.
            if (counted.version() == counted().version()) {
                return sum;
            }
        }
    }

    /// What is to be summed up. The sum takes a while and is computed without the lock.
    private record Counted(long version, TrafficTotals ended, List<TabletMap> maps) {}

    private Counted counted() {
        lock.lock();
        try {
            return new Counted(version, ended, List.copyOf(maps.values()));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void end(@Nullable TabletMap map, List<Route> kept) {
        version++;
        if (map == null) {
            return;
        }
        Set<Route> stay = Set.copyOf(kept);
        for (Route route : map.routes()) {
            if (!stay.contains(route)) {
                ended = ended.plus(TrafficTotals.of(route.statistics()));
            }
        }
    }
}
