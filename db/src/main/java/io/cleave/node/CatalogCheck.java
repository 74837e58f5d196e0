package io.cleave.node;

import io.cleave.base.Bytes;
import io.cleave.catalog.CatalogReader;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.Table;
import io.cleave.tablet.CellImage.Outline;
import io.cleave.tablet.TabletSpec;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The catalog against the cells: each table is covered by its tablets, and they are there.
final class CatalogCheck {
    private static final String REMEDY =
            "the log of the catalog or of the cell is not the one it was: restore both from one"
                    + " copy";

    private final FsckReport report;
    private final CatalogReader.Found catalog;

    /// By cell and tablet.
    private final Map<Long, Map<Long, TabletSpec>> tablets = new HashMap<>();

    private final Set<Long> named = new HashSet<>();

    CatalogCheck(
            FsckReport report, CatalogReader.Found catalog, Map<Long, List<Outline>> outlines) {
        this.report = report;
        this.catalog = catalog;
        outlines.forEach(
                (cellId, cell) -> {
                    Map<Long, TabletSpec> specs = new HashMap<>();
                    cell.forEach(tablet -> specs.put(tablet.spec().tabletId(), tablet.spec()));
                    tablets.put(cellId, specs);
                });
    }

    void run() {
        List<Table> tables = catalog.view().tables();
        tables.forEach(this::checkTable);
        report.looked(
                "catalog: %s, %s"
                        .formatted(
                                FsckReport.count(tables.size(), "table"),
                                FsckReport.count(named.size(), "tablet")));
        tablets.forEach(
                (cellId, specs) -> {
                    if (cellId != DataFolder.SYSTEM_CELL) {
                        specs.values().forEach(this::checkNamed);
                    }
                });
    }

    private void checkTable(Table table) {
        @Nullable Bytes next = Bytes.EMPTY;
        for (TabletPlace place : catalog.view().tablets(table.id())) {
            named.add(place.tabletId());
            if (next == null || !place.range().from().equals(next)) {
                damage(
                        table,
                        "tablet " + place.tabletId() + " does not begin where the one before ends");
            }
            next = place.range().to();
            TabletSpec spec = tablets.getOrDefault(place.cellId(), Map.of()).get(place.tabletId());
            if (spec == null) {
                damage(
                        table,
                        "cell %d has no tablet %d".formatted(place.cellId(), place.tabletId()));
            } else if (spec.tableId() != table.id() || !spec.range().equals(place.range())) {
                damage(table, "tablet " + place.tabletId() + " is another in its cell");
            }
        }
        if (next != null) {
            damage(table, "its tablets do not reach to the end of all keys");
        }
    }

    private void checkNamed(TabletSpec spec) {
        if (named.contains(spec.tabletId())) {
            return;
        }
        if (spec.tabletId() >= catalog.nextId()) {
            report.damage(
                    "catalog", 0, "it never gave out the id of tablet " + spec.tabletId(), REMEDY);
        } else {
            report.note(
                    "tablet " + spec.tabletId(),
                    "belongs to no table: a crash came while one was made or dropped; the next"
                            + " start removes it");
        }
    }

    private void damage(Table table, String what) {
        report.damage("catalog", 0, "table " + table.path() + ": " + what, REMEDY);
    }
}
