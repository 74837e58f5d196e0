package io.cleave.node;

import io.cleave.blob.BlobStore;
import io.cleave.disk.Disk;
import io.cleave.disk.FileDisk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The folder a node keeps its data in. One process at a time holds it.
///
/// ```
/// FORMAT            the number of the folder's format, as text
/// LOCK              locked while a process uses the folder; holds its process id
/// MEDIA             the other folders that belong to it, if there are any: see Media
/// cells/N/log       the log of cell N
/// cells/0/blobs     the table files of the catalog, which is cell 0
/// blobs             the table files of all other cells
/// reserve           room that is given up when the disk is full: see DiskSpace
/// ```
///
/// Format 1 had one user cell; 2 has logs without marks: see [FolderUpgrade].
final class DataFolder implements AutoCloseable {
    /// On disk. A folder of a greater number was written by a newer version.
    private static final int FORMAT = 3;

    private static final String FORMAT_FILE = "FORMAT";
    static final String BLOBS = "blobs";

    private static final String OPTION = "--data";

    /// Its tables are the catalog, and stay where the catalog is.
    static final long SYSTEM_CELL = 0;

    private static final String SPILLED = "tmp";
    private static final String CELLS = "cells";

    private final Path folder;
    private final FolderLock lock;
    private final Media media;

    private DataFolder(Path folder, FolderLock lock, Media media) {
        this.folder = folder;
        this.lock = lock;
        this.media = media;
    }

    /// Takes the folder and those of the media, making what there is not. Touches nothing when it
    /// cannot.
    static DataFolder open(Path folder, Map<String, Path> media) throws StartException {
        checkFormat(folder);
        Disk disk = new FileDisk();
        try {
            disk.createFolders(folder);
        } catch (IOException e) {
            throw new StartException(
                    "cannot make the data folder %s (%s): choose another with %s"
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
            Media taken = Media.open(disk, folder, media);
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

    /// The number is written last: what a crash leaves of an upgrade is upgraded again.
    private static void bringUpToDate(Disk disk, Path folder, Media media)
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

    /// Of the media beside it.
    List<Path> mediaFolders() {
        return List.copyOf(media.folders().values());
    }

    /// Where queries put rows that do not fit into memory; emptied at every start.
    Path spilled() {
        return folder.resolve(SPILLED);
    }

    Path log(long cellId) {
        return log(folder, cellId);
    }

    /// How many user cells were ever made here.
    int userCells() throws IOException {
        return cells(new FileDisk(), folder).stream().mapToInt(Long::intValue).max().orElse(0);
    }

    Map<String, Path> systemBlobs() {
        return systemBlobs(folder);
    }

    /// The folder of each medium for table files.
    Map<String, Path> userBlobs() {
        Map<String, Path> folders = new TreeMap<>();
        folders.put(BlobStore.DEFAULT_MEDIUM, folder.resolve(BLOBS));
        folders.put(Media.MAIN, folder.resolve(BLOBS));
        media.folders().forEach((name, medium) -> folders.put(name, medium.resolve(BLOBS)));
        return folders;
    }

    static Map<String, Path> systemBlobs(Path data) {
        return Map.of(BlobStore.DEFAULT_MEDIUM, cell(data, SYSTEM_CELL).resolve(BLOBS));
    }

    /// Of a folder of any format, also halfway in an upgrade.
    static Map<String, Path> userBlobs(Disk disk, Path data, Map<String, Path> media)
            throws IOException {
        Map<String, Path> folders = new TreeMap<>();
        Path main = blobsIn(disk, data);
        folders.put(BlobStore.DEFAULT_MEDIUM, main);
        folders.put(Media.MAIN, main);
        for (var medium : media.entrySet()) {
            folders.put(medium.getKey(), blobsIn(disk, medium.getValue()));
        }
        return folders;
    }

    private static Path blobsIn(Disk disk, Path folder) throws IOException {
        Path old = FolderUpgrade.oldBlobs(folder);
        return disk.exists(old) ? old : folder.resolve(BLOBS);
    }

    /// The ids of all cells that were ever made, ascending.
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

    /// Refuses a folder that is something else or of a newer version.
    static void checkFormat(Path folder) throws StartException {
        int format = format(folder);
        if (format > FORMAT) {
            throw new StartException(
                    "the data folder %s has format %d, and this version knows formats up to %d: start it with the newer version that wrote it"
                            .formatted(folder, format, FORMAT));
        }
    }

    /// The number of its format; 0 for a folder that was not used yet.
    private static int format(Path folder) throws StartException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StartException(
                    "the data folder " + folder + " is a file: choose another with " + OPTION);
        }
        Path format = folder.resolve(FORMAT_FILE);
        if (!Files.exists(format)) {
            // The number is written before the first cell is made.
            if (Files.exists(folder.resolve(CELLS))) {
                throw new StartException(
                        "the data folder %s holds cells and has no file %s: it was not copied whole, or is damaged; restore it from a copy"
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
