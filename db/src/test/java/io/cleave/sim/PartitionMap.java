package io.cleave.sim;

import io.cleave.base.Bytes;
import io.cleave.catalog.TabletPlace;
import io.cleave.node.Store;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Checks that the tablets of each table hold every key once: as routes lead to them, as cells have
/// them, and as the catalog says.
///
/// Nothing in here waits, so that a look at several cells is a look at one moment.
final class PartitionMap {
    private PartitionMap() {}

    /// At any moment routes lead to every key, and to no key twice.
    static void check(Store store) {
        for (Table table : store.catalog().view().tables()) {
            checkCover(table, routed(store, table));
        }
    }

    /// While nothing is being changed, cells have the tablets that routes lead to and no others.
    static void checkAtRest(Store store) {
        check(store);
        for (Table table : store.catalog().view().tables()) {
            List<TabletPlace> routed = routed(store, table);
            List<TabletPlace> held = held(store, table);
            if (!routed.equals(held)) {
                throw new AssertionError(
                        "%s: routes lead to %s, cells have %s"
                                .formatted(table.path(), routed, held));
            }
        }
    }

    /// After a start the catalog agrees too; later it may have refused to hear of a change.
    static void checkAtStart(Store store) {
        checkAtRest(store);
        for (Table table : store.catalog().view().tables()) {
            List<TabletPlace> routed = routed(store, table);
            List<TabletPlace> catalog = store.catalog().view().tablets(table.id());
            if (!routed.equals(catalog)) {
                throw new AssertionError(
                        "%s: routes lead to %s, the catalog says %s"
                                .formatted(table.path(), routed, catalog));
            }
        }
    }

    /// A merged tablet is the successor of several, and counts once.
    private static List<TabletPlace> routed(Store store, Table table) {
        List<TabletPlace> found = new ArrayList<>();
        for (Route route : store.tablets().map(table).routes()) {
            for (Route.Part part : route.find(KeyRange.ALL)) {
                TabletPlace place = place(part.route());
                if (found.isEmpty() || !found.getLast().equals(place)) {
                    found.add(place);
                }
            }
        }
        return found;
    }

    private static List<TabletPlace> held(Store store, Table table) {
        List<TabletPlace> found = new ArrayList<>();
        for (Cell cell : store.cells()) {
            for (Route route : cell.structure().tablets()) {
                if (route.statistics().tableId() == table.id()) {
                    found.add(place(route));
                }
            }
        }
        found.sort(Comparator.comparing(place -> place.range().from()));
        return found;
    }

    private static TabletPlace place(Route route) {
        return new TabletPlace(route.tabletId(), route.cellId(), route.range(), route.epoch());
    }

    private static void checkCover(Table table, List<TabletPlace> places) {
        @Nullable Bytes next = Bytes.EMPTY;
        for (TabletPlace place : places) {
            if (next == null || !place.range().from().equals(next)) {
                throw new AssertionError(
                        table.path() + ": a gap, or a key is held twice: " + places);
            }
            next = place.range().to();
        }
        if (next != null) {
            throw new AssertionError(table.path() + ": the last keys are missing: " + places);
        }
    }
}
