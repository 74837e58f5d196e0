package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.CellHosting;
import io.cleave.cluster.Tablets;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.lsm.table.TableFiles;
import io.cleave.tablet.Background;
import io.cleave.tablet.BlobReferences;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellAgreement;
import io.cleave.tablet.CellHost;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.LostTables;
import io.cleave.tablet.pace.MemtableBudget;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.time.Leadership;
import io.cleave.time.Timeline;
import io.cleave.tree.InterruptedChanges;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Everything below transactions: the system cell with the catalog, the user cells with the tables,
/// and what they share. Servers, tests and simulations open it on different backends.
///
/// All user cells share one blob store, so that a tablet can move between cells without copying its
/// files. All cells are replayed before anything is written or removed, for two reasons: a file
/// that one cell does not name may belong to another, and cells that do not belong together are
/// refused unchanged.
public final class Store implements AutoCloseable {
    /// The size of the catalog's cache of uncompressed blocks.
    private static final long SYSTEM_CACHE_BYTES = 8L << 20;

    private static final System.Logger LOGGER = System.getLogger(Store.class.getName());

    private final Cell system;
    private final UserCells cells;
    private final TableFiles userFiles;
    private final MemtableBudget memtables;
    private final Optional<DiskSpace> space;
    private final Catalog catalog;
    private final Tablets tablets;

    private final StartLosses losses;

    /// The actions that close each part, in the order of opening.
    private final List<Runnable> closing = new ArrayList<>();

    /// The storage that a store is built on.
    public interface Backend {
        /// Opens the log of a cell, and creates it if there is none. The store closes it.
        Log openLog(long cellId);

        /// Removes the log of a cell, which is not open, if there is one. It is durably gone when
        /// this returns. Throws UNAVAILABLE if that is not possible now.
        void removeLog(long cellId);

        /// The ids of the user cells that have logs; empty if the backend cannot tell. The catalog
        /// knows them, too, unless an earlier version has written it.
        default Set<Long> cellIds() {
            return Set.of();
        }

        /// How a cell reaches the others. Tests put faults in between.
        default CellLinks links(CellLinks direct) {
            return direct;
        }

        /// The blob store for the files of the catalog.
        BlobStore systemBlobs();

        /// The blob store for the files of all tables.
        BlobStore userBlobs();

        /// Whether to continue without acknowledged data that is lost.
        default boolean acceptsLoss() {
            return false;
        }

        /// Whether other nodes may take over the same logs.
        default Leadership leadership() {
            return Leadership.ALONE;
        }

        /// The watcher of the disks' free space, if the disks are local.
        default Optional<DiskSpace> space() {
            return Optional.empty();
        }
    }

    /// The sizes of a store.
    ///
    /// @param userCells as many cells are created, unless that many ids were given before
    /// @param cacheBytes the cache of uncompressed blocks of all tables
    /// @param zone the availability zone of this process
    public record Options(
            String database, int userCells, CellOptions cells, long cacheBytes, String zone) {
        public Options(String database, int userCells, CellOptions cells, long cacheBytes) {
            this(database, userCells, cells, cacheBytes, "");
        }
    }

    /// Opens an existing store or creates one. If this throws, everything is closed again.
    public Store(Env env, Backend backend, Options options) {
        losses = new StartLosses(backend.acceptsLoss());
        var timeline = new Timeline(env, backend.leadership());
        var background = new Background(env, options.cells());
        memtables = background.budget();
        space = backend.space();
        try {
            // First, because on a full disk the reserve provides the space for opening the logs.
            space.ifPresent(watch -> watch.start(background.gate()));
            space.ifPresent(watch -> closing.add(watch::close));
            Log systemLog = backend.openLog(Cell.SYSTEM_ID);
            closing.add(systemLog::close);
            losses.opened(Cell.SYSTEM_ID, systemLog);
            var systemFiles = new TableFiles(backend.systemBlobs(), SYSTEM_CACHE_BYTES);
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
            userFiles = new TableFiles(backend.userBlobs(), options.cacheBytes());
            var references = new BlobReferences(userFiles);
            var host = new CellHost(references, timeline, options.cells(), background, env);
            catalog = new Catalog(system);
            cells = new UserCells(backend, host, catalog, losses);
            closing.add(cells::close);
            cells.openAll(options.userCells());
            List<Cell> opened = cells.all();
            long catalogTimestamp = system.losses().newestTimestamp();
            Tablets.check(catalog, opened, cells);
            if (losses.has(Cell.SYSTEM_ID)) {
                losses.refuseLostTables(
                        LostTables.find(
                                opened, catalog.view().tablets()::containsKey, catalogTimestamp));
            }
            List<CellAgreement.Lost> lost = CellAgreement.check(opened);
            losses.refuseUnlessAccepted(lost);
            opened.forEach(cell -> losses.opened(cell, catalog.view()));
            if (losses.has(Cell.SYSTEM_ID)) {
                systemReferences.setAsideOrphans(List.of(system));
            } else {
                systemReferences.removeOrphans(List.of(system));
            }
            if (losses.hasOthers(Cell.SYSTEM_ID)) {
                references.setAsideOrphans(opened);
            } else {
                references.removeOrphans(opened);
            }
            system.start();
            opened.forEach(cell -> cell.transactions().join(cells.links()));
            opened.forEach(cell -> cell.transactions().recover());
            lost.forEach(part -> cell(part.cellId()).losses().acceptLoss(part.timestamp()));
            opened.forEach(cell -> cell.losses().acceptFiles());
            opened.forEach(Cell::start);
            references.setAsideDead(losses.isSome());
            catalog.createTables();
            InterruptedChanges.undo(catalog, options.database());
            tablets = new Tablets(options.database(), options.zone(), catalog, opened, cells, env);
            closing.add(this::closeTablets);
            references.setAsideDead(false);
            systemLog.settleLosses();
            cells.settleLosses();
            tablets.start(options.userCells());
        } catch (CorruptionException e) {
            close();
            throw losses.explain(e);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /// A failed log takes no more records, and the next start does not need what could not be
    /// written.
    private void closeTablets() {
        try {
            tablets.close();
        } catch (StatusException | LogException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while closing", e);
        }
    }

    public Cell system() {
        return system;
    }

    /// The open user cells, by id.
    public List<Cell> cells() {
        return cells.all();
    }

    /// The open user cell with this id.
    public Cell cell(long cellId) {
        return cells.find(cellId)
                .orElseThrow(() -> new IllegalArgumentException("no cell " + cellId));
    }

    /// Opens and closes user cells, for those who create and remove them.
    public CellHosting hosting() {
        return cells;
    }

    Optional<DiskSpace> space() {
        return space;
    }

    public TableFiles userFiles() {
        return userFiles;
    }

    /// The memory that the memtables of all cells use.
    long memtableBytes() {
        return memtables.usedBytes();
    }

    public Catalog catalog() {
        return catalog;
    }

    public Tablets tablets() {
        return tablets;
    }

    /// Announces that the store is about to be closed: from now on nobody waits for a stalled log.
    void endWhenStalled() {
        system.endWhenStalled();
        cells.all().forEach(Cell::endWhenStalled);
    }

    /// Closes cells before their logs.
    @Override
    public void close() {
        closing.reversed().forEach(Runnable::run);
    }
}
