package io.cleave.cluster;

import io.cleave.base.StatusException;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;

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
        Set<Tablet> done = new HashSet<>();
        while (!left.isEmpty()) {
            Route route = left.removeFirst();
            if (done.add(route.tablet())) {
                compact(route);
                left.addAll(route.tablet().successors());
            }
        }
    }

    private static void compact(Route route) {
        try {
            Cell.of(route).compact(List.of(route.tablet().id()));
        } catch (StatusException e) {
            if (route.tablet().successors().isEmpty()) {
                throw e;
            }
        }
    }
}
