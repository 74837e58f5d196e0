package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.LocalCluster;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.lsm.TableFiles;
import io.cleave.tablet.Background;
import io.cleave.tablet.BlobReferences;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellAgreement;
import io.cleave.tablet.CellLink;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Leadership;
import io.cleave.tablet.MemtableBudget;
import io.cleave.tablet.Timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Everything below transactions: the system cell with the catalog, the user cells with the tables,
/// and what they share. Servers, tests and simulations open it on grounds of their own.
///
/// All user cells share their blobs, so that a tablet can move from one to another without its
/// files. They are replayed before anything is written or removed: a file that one does not name
/// may be another's, and cells that do not belong together are refused as they are.
public final class Store implements AutoCloseable {
    /// Of uncompressed blocks of the catalog.
    private static final long SYSTEM_CACHE_BYTES = 8L << 20;

    private static final System.Logger LOGGER = System.getLogger(Store.class.getName());

    private final Cell system;
    private final List<Cell> cells;
    private final TableFiles userFiles;
    private final MemtableBudget memtables;
    private final Optional<DiskSpace> space;
    private final Catalog catalog;
    private final LocalCluster cluster;

    private final StartLosses losses;

    /// What closes each part, in the order they were opened.
    private final List<Runnable> closing = new ArrayList<>();

    /// What a store stands on.
    public interface Ground {
        /// Opens the log of a cell; the store closes it.
        Log openLog(long cellId);

        /// For the files of the catalog.
        BlobStore systemBlobs();

        /// For the files of all tables.
        BlobStore userBlobs();

        /// Whether to go on with less than was acknowledged, if it has to be.
        default boolean acceptsLoss() {
            return false;
        }

        /// Whether others may come to write the same logs.
        default Leadership leadership() {
            return Leadership.ALONE;
        }

        /// Who watches the room on its disks, where they are its own.
        default Optional<DiskSpace> space() {
            return Optional.empty();
        }
    }

    /// How much of it there is.
    ///
    /// @param userCells as many as there ever were, or more
    /// @param cacheBytes of uncompressed blocks of all tables together
    public record Options(String database, int userCells, CellOptions cells, long cacheBytes) {}

    /// Opens what is there, or makes it. When it throws, everything is closed again.
    public Store(Env env, Ground ground, Options options) {
        losses = new StartLosses(ground.acceptsLoss());
        var timeline = new Timeline(env, ground.leadership());
        var background = new Background(env, options.cells());
        memtables = background.budget();
        space = ground.space();
        try {
            // First, for on a full disk the reserve is what the logs are opened with.
            space.ifPresent(watch -> watch.start(background.gate()));
            space.ifPresent(watch -> closing.add(watch::close));
            Log systemLog = open(ground, Cell.SYSTEM_ID);
            var systemFiles = new TableFiles(ground.systemBlobs(), SYSTEM_CACHE_BYTES);
            var systemReferences = new BlobReferences(systemFiles);
            system =
                    new Cell(
                            Cell.SYSTEM_ID,
                            systemLog,
                            systemReferences,
                            timeline,
                            options.cells(),
                            background,
                            env);
            closing.add(system::close);
            userFiles = new TableFiles(ground.userBlobs(), options.cacheBytes());
            var references = new BlobReferences(userFiles);
            List<Cell> opened = new ArrayList<>();
            for (long cellId = 1; cellId <= options.userCells(); cellId++) {
                Log log = open(ground, cellId);
                var cell =
                        new Cell(
                                cellId,
                                log,
                                references,
                                timeline,
                                options.cells(),
                                background,
                                env);
                closing.add(cell::close);
                opened.add(cell);
            }
            cells = List.copyOf(opened);
            catalog = new Catalog(system);
            LocalCluster.check(catalog, cells);
            List<CellAgreement.Lost> lost = CellAgreement.check(cells);
            losses.refuseUnlessAccepted(lost);
            if (losses.has(Cell.SYSTEM_ID)) {
                systemReferences.setAsideOrphans(List.of(system));
            } else {
                systemReferences.removeOrphans(List.of(system));
            }
            if (losses.hasOthers(Cell.SYSTEM_ID)) {
                references.setAsideOrphans(cells);
            } else {
                references.removeOrphans(cells);
            }
            system.start();
            cells.forEach(cell -> cell.transactions().join(this::link));
            cells.forEach(cell -> cell.transactions().recover());
            lost.forEach(part -> cell(part.cellId()).acceptLoss(part.timestamp()));
            cells.forEach(Cell::start);
            cluster = new LocalCluster(options.database(), catalog, cells, env);
            closing.add(this::closeCluster);
        } catch (CorruptionException e) {
            close();
            throw losses.explain(e);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private Cell cell(long cellId) {
        return cells.get((int) cellId - 1);
    }

    private CellLink link(long cellId) {
        if (cellId < 1 || cellId > cells.size()) {
            throw new StatusException(Status.UNAVAILABLE, "no cell " + cellId);
        }
        return cell(cellId).transactions();
    }

    private Log open(Ground ground, long cellId) {
        Log log = ground.openLog(cellId);
        closing.add(log::close);
        losses.opened(cellId, log);
        return log;
    }

    /// A log that has failed takes nothing any more, and the next start does without it.
    private void closeCluster() {
        try {
            cluster.close();
        } catch (StatusException | LogException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while closing", e);
        }
    }

    public Cell system() {
        return system;
    }

    /// The user cells, by their ids, which begin with 1.
    public List<Cell> cells() {
        return cells;
    }

    Optional<DiskSpace> space() {
        return space;
    }

    public TableFiles userFiles() {
        return userFiles;
    }

    /// What the memtables of all cells have in memory.
    long memtableBytes() {
        return memtables.usedBytes();
    }

    public Catalog catalog() {
        return catalog;
    }

    public LocalCluster cluster() {
        return cluster;
    }

    /// It is going to be closed, and those above it are being closed already: nobody waits for a
    /// log that stalls from now on.
    void endWhenStalled() {
        system.endWhenStalled();
        cells.forEach(Cell::endWhenStalled);
    }

    /// Closes cells before the logs they write.
    @Override
    public void close() {
        closing.reversed().forEach(Runnable::run);
    }
}
