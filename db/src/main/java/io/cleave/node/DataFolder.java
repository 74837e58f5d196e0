package io.cleave.node;

import io.cleave.blob.BlobStore;
import io.cleave.disk.Disk;
import io.cleave.disk.FileDisk;
import io.cleave.log.LocalLog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The folder in which a node stores its data. Only one process at a time uses it.
///
/// ```
/// FORMAT            the number of the folder's format, as text
/// LOCK              locked while a process uses the folder; holds its process id
/// MEDIA             the other folders that belong to it, if there are any: see MediaFolders
/// cells/N/log       the log of cell N
/// cells/0/blobs     the table files of the catalog, which is cell 0
/// blobs             the table files of all other cells
/// tmp               rows of queries that do not fit into memory; emptied at every start
/// reserve           space that is released when the disk is full: see DiskSpace
/// ```
///
/// Format 1 had one user cell; format 2 had logs without marks: see [FolderUpgrade].
final class DataFolder implements AutoCloseable {
    /// Stored on disk. A folder with a greater number was written by a newer version.
    private static final int FORMAT = 3;

    private static final String FORMAT_FILE = "FORMAT";
    static final String BLOBS = "blobs";

    private static final String OPTION = "--data";

    /// The tables of this cell are the catalog.
    static final long SYSTEM_CELL = 0;

    private static final String SPILLED = "tmp";
    private static final String CELLS = "cells";

    private final Path folder;
    private final FolderLock lock;
    private final MediaFolders media;

    private DataFolder(Path folder, FolderLock lock, MediaFolders media) {
        this.folder = folder;
        this.lock = lock;
        this.media = media;
    }

    /// Locks the folder and those of the media, and creates what is missing. Changes no data of a
    /// folder that is in use or was written by a newer version.
    static DataFolder open(Path folder, Map<String, Path> media) throws StartException {
        checkFormat(folder);
        Disk disk = new FileDisk();
        try {
            disk.createFolders(folder);
        } catch (IOException e) {
            throw new StartException(
                    "cannot create the data folder %s (%s): choose another with %s"
                            .formatted(folder, StartException.reason(e), OPTION));
        }
        if (!Files.isWritable(folder)) {
            throw new StartException(
                    "cannot write to the data folder %s: change its permissions or choose another with %s"
                            .formatted(folder, OPTION));
        }
        FolderRights.narrow(folder);
        FolderLock lock = FolderLock.take(folder, "the data folder", OPTION);
        try {
            MediaFolders taken = MediaFolders.open(disk, folder, media);
            try {
                bringUpToDate(disk, folder, taken);
                disk.createFolders(folder.resolve(SPILLED));
            } catch (IOException | StartException e) {
                taken.close();
                throw e;
            }
            return new DataFolder(folder, lock, taken);
        } catch (IOException e) {
            lock.close();
            throw new StartException(
                    "cannot write to the data folder %s (%s)"
                            .formatted(folder, StartException.reason(e)));
        } catch (StartException e) {
            lock.close();
            throw e;
        }
    }

    /// The format number is written last, so that an upgrade interrupted by a crash is run again.
    private static void bringUpToDate(Disk disk, Path folder, MediaFolders media)
            throws IOException, StartException {
        int format = format(folder);
        if (format < FORMAT) {
            if (format > 0) {
                FolderUpgrade.run(disk, folder, media.folders().values());
            }
            byte[] text = (FORMAT + "\n").getBytes(StandardCharsets.US_ASCII);
            disk.replace(folder.resolve(FORMAT_FILE), text);
        }
    }

    Path path() {
        return folder;
    }

    /// The folders of the other media.
    List<Path> mediaFolders() {
        return List.copyOf(media.folders().values());
    }

    /// The folder for rows of queries that do not fit into memory; emptied at every start.
    Path spilled() {
        return folder.resolve(SPILLED);
    }

    Path log(long cellId) {
        return log(folder, cellId);
    }

    /// The ids of the user cells that have logs.
    Set<Long> userCells() throws IOException {
        Set<Long> found = new TreeSet<>();
        for (long cellId : cells(new FileDisk(), folder)) {
            if (cellId != SYSTEM_CELL && hasLog(folder, cellId)) {
                found.add(cellId);
            }
        }
        return found;
    }

    /// Removes the log of a cell, and its folder unless something else is there. The log is durably
    /// gone when this returns.
    void removeLog(long cellId) throws IOException {
        Disk disk = new FileDisk();
        LocalLog.remove(disk, log(cellId));
        Path of = cell(folder, cellId);
        for (Path each : List.of(log(cellId), of)) {
            if (disk.exists(each) && disk.list(each).isEmpty()) {
                disk.delete(each);
            }
        }
        disk.forceFolder(folder.resolve(CELLS));
    }

    Map<String, Path> systemBlobs() {
        return systemBlobs(folder);
    }

    /// The folder for table files, by medium.
    Map<String, Path> userBlobs() {
        Map<String, Path> folders = new TreeMap<>();
        folders.put(BlobStore.DEFAULT_MEDIUM, folder.resolve(BLOBS));
        folders.put(MediaFolders.MAIN, folder.resolve(BLOBS));
        media.folders().forEach((name, medium) -> folders.put(name, medium.resolve(BLOBS)));
        return folders;
    }

    static Map<String, Path> systemBlobs(Path data) {
        return Map.of(BlobStore.DEFAULT_MEDIUM, cell(data, SYSTEM_CELL).resolve(BLOBS));
    }

    /// The folder for table files, by medium, for a folder of any format, even in the middle of an
    /// upgrade.
    static Map<String, Path> userBlobs(Disk disk, Path data, Map<String, Path> media)
            throws IOException {
        Map<String, Path> folders = new TreeMap<>();
        Path main = blobsIn(disk, data);
        folders.put(BlobStore.DEFAULT_MEDIUM, main);
        folders.put(MediaFolders.MAIN, main);
        for (var medium : media.entrySet()) {
            folders.put(medium.getKey(), blobsIn(disk, medium.getValue()));
        }
        return folders;
    }

    private static Path blobsIn(Disk disk, Path folder) throws IOException {
        Path old = FolderUpgrade.oldBlobs(folder);
        return disk.exists(old) ? old : folder.resolve(BLOBS);
    }

    /// The ids of all cells that have folders, ascending.
    static List<Long> cells(Disk disk, Path data) throws IOException {
        Path cells = data.resolve(CELLS);
        if (!disk.exists(cells)) {
            return List.of();
        }
        return disk.list(cells).stream()
                .filter(name -> name.matches("0|[1-9][0-9]{0,8}"))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        media.close();
        lock.close();
    }

    static Path log(Path data, long cellId) {
        return cell(data, cellId).resolve("log");
    }

    private static Path cell(Path folder, long cellId) {
        return folder.resolve(CELLS).resolve(Long.toString(cellId));
    }

    /// Throws if the folder is not a data folder, was written by a newer version, or has lost all
    /// its logs: a start would take it for a new folder and remove the table files.
    static void checkFormat(Path folder) throws StartException {
        int format = format(folder);
        if (format > FORMAT) {
            throw new StartException(
                    ("the data folder %s has format %d, and this version supports formats up to %d:"
                                    + " start it with the newer version that wrote it")
                            .formatted(folder, format, FORMAT));
        }
        try {
            if (hasFile(folder.resolve(BLOBS), ".blob") && !hasLog(folder)) {
                throw new StartException(
                        ("the data folder %s has table files, but no log that names them (%s): it"
                                        + " is damaged, or an incomplete copy; restore the whole"
                                        + " folder from a copy")
                                .formatted(folder, folder.resolve(CELLS)));
            }
        } catch (IOException e) {
            throw new StartException(
                    "cannot read the data folder %s (%s)"
                            .formatted(folder, StartException.reason(e)));
        }
    }

    /// A log never loses its last segment, and is older than the table files of its cell.
    private static boolean hasLog(Path folder) throws IOException {
        for (long cellId : cells(new FileDisk(), folder)) {
            if (hasLog(folder, cellId)) {
                return true;
            }
        }
        return false;
    }

    static boolean hasLog(Path folder, long cellId) throws IOException {
        return hasFile(log(folder, cellId), ".log");
    }

    private static boolean hasFile(Path folder, String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(ending));
        }
    }

    /// The number of the folder's format; 0 if the folder was not used yet.
    private static int format(Path folder) throws StartException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StartException(
                    "the data folder " + folder + " is a file: choose another with " + OPTION);
        }
        Path format = folder.resolve(FORMAT_FILE);
        if (!Files.exists(format)) {
            // The number is written before the first cell is created.
            if (Files.exists(folder.resolve(CELLS))) {
                throw new StartException(
                        ("the data folder %s has cells, but no file %s: it is damaged, or an"
                                        + " incomplete copy; restore it from a copy")
                                .formatted(folder, FORMAT_FILE));
            }
            return 0;
        }
        String text;
        try {
            text = Files.readString(format, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new StartException(
                    "cannot read " + format + " (" + StartException.reason(e) + ")");
        }
        if (!text.matches("[1-9][0-9]{0,8}\n")) {
            throw new StartException(
                    "%s is not a data folder of Cleave: its FORMAT says '%s'"
                            .formatted(folder, text.strip()));
        }
        return Integer.parseInt(text.strip());
    }
}
