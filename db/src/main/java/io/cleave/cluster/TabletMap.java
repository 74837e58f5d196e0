package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The tablets of one table in key order: together they hold every key, and no key twice.
/// Immutable.
public final class TabletMap {
    /// Later than every timestamp: the table cannot be read yet.
    public static final long UNSETTLED = Long.MAX_VALUE;

    private final List<Route> routes;
    private final long wholeFrom;

    TabletMap(List<Route> routes) {
        this(routes, 0);
    }

    private TabletMap(List<Route> routes, long wholeFrom) {
        this.routes = List.copyOf(routes);
        this.wholeFrom = wholeFrom;
        Bytes expected = Bytes.EMPTY;
        for (Route route : routes) {
            Check.that(expected.equals(route.range().from()), "a gap before a tablet");
            Bytes to = route.range().to();
            if (to != null) {
                expected = to;
            }
        }
        Check.that(routes.getLast().range().to() == null, "no last tablet");
    }

    /// A map of tablets given in any order.
    public static TabletMap of(Collection<Route> routes) {
        return new TabletMap(
                routes.stream()
                        .sorted(Comparator.comparing(route -> route.range().from()))
                        .toList());
    }

    public Route find(Bytes key) {
        return routes.get(indexOf(key)).find(key);
    }

    /// Every tablet with keys of the range, in key order.
    public List<Part> find(KeyRange range) {
        if (range.isEmpty()) {
            return List.of();
        }
        List<Part> parts = new ArrayList<>();
        int index = indexOf(range.from());
        while (index < routes.size() && routes.get(index).range().intersects(range)) {
            parts.addAll(routes.get(index).find(range));
            index++;
        }
        return parts;
    }

    public List<Route> routes() {
        return routes;
    }

    /// The first timestamp at which the table has all its rows; earlier reads are refused. See
    /// [#wholeFrom(long)].
    public long wholeFrom() {
        return wholeFrom;
    }

    /// This map for a table whose rows were loaded in the background and were complete at
    /// `timestamp`. The timestamp never goes back.
    public TabletMap wholeFrom(long timestamp) {
        return timestamp <= wholeFrom ? this : new TabletMap(routes, timestamp);
    }

    /// This map with the timestamp from which the table is valid, if that was not known before.
    TabletMap settled(long timestamp) {
        return wholeFrom == UNSETTLED ? new TabletMap(routes, timestamp) : this;
    }

    /// A map of the tablets that hold the keys now. Nobody may change the tablets meanwhile.
    TabletMap current() {
        // A merged tablet is found several times, once through each of its parents.
        Set<Route> live = new LinkedHashSet<>();
        for (Part part : find(KeyRange.ALL)) {
            live.add(part.route());
        }
        return new TabletMap(List.copyOf(live));
    }

    /// The form that the catalog stores.
    List<TabletPlace> places() {
        return routes.stream()
                .map(
                        route ->
                                new TabletPlace(
                                        route.tabletId(),
                                        route.cellId(),
                                        route.range(),
                                        route.epoch()))
                .toList();
    }

    /// The last tablet whose range begins at or before the key.
    private int indexOf(Bytes key) {
        int low = 0;
        int high = routes.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (routes.get(middle).range().from().compareTo(key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
