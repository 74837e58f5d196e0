package io.cleave.node;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogView;
import io.cleave.cluster.CellHosting;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.OnDamage;
import io.cleave.schema.CellStage;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellHost;
import io.cleave.tablet.twophase.CellLink;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.tablet.twophase.GoneCell;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/// The open user cells of a store and their logs. Cells are opened and closed while the store is
/// used.
///
/// Threads: any thread finds cells. One thread at a time opens or closes one.
final class UserCells implements CellHosting, AutoCloseable {
    private final Store.Backend backend;
    private final CellHost host;
    private final Catalog catalog;
    private final StartLosses losses;
    private final CellLinks links;

    private final SortedMap<Long, OpenCell> open = new ConcurrentSkipListMap<>();

    /// @param cell null if only the log could be opened
    private record OpenCell(Log log, @Nullable Cell cell) {}

    UserCells(Store.Backend backend, CellHost host, Catalog catalog, StartLosses losses) {
        this.backend = backend;
        this.host = host;
        this.catalog = catalog;
        this.losses = losses;
        links = backend.links(this::link);
    }

    /// Opens the cells of a store that starts. They are not started yet, and have not joined the
    /// others.
    void openAll(int asked) {
        for (long cellId : toOpen(catalog.view(), backend.cellIds(), asked)) {
            Log log = backend.openLog(cellId);
            open.put(cellId, new OpenCell(log, null));
            losses.opened(cellId, log);
            var cell =
                    new Cell(
                            cellId,
                            log,
                            host,
                            backend.acceptsLoss() ? OnDamage.ACCEPT_LOSS : OnDamage.REFUSE);
            open.put(cellId, new OpenCell(log, cell));
        }
    }

    /// The cells to open at a start: those that the catalog has, unless their logs are being
    /// removed. A cell with a log that the catalog does not have was created by an earlier version,
    /// or the end of the catalog's log is lost. If the catalog has never had a cell, all ids up to
    /// `asked` are opened too.
    static SortedSet<Long> toOpen(CatalogView view, Collection<Long> withLogs, int asked) {
        SortedSet<Long> ids = new TreeSet<>(withLogs);
        if (view.nextCellId() == 0) {
            long last = ids.isEmpty() ? asked : Math.max(asked, ids.last());
            for (long cellId = 1; cellId <= last; cellId++) {
                ids.add(cellId);
            }
        }
        view.cells()
                .forEach(
                        (cellId, stage) -> {
                            if (stage == CellStage.DECOMMISSIONED) {
                                ids.remove(cellId);
                            } else {
                                ids.add(cellId);
                            }
                        });
        return ids;
    }

    /// The losses that the logs were opened with are repaired.
    void settleLosses() {
        open.values().forEach(each -> each.log.settleLosses());
    }

    /// By id.
    List<Cell> all() {
        return open.values().stream()
                .flatMap(each -> Optional.ofNullable(each.cell).stream())
                .toList();
    }

    Optional<Cell> find(long cellId) {
        return Optional.ofNullable(open.get(cellId)).map(OpenCell::cell);
    }

    /// How each cell reaches the others.
    CellLinks links() {
        return links;
    }

    private CellLink link(long cellId) {
        Optional<Cell> cell = find(cellId);
        if (cell.isPresent()) {
            return cell.get().transactions();
        }
        if (catalog.view().isCellGone(cellId)) {
            return new GoneCell(cellId);
        }
        throw new StatusException(Status.UNAVAILABLE, "no cell " + cellId);
    }

    @Override
    public CellHost shared() {
        return host;
    }

    @Override
    public Cell open(long cellId) {
        Log log = null;
        try {
            log = backend.openLog(cellId);
            var cell = new Cell(cellId, log, host, OnDamage.REFUSE);
            open.put(cellId, new OpenCell(log, cell));
            cell.transactions().join(links);
            cell.start();
            return cell;
        } catch (LogException | UncheckedIOException e) {
            open.remove(cellId);
            if (log != null) {
                log.close();
            }
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "the log of cell %d could not be created: %s"
                            .formatted(cellId, e.getMessage()));
        }
    }

    @Override
    public void close(long cellId) {
        OpenCell closed = open.get(cellId);
        if (closed != null) {
            if (closed.cell != null) {
                closed.cell.closeForGood();
            }
            closed.log.close();
            // Until then the cell answers late messages by itself.
            open.remove(cellId);
        }
    }

    @Override
    public void removeLog(long cellId) {
        backend.removeLog(cellId);
    }

    /// Closes the cells before their logs, the last ones first.
    @Override
    public void close() {
        for (OpenCell each : new TreeMap<>(open).descendingMap().values()) {
            if (each.cell != null) {
                each.cell.close();
            }
            each.log.close();
        }
    }
}
