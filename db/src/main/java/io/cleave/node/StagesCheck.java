package io.cleave.node;

import io.cleave.catalog.CatalogReader;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.CellStage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/// Compares the user cells that have folders with those of the catalog, and notes which of them the
/// next start creates or removes.
final class StagesCheck {
    private static final String REMEDY = "restore the folder of the cell from a copy";

    private final FsckReport report;
    private final Path data;

    /// Null if the catalog is damaged.
    private final CatalogReader.@Nullable Contents catalog;

    StagesCheck(FsckReport report, Path data, CatalogReader.@Nullable Contents catalog) {
        this.report = report;
        this.data = data;
        this.catalog = catalog;
    }

    /// The cells whose logs must be intact, by id.
    SortedSet<Long> run(Collection<Long> withFolders) throws IOException {
        SortedSet<Long> checked = new TreeSet<>(withFolders);
        checked.remove(DataFolder.SYSTEM_CELL);
        if (catalog == null || catalog.view().nextCellId() == 0) {
            return checked;
        }
        CatalogView view = catalog.view();
        for (var cell : view.cells().entrySet()) {
            if (!check(cell.getKey(), cell.getValue())) {
                checked.remove(cell.getKey());
            }
        }
        for (long cellId : withFolders) {
            if (cellId == DataFolder.SYSTEM_CELL || view.cells().containsKey(cellId)) {
                continue;
            }
            if (DataFolder.hasLog(data, cellId)) {
                note(cellId, "is not in the catalog; the next start adds it to a bundle");
            } else {
                checked.remove(cellId);
            }
        }
        return checked;
    }

    /// Returns whether the log of the cell must be intact.
    private boolean check(long cellId, CellStage stage) throws IOException {
        boolean hasLog = DataFolder.hasLog(data, cellId);
        switch (stage) {
            case INITIALIZING ->
                    note(
                            cellId,
                            "the server ended while the cell was being created; the next start"
                                    + " finishes that");
            case RUNNING, DECOMMISSIONING -> {
                if (!hasLog) {
                    report.damage("cell " + cellId, "has no log", REMEDY);
                }
            }
            case DECOMMISSIONED ->
                    note(
                            cellId,
                            "the server ended while the cell was being removed; the next start"
                                    + " finishes that");
        }
        return hasLog && stage != CellStage.DECOMMISSIONED;
    }

    private void note(long cellId, String what) {
        report.note("cell " + cellId, what);
    }
}
