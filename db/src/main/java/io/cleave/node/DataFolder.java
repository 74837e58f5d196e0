package io.cleave.node;

import io.cleave.blob.BlobStore;
import io.cleave.disk.Disk;
import io.cleave.disk.FileDisk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The folder a node keeps its data in. One process at a time holds it.
///
/// ```
/// FORMAT            the number of the folder's format, as text
/// LOCK              locked while a process uses the folder; holds its process id
/// MEDIA             the other folders that belong to it, if there are any: see Media
/// cells/N/log       the log of cell N
/// cells/N/blobs     its table files
/// ```
final class DataFolder implements AutoCloseable {
    /// On disk. A folder of a greater number was written by a newer version.
    private static final int FORMAT = 1;

    private static final String OPTION = "--data";

    /// Its tables are the catalog, and stay where the catalog is.
    static final long SYSTEM_CELL = 0;

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
        FolderLock lock = FolderLock.take(folder, "the data folder", OPTION);
        try {
            Path format = folder.resolve("FORMAT");
            if (!Files.exists(format)) {
                disk.replace(format, (FORMAT + "\n").getBytes(StandardCharsets.US_ASCII));
            }
            return new DataFolder(folder, lock, Media.open(disk, folder, media));
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

    Path log(long cellId) {
        return log(folder, cellId);
    }

    /// The folder of each medium for the blobs of a cell.
    Map<String, Path> blobs(long cellId) {
        return blobs(folder, media.folders(), cellId);
    }

    static Map<String, Path> blobs(Path data, Map<String, Path> media, long cellId) {
        Path main = cell(data, cellId).resolve("blobs");
        Map<String, Path> blobs = new HashMap<>();
        blobs.put(BlobStore.DEFAULT_MEDIUM, main);
        blobs.put(Media.MAIN, main);
        if (cellId != SYSTEM_CELL) {
            media.forEach((name, medium) -> blobs.put(name, cell(medium, cellId).resolve("blobs")));
        }
        return blobs;
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
        return folder.resolve("cells").resolve(Long.toString(cellId));
    }

    /// Refuses a folder that is something else or of a newer version.
    static void checkFormat(Path folder) throws StartException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StartException(
                    "the data folder " + folder + " is a file: choose another with " + OPTION);
        }
        Path format = folder.resolve("FORMAT");
        if (!Files.exists(format)) {
            return;
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
        int number = Integer.parseInt(text.strip());
        if (number > FORMAT) {
            throw new StartException(
                    "the data folder %s has format %d, and this version knows formats up to %d: start it with the newer version that wrote it"
                            .formatted(folder, number, FORMAT));
        }
    }
}
