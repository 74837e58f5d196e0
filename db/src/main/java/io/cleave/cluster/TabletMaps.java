package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// Where the keys of every table are. A map may be behind what the cells have just done: its routes
/// then lead on.
///
/// Threads: anyone reads; a table's map is changed by whoever holds the table in [TableLocks].
final class TabletMaps {
    /// By table id: of every table that the catalog has, or is about to have. Changed under the
    /// lock.
    private final Map<Long, TabletMap> maps = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /// Of the tablets that have been in a map.
    @GuardedBy("lock")
    private TrafficTotals ended = TrafficTotals.NONE;

    /// Grows with every change.
    @GuardedBy("lock")
    private long version;

    /// SCHEME_ERROR where the table is gone; ABORTED where running again would find another in its
    /// place, or do without the index.
    TabletMap of(Table table, CatalogView view) {
        TabletMap map = maps.get(table.id());
        if (map == null) {
            boolean again = table.isIndexTable() || view.find(table.path()).isPresent();
            throw new StatusException(
                    again ? Status.ABORTED : Status.SCHEME_ERROR,
                    "Table '%s' was %s meanwhile"
                            .formatted(table.path(), again ? "replaced" : "dropped"));
        }
        return map;
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

    /// Nothing if the table is gone.
    void wholeFrom(long tableId, long timestamp) {
        lock.lock();
        try {
            maps.computeIfPresent(tableId, (_, map) -> map.wholeFrom(timestamp));
        } finally {
            lock.unlock();
        }
    }

    /// A table that nobody could read is what it is from this moment on.
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

    /// What has happened in all tablets.
    TrafficTotals traffic() {
        while (true) {
            Counted counted = counted();
            TrafficTotals sum = counted.ended();
            for (TabletMap map : counted.maps()) {
                for (Route route : map.routes()) {
                    sum = sum.plus(TrafficTotals.of(route.tablet()));
                }
            }
            // A tablet that has ended meanwhile may have counted on since: the next sum would be
            // smaller.
            if (counted.version() == counted().version()) {
                return sum;
            }
        }
    }

    /// What is to be summed up; that takes a while, and nobody is held up by it.
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
        Set<Tablet> stay = kept.stream().map(Route::tablet).collect(Collectors.toSet());
        for (Route route : map.routes()) {
            if (!stay.contains(route.tablet())) {
                ended = ended.plus(TrafficTotals.of(route.tablet()));
            }
        }
    }
}
