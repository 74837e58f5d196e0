package io.cleave.node;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.blob.LocalBlobs;
import io.cleave.catalog.ActionRows;
import io.cleave.catalog.CatalogReader;
import io.cleave.catalog.IndexPositions;
import io.cleave.catalog.RoundRows;
import io.cleave.cluster.Reconciliation;
import io.cleave.disk.Disk;
import io.cleave.disk.FileDisk;
import io.cleave.disk.OverlayDisk;
import io.cleave.log.LocalLog;
import io.cleave.log.LogCheck;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.log.OnDamage;
import io.cleave.lsm.table.TableFiles;
import io.cleave.tablet.CellAgreement;
import io.cleave.tablet.CellImage;
import io.cleave.tablet.LostTables;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Checks a data folder that no server uses, and writes nothing. Checks every record of the logs,
/// what the cells say about their files, every block of every table file, the catalog against the
/// cells, and the indexes against their tables.
///
/// It reads through an [OverlayDisk], so that the same code opens a store here and in a server.
public final class Fsck {
    private static final String RESTORE =
            "restore the file from a copy; a server refuses to read damaged data";

    /// The size of the block cache while rows are looked up.
    private static final long CACHE_BYTES = 64L << 20;

    private final Path data;
    private final Map<String, Path> media;
    private final Disk disk = new OverlayDisk(new FileDisk());
    private final Env env = new SystemEnv();
    private final FsckReport report = new FsckReport();
    private final Map<Long, List<CellImage.Outline>> outlines = new TreeMap<>();
    private CatalogReader.@Nullable Contents catalog;
    private Map<Long, Long> positions = Map.of();

    /// The rows of actions, by number.
    private SortedMap<Long, Bytes> actions = Collections.emptySortedMap();

    /// The newest timestamp in the catalog's log, and whether that log ends with a record that was
    /// not written completely.
    private long catalogTimestamp;

    private boolean isCatalogCut;

    private Fsck(Path data, Map<String, Path> media) {
        this.data = data;
        this.media = media;
    }

    /// Throws if the folder is in use or is not a data folder. `media` has the current folders of
    /// media that were moved since the last start.
    public static FsckReport run(Path data, Map<String, Path> media) throws StartException {
        DataFolder.checkFormat(data);
        if (!Files.exists(data.resolve("FORMAT"))) {
            throw new StartException(data + " is not a data folder of Cleave: it has no FORMAT");
        }
        List<FolderLock> locks = new ArrayList<>();
        try {
            Map<String, Path> folders = findMedia(data, media);
            share(locks, data);
            for (Path folder : folders.values()) {
                share(locks, folder);
            }
            var fsck = new Fsck(data, folders);
            fsck.checkAll();
            return fsck.report;
        } catch (IOException e) {
            throw new StartException("cannot read " + data + ": " + StartException.reason(e));
        } finally {
            locks.forEach(FolderLock::close);
        }
    }

    private static void share(List<FolderLock> locks, Path folder) throws StartException {
        FolderLock lock = FolderLock.share(folder);
        if (lock != null) {
            locks.add(lock);
        }
    }

    private static Map<String, Path> findMedia(Path data, Map<String, Path> given)
            throws StartException, IOException {
        Map<String, Path> folders = new TreeMap<>();
        MediaFolders.Known known = MediaFolders.read(new FileDisk(), data);
        if (known != null) {
            known.lastFolders().forEach((name, last) -> folders.put(name, Path.of(last)));
            folders.putAll(given);
            for (var medium : folders.entrySet()) {
                MediaFolders.checkMarker(medium.getKey(), medium.getValue(), known.id());
            }
        }
        return folders;
    }

    private void checkAll() throws IOException {
        report.looked("data folder " + data);
        media.forEach((name, folder) -> report.looked("medium " + name + " " + folder));
        checkSystemCell();
        if (checkUserCells() && catalog != null) {
            Map<Long, List<Reconciliation.CellTablet>> tablets =
                    new CatalogCheck(report, catalog, outlines).run();
            new ActionsCheck(report, catalog.view()).run(actions);
            if (tablets != null && report.isClean()) {
                checkRows(catalog, tablets);
            }
        } else {
            report.looked("catalog: not checked, because the files it depends on are damaged");
        }
    }

    private void checkSystemCell() throws IOException {
        Map<String, Path> folders = DataFolder.systemBlobs(data);
        var check = new FilesCheck(report);
        boolean isKnown = checkCell(DataFolder.SYSTEM_CELL, check);
        TableFiles files = open(folders);
        if (files != null && check.run(files, isKnown) && isKnown) {
            readCatalog(files);
        }
    }

    /// The user cells share their files. Returns whether the tablets of all of them are known.
    private boolean checkUserCells() throws IOException {
        Map<String, Path> folders = DataFolder.userBlobs(disk, data, media);
        var check = new FilesCheck(report);
        boolean areKnown = true;
        var stages = new StagesCheck(report, data, catalog);
        for (long cellId : stages.run(DataFolder.cells(disk, data))) {
            areKnown &= checkCell(cellId, check);
        }
        TableFiles files = open(folders);
        if (files == null) {
            return false;
        }
        check.run(files, areKnown);
        return areKnown;
    }

    /// Checks the cells against each other, and the indexes against their tables.
    private void checkRows(
            CatalogReader.Contents found, Map<Long, List<Reconciliation.CellTablet>> tablets)
            throws IOException {
        Map<Long, CellImage> images = new TreeMap<>();
        var files =
                new TableFiles(
                        new LocalBlobs(disk, DataFolder.userBlobs(disk, data, media)), CACHE_BYTES);
        for (long cellId : outlines.keySet()) {
            if (cellId != DataFolder.SYSTEM_CELL) {
                reading(
                        cellId,
                        log -> {
                            images.put(cellId, CellImage.read(log, files, env));
                            return true;
                        });
            }
        }
        for (CellAgreement.Lost lost : CellAgreement.checkImages(images)) {
            report.damage(lost.log(), lost.text(), RESTORE);
        }
        if (isCatalogCut) {
            LostTables.findInImages(images, found.view().tablets()::containsKey, catalogTimestamp)
                    .forEach(lost -> report.damage("the catalog", lost.text(), RESTORE));
        }
        if (report.isClean()) {
            new IndexesCheck(report, found.view(), positions, images, tablets).run();
        }
    }

    /// Opens the table files; null if that fails. Leftover files are noted first, because opening
    /// hides them.
    private @Nullable TableFiles open(Map<String, Path> folders) throws IOException {
        new BlobFolders(disk, report).noteLeftovers(folders);
        try {
            return new TableFiles(new LocalBlobs(disk, folders), 0);
        } catch (CorruptionException e) {
            report.damage(e, RESTORE);
            return null;
        }
    }

    private boolean checkCell(long cellId, FilesCheck files) throws IOException {
        Path logFolder = DataFolder.log(data, cellId);
        LogCheck.Result log = LogCheck.run(disk, logFolder);
        report.looked(
                "cell %d: log of %s, %s, %d bytes"
                        .formatted(
                                cellId,
                                FsckReport.count(log.segments(), "segment"),
                                FsckReport.count(log.records(), "record"),
                                log.bytes()));
        for (LogCheck.Problem problem : log.problems()) {
            if (problem.isDamage()) {
                report.damage(problem.file(), problem.offset(), problem.what(), RESTORE);
            } else {
                report.note(problem.file() + " at " + problem.offset(), problem.what());
            }
        }
        if (cellId == DataFolder.SYSTEM_CELL) {
            isCatalogCut = !log.problems().isEmpty();
        }
        return log.isWhole() && checkTablets(cellId, files);
    }

    private boolean checkTablets(long cellId, FilesCheck files) {
        return reading(
                cellId,
                log -> {
                    List<CellImage.Outline> tablets = CellImage.outlines(log);
                    outlines.put(cellId, tablets);
                    int fileCount = files.add(tablets);
                    return new CellCheck(report, cellId).run(tablets, fileCount);
                });
    }

    private void readCatalog(TableFiles files) {
        reading(
                DataFolder.SYSTEM_CELL,
                log -> {
                    catalog =
                            outlines.getOrDefault(DataFolder.SYSTEM_CELL, List.of()).isEmpty()
                                    ? CatalogReader.nothing()
                                    : readCatalog(log, files);
                    return true;
                });
    }

    private interface LogReading {
        boolean read(LocalLog log);
    }

    /// Returns false if the log, or a file read because of it, is damaged.
    private boolean reading(long cellId, LogReading reading) {
        Path folder = DataFolder.log(data, cellId);
        try (var log = openLog(folder)) {
            return reading.read(log);
        } catch (CorruptionException e) {
            report.damage(e, RESTORE);
        } catch (LogException | UncheckedIOException | IllegalStateException e) {
            report.damage(folder.toString(), 0, String.valueOf(e.getMessage()), RESTORE);
        }
        return false;
    }

    private LocalLog openLog(Path folder) {
        return new LocalLog(disk, folder, env, LogOptions.DEFAULT, _ -> {}, OnDamage.LOOK);
    }

    private CatalogReader.Contents readCatalog(LocalLog log, TableFiles files) {
        CellImage image = CellImage.read(log, files, env);
        catalogTimestamp = image.newestTimestamp();
        positions = IndexPositions.read(image::tablet, image.newestTimestamp());
        actions = ActionRows.read(image::tablet, image.newestTimestamp());
        checkRounds(image);
        return CatalogReader.read(image::tablet, image.newestTimestamp());
    }

    /// A server starts with a row that it cannot read, but YTsaurus' rules then change nothing.
    private void checkRounds(CellImage image) {
        try {
            var _ = RoundRows.read(image::tablet, image.newestTimestamp());
        } catch (CorruptionException e) {
            report.damage(e, "start the version of Cleave that wrote it");
        }
    }
}
