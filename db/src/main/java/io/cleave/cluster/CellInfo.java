package io.cleave.cluster;

import io.cleave.tablet.CellService;
import io.cleave.tablet.Route;

import java.util.List;

/// A user cell as users see it.
///
/// @param pinnedBytes memory of blocks of its tablets that are pinned
public record CellInfo(long cellId, String bundle, int tablets, long pinnedBytes) {
    static CellInfo of(CellService cell, String bundle) {
        List<Route> routes = cell.structure().tablets();
        long pinnedBytes =
                routes.stream().mapToLong(route -> route.statistics().pinnedBytes()).sum();
        return new CellInfo(cell.id(), bundle, routes.size(), pinnedBytes);
    }
}
