package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.catalog.CatalogView;
import io.cleave.log.Log;
import io.cleave.log.LogLoss;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellAgreement.Lost;
import io.cleave.tablet.LostFile;
import io.cleave.tablet.LostTables.LostTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Collects the data that a start finds missing, logs each loss, and decides whether the start may
/// continue.
///
/// Threads: only the starting thread.
final class StartLosses {
    private static final System.Logger LOGGER = System.getLogger(StartLosses.class.getName());

    /// Limit of the losses named in the message of a refused start.
    private static final int MOST_TOLD = 5;

    private final boolean isAccepted;

    /// The cells that have lost records or files.
    private final Set<Long> cells = new TreeSet<>();

    private final List<String> texts = new ArrayList<>();

    StartLosses(boolean isAccepted) {
        this.isAccepted = isAccepted;
    }

    void opened(long cellId, Log log) {
        for (LogLoss loss : log.losses()) {
            cells.add(cellId);
            texts.add(loss.text());
            LOGGER.log(System.Logger.Level.WARNING, "cell {0}: {1}", cellId, loss.text());
        }
    }

    /// Adds the files that a cell was opened without.
    void opened(Cell cell, CatalogView catalog) {
        for (LostFile file : cell.losses().files()) {
            cells.add(cell.id());
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "cell {0}: starting, because of --accept-loss, {1}",
                    cell.id(),
                    file.text(nameOf(file.tableId(), catalog)));
        }
    }

    private static String nameOf(long tableId, CatalogView catalog) {
        return catalog.tables().stream()
                .filter(table -> table.id() == tableId)
                .map(Table::path)
                .findFirst()
                .orElse("table " + tableId);
    }

    boolean isSome() {
        return !cells.isEmpty();
    }

    boolean has(long cellId) {
        return cells.contains(cellId);
    }

    boolean hasOthers(long cellId) {
        return cells.stream().anyMatch(each -> each != cellId);
    }

    /// Adds the losses found before to the message, if there are any: they may be the cause.
    CorruptionException explain(CorruptionException e) {
        if (texts.isEmpty()) {
            return e;
        }
        var explained =
                new CorruptionException(
                        e.file(),
                        e.fileOffset(),
                        "%s. Possible cause, found at this start: %s"
                                .formatted(e.what(), String.join("; ", texts)));
        explained.initCause(e);
        return explained;
    }

    /// Throws if parts of transactions that other cells know of are missing, unless losses are
    /// accepted.
    void refuseUnlessAccepted(List<Lost> lost) {
        if (!lost.isEmpty()) {
            refuseUnlessAccepted(lost.getFirst().log(), lost.stream().map(Lost::text).toList());
            lost.forEach(part -> cells.add(part.cellId()));
        }
    }

    /// Throws if the catalog has lost tables, unless losses are accepted.
    void refuseLostTables(List<LostTable> lost) {
        if (!lost.isEmpty()) {
            refuseUnlessAccepted("the catalog", lost.stream().map(LostTable::text).toList());
        }
    }

    private void refuseUnlessAccepted(String file, List<String> lost) {
        if (!isAccepted) {
            String more =
                    lost.size() > MOST_TOLD
                            ? "; and %d more".formatted(lost.size() - MOST_TOLD)
                            : "";
            throw new CorruptionException(
                    file, 0, String.join("; ", lost.stream().limit(MOST_TOLD).toList()) + more);
        }
        for (String text : lost) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0}: starting without it, because of --accept-loss",
                    text);
        }
    }
}
