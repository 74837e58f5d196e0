package io.cleave.txn;

import io.cleave.cluster.TabletMap;
import io.cleave.schema.LockGroups;
import io.cleave.schema.RowLock;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rows of one table that a transaction locks without writing them.
///
/// Threads: one at a time.
final class RowLocks {
    private final Table table;
    private final List<RowLock> locks = new ArrayList<>();

    RowLocks(Table table) {
        this.table = table;
    }

    Table table() {
        return table;
    }

    LockGroups groups() {
        return LockGroups.of(table);
    }

    void add(RowLock lock) {
        locks.add(lock);
    }

    boolean areFor(Table other) {
        return table.id() == other.id() && table.version() == other.version();
    }

    Map<Route, List<RowLock>> byRoute(TabletMap map) {
        Map<Route, List<RowLock>> byRoute = new LinkedHashMap<>();
        for (RowLock lock : locks) {
            byRoute.computeIfAbsent(map.find(lock.key()), _ -> new ArrayList<>()).add(lock);
        }
        return byRoute;
    }
}
