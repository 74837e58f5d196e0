package io.cleave.cluster;

import io.cleave.base.StatusException;
import io.cleave.tablet.Route;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Rewrites all tablets of a table. A tablet that is split, merged or moved meanwhile is rewritten
/// where its keys are then.
final class TableCompaction {
    private TableCompaction() {}

    static void run(TabletMap map) {
        var left = new ArrayDeque<>(map.routes());
        Set<Route> done = new HashSet<>();
        while (!left.isEmpty()) {
            Route route = left.removeFirst();
            if (done.add(route)) {
                compact(route);
                left.addAll(route.successors());
            }
        }
    }

    private static void compact(Route route) {
        try {
            route.cell().structure().compact(List.of(route.tabletId()));
        } catch (StatusException e) {
            if (route.isCurrent()) {
                throw e;
            }
        }
    }
}
