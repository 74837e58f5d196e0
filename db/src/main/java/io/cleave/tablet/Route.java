package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.List;

/// Where a tablet is: the cell that leads it, the id of the tablet, its epoch and its range. A
/// route may be outdated: then the tablet has successors that have its keys.
///
/// The route of a tablet in this process keeps the tablet that its cell has found, so that calls
/// need no lookup. Only this package may ask for it (`LayersTest`); other packages ask for its
/// [#statistics].
public record Route(CellService cell, Tablet tablet) {
    public long cellId() {
        return cell.id();
    }

    public long tabletId() {
        return tablet.id();
    }

    public long epoch() {
        return tablet.epoch();
    }

    public KeyRange range() {
        return tablet.range();
    }

    /// Whether the tablet still had its keys when this was asked.
    public boolean isCurrent() {
        return tablet.successors().isEmpty();
    }

    /// The tablets that have the keys now, in key order; empty while this tablet has them.
    public List<Route> successors() {
        return tablet.successors();
    }

    /// Sizes, load and estimates of the tablet.
    public TabletStatistics statistics() {
        return tablet;
    }

    /// The tablet to read.
    Tablet current() throws MovedException {
        List<Route> successors = tablet.successors();
        if (!successors.isEmpty()) {
            throw new MovedException(successors);
        }
        return tablet;
    }

    /// The route to the tablet that has the key now. The key must lie in this tablet's range.
    public Route find(Bytes key) {
        List<Route> successors = tablet.successors();
        return successors.isEmpty() ? this : find(successors, key);
    }

    static Route find(List<Route> successors, Bytes key) {
        return holder(successors, key).find(key);
    }

    /// Some keys of a tablet.
    public record Part(Route route, KeyRange range) {}

    /// The tablets that now have the keys of the range that lie in this tablet, in key order.
    public List<Part> find(KeyRange range) {
        List<Part> found = new ArrayList<>();
        collect(range.intersection(tablet.range()), found);
        return found;
    }

    static List<Part> find(List<Route> successors, KeyRange range) {
        List<Part> found = new ArrayList<>();
        collect(successors, range, found);
        return found;
    }

    private void collect(KeyRange range, List<Part> found) {
        List<Route> successors = tablet.successors();
        if (successors.isEmpty()) {
            found.add(new Part(this, range));
        } else {
            collect(successors, range, found);
        }
    }

    private static void collect(List<Route> successors, KeyRange range, List<Part> found) {
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
