package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.tablet.Route;

/// A tablet that was found in a cell. Its table may be gone, or may not be there yet. Its figures
/// are computed when they are asked for.
public final class CellTablet {
    private final Route route;
    private final long nowMicros;

    CellTablet(Route route, long nowMicros) {
        this.route = route;
        this.nowMicros = nowMicros;
    }

    public long tabletId() {
        return route.tabletId();
    }

    public long tableId() {
        return route.statistics().tableId();
    }

    public Bytes firstKey() {
        return route.range().from();
    }

    public TabletInfo info() {
        return TabletInfo.of(route, nowMicros);
    }
}
