package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutBundle;
import io.cleave.catalog.CatalogChange.PutCell;
import io.cleave.catalog.CatalogChange.RemoveCell;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.CellStage;
import io.cleave.tablet.Cell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/// Creates and removes user cells while the node runs. Each step is stored in the catalog before
/// the next one begins, and can be repeated; the next start repeats the one that it finds:
///
/// ```
/// create   initializing      the id and the bundle are stored
///                            the log is created and opened
///          running           the cell may get tablets
/// remove   decommissioning   the cell gets no tablets; the balancer moves away those it has
///                            when nothing needs the cell any more:
///          decommissioned    the cell is closed, its log is removed
///          (no row)          the id is never given again
/// ```
///
/// Threads: any.
public final class CellLifecycle {
    private static final System.Logger LOGGER = System.getLogger(CellLifecycle.class.getName());

    private final HeldTables held;
    private final Cells cells;
    private final Arrivals arrivals;
    private final Replicas replicas;
    private final CellHosting hosting;

    /// One cell is created or removed at a time. Taken before the lock of the catalog.
    private final ReentrantLock lock = new ReentrantLock();

    CellLifecycle(
            HeldTables held,
            Cells cells,
            Arrivals arrivals,
            Replicas replicas,
            CellHosting hosting) {
        this.held = held;
        this.cells = cells;
        this.arrivals = arrivals;
        this.replicas = replicas;
        this.hosting = hosting;
    }

    /// Creates a cell in a bundle, which need not have any, and returns its id. The cell takes
    /// tablets when this returns.
    public long create(String bundle) {
        lock.lock();
        try {
            long cellId = held.changing(() -> record(bundle));
            try {
                open(cellId);
            } catch (StatusException e) {
                abandon(cellId);
                throw e;
            }
            return cellId;
        } finally {
            lock.unlock();
        }
    }

    private long record(String bundle) {
        CatalogView view = held.view();
        CellLimits.checkCells(view);
        long cellId = view.nextCellId();
        var ids = new ArrayList<>(view.bundles().getOrDefault(bundle, List.of()));
        ids.add(cellId);
        held.catalog()
                .change(
                        List.of(
                                new PutCell(cellId, CellStage.INITIALIZING),
                                new PutBundle(bundle, ids)));
        return cellId;
    }

    private void open(long cellId) {
        if (cells.find(cellId).isEmpty()) {
            cells.add(hosting.open(cellId));
        }
        held.change(List.of(new PutCell(cellId, CellStage.RUNNING)));
    }

    /// The cell could not be opened: it goes away as if it had been removed.
    private void abandon(long cellId) {
        try {
            held.change(List.of(new PutCell(cellId, CellStage.DECOMMISSIONED)));
            forget(cellId);
        } catch (StatusException e) {
            // This is done later, or at the next start.
            LOGGER.log(System.Logger.Level.DEBUG, "while a cell was given up", e);
        }
    }

    /// Begins to remove a cell, and removes it at once if nothing needs it. Does nothing if the
    /// cell is already being removed. Throws NOT_FOUND if there is no such cell.
    public void remove(long cellId) {
        lock.lock();
        try {
            held.changing(
                    () -> {
                        CellStage stage = held.view().cells().get(cellId);
                        if (stage == null) {
                            throw new StatusException(
                                    Status.NOT_FOUND, "there is no cell " + cellId);
                        }
                        if (stage.compareTo(CellStage.DECOMMISSIONING) < 0) {
                            held.catalog()
                                    .change(
                                            List.of(
                                                    new PutCell(
                                                            cellId, CellStage.DECOMMISSIONING)));
                        }
                        return true;
                    });
            proceed(cellId);
        } finally {
            lock.unlock();
        }
    }

    /// Goes on with the cells that are being created or removed, whatever fails for one of them.
    public void proceed() {
        changing().forEach(this::proceedLocked);
    }

    private List<Long> changing() {
        return held.view().cells().entrySet().stream()
                .filter(cell -> cell.getValue() != CellStage.RUNNING)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void proceedLocked(long cellId) {
        lock.lock();
        try {
            proceed(cellId);
        } finally {
            lock.unlock();
        }
    }

    private void proceed(long cellId) {
        try {
            finish(cellId);
        } catch (StatusException e) {
            // The next call repeats it.
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    () -> "cell %d stays as it is for now: %s".formatted(cellId, e.getMessage()));
        } catch (RuntimeException e) {
            // Repeated, too: the caller has other cells and tables to look after.
            LOGGER.log(
                    System.Logger.Level.WARNING, "cell " + cellId + " stays as it is for now", e);
        }
    }

    /// Takes up what the end of the process has interrupted, and creates cells until `asked` ids
    /// were given, ever. The open cells are running by now.
    void continueAfterStart(int asked) {
        proceed();
        while (held.view().nextCellId() <= asked) {
            var _ = create(Bundles.DEFAULT);
        }
    }

    /// Does what can be done now for a cell that is being created or removed.
    private void finish(long cellId) {
        CellStage stage = held.view().cells().get(cellId);
        if (stage == null) {
            return;
        }
        switch (stage) {
            case INITIALIZING -> open(cellId);
            case RUNNING -> {}
            case DECOMMISSIONING -> {
                if (!isNeeded(cellId)) {
                    held.change(List.of(new PutCell(cellId, CellStage.DECOMMISSIONED)));
                    forget(cellId);
                }
            }
            case DECOMMISSIONED -> forget(cellId);
        }
    }

    /// Whether a tablet or a transaction needs a cell that gets no tablets any more. If not, this
    /// stays so.
    private boolean isNeeded(long cellId) {
        Optional<Cell> cell = cells.findLocal(cellId);
        return cell.isPresent()
                && (held.changing(() -> arrivals.isAny(cellId) || isNamed(held.view(), cellId))
                        || cells.local().stream().anyMatch(each -> names(each, cellId))
                        || !cell.get().end());
    }

    private static boolean isNamed(CatalogView view, long cellId) {
        for (List<TabletPlace> places : view.tablets().values()) {
            for (TabletPlace place : places) {
                if (place.cellId() == cellId) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether a transaction of the other cell, or a tablet that has left it, needs the cell.
    private static boolean names(Cell other, long cellId) {
        return other.id() != cellId
                && (other.needs(cellId)
                        || other.structure().detached().stream()
                                .anyMatch(tablet -> tablet.targetCellId() == cellId));
    }

    /// Closes a cell that is decommissioned, and removes its log and then its row.
    private void forget(long cellId) {
        cells.remove(cellId);
        replicas.end(cellId);
        hosting.close(cellId);
        hosting.removeLog(cellId);
        held.changing(
                () -> {
                    List<CatalogChange> changes = new ArrayList<>();
                    held.view()
                            .bundles()
                            .forEach(
                                    (bundle, ids) -> {
                                        if (ids.contains(cellId)) {
                                            var left = new TreeSet<>(ids);
                                            left.remove(cellId);
                                            changes.add(new PutBundle(bundle, List.copyOf(left)));
                                        }
                                    });
                    changes.add(new RemoveCell(cellId));
                    held.catalog().change(changes);
                    return true;
                });
        LOGGER.log(System.Logger.Level.INFO, "cell {0} is removed", cellId);
    }
}
