package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.catalog.CatalogReader;
import io.cleave.cluster.Reconciliation;
import io.cleave.cluster.Reconciliation.CellTablet;
import io.cleave.cluster.Reconciliation.Drop;
import io.cleave.cluster.Reconciliation.Resume;
import io.cleave.schema.Table;
import io.cleave.tablet.CellImage.Outline;
import io.cleave.tablet.record.TabletSpec;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Checks the catalog against the cells: the tablets of each table must cover all keys, and the
/// next start must be able to finish or undo what a crash interrupted.
final class CatalogCheck {
    private static final String REMEDY =
            "the log of the catalog or of a cell does not match the others: restore all logs from"
                    + " one copy";

    private final FsckReport report;
    private final CatalogReader.Contents catalog;
    private final Map<Long, List<Outline>> outlines;

    /// `outlines` are the tablets of each cell, by cell id.
    CatalogCheck(
            FsckReport report, CatalogReader.Contents catalog, Map<Long, List<Outline>> outlines) {
        this.report = report;
        this.catalog = catalog;
        this.outlines = outlines;
    }

    /// The valid tablets by table id; null if there is damage.
    @Nullable Map<Long, List<CellTablet>> run() {
        List<Table> tables = catalog.view().tables();
        int places = catalog.view().tablets().values().stream().mapToInt(List::size).sum();
        report.looked(
                "catalog: %s, %s"
                        .formatted(
                                FsckReport.count(tables.size(), "table"),
                                FsckReport.count(places, "tablet")));
        try {
            var reconciliation = Reconciliation.of(catalog.view(), catalog.nextId(), found());
            reconciliation.drops().forEach(this::note);
            reconciliation.resumes().forEach(this::note);
            for (Table table : tables) {
                if (reconciliation.differs(catalog.view(), table)) {
                    report.note(
                            "table " + table.path(),
                            "the server ended while its tablets were being split, merged or moved;"
                                    + " the next start updates the catalog");
                }
            }
            return reconciliation.tablets();
        } catch (CorruptionException e) {
            report.damage(e, REMEDY);
            return null;
        }
    }

    private List<CellTablet> found() {
        List<CellTablet> found = new ArrayList<>();
        outlines.forEach(
                (cellId, tablets) -> {
                    if (cellId != DataFolder.SYSTEM_CELL) {
                        tablets.forEach(tablet -> found.add(found(cellId, tablet)));
                    }
                });
        return found;
    }

    private static CellTablet found(long cellId, Outline tablet) {
        TabletSpec spec = tablet.spec();
        return new CellTablet(
                cellId,
                spec.tabletId(),
                spec.tableId(),
                spec.range(),
                spec.epoch(),
                tablet.isDetached());
    }

    private void note(Drop drop) {
        report.note(
                "tablet %d of cell %d".formatted(drop.tablet().tabletId(), drop.tablet().cellId()),
                drop.why() + "; the next start removes it");
    }

    private void note(Resume resume) {
        report.note(
                "tablet %d of cell %d"
                        .formatted(resume.tablet().tabletId(), resume.tablet().cellId()),
                "the server ended while it was being moved; the next start keeps it in this cell");
    }
}
