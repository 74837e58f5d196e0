package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.List;

/// A tablet and the cell that leads it. A route may be outdated: then the tablet's successors lead
/// to the tablets that have the keys now.
public record Route(Cell cell, Tablet tablet) {
    /// The route to the tablet that has the key now. The key must lie in this tablet's range.
    public Route find(Bytes key) {
        Route route = this;
        List<Route> successors = tablet.successors();
        while (!successors.isEmpty()) {
            route = holder(successors, key);
            successors = route.tablet.successors();
        }
        return route;
    }

    /// Some keys of a tablet.
    public record Part(Route route, KeyRange range) {}

    /// The tablets that now have the keys of the range that lie in this tablet, in key order.
    public List<Part> find(KeyRange range) {
        List<Part> found = new ArrayList<>();
        collect(range.intersection(tablet.range()), found);
        return found;
    }

    private void collect(KeyRange range, List<Part> found) {
        List<Route> successors = tablet.successors();
        if (successors.isEmpty()) {
            found.add(new Part(this, range));
            return;
        }
        for (Route successor : successors) {
            KeyRange part = range.intersection(successor.tablet.range());
            if (!part.isEmpty()) {
                successor.collect(part, found);
            }
        }
    }

    private static Route holder(List<Route> successors, Bytes key) {
        for (Route successor : successors) {
            if (successor.tablet.range().contains(key)) {
                return successor;
            }
        }
        throw new IllegalStateException("no tablet has taken over the key " + key);
    }
}
