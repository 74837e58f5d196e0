package io.cleave.node;

import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Upgrades a data folder of an older format to the current one.
///
/// Format 1 had one user cell, with its table files in `cells/1/blobs`. In format 2 the table files
/// of all user cells are in `blobs`, in the data folder and in the folder of each medium. The
/// upgrade renames one folder in each of them. It can be repeated after a crash, because the format
/// number is written last.
///
/// Format 3 has log segments with marks and holes. Segments of format 2 are read unchanged, and
/// disappear when the log is trimmed. Only the number is written, so that an older version reports
/// that it cannot read the folder.
final class FolderUpgrade {
    private FolderUpgrade() {}

    static void run(Disk disk, Path data, Collection<Path> media)
            throws IOException, StartException {
        List<Path> folders = new ArrayList<>(List.of(data));
        folders.addAll(media);
        for (Path folder : folders) {
            Path old = oldBlobs(folder);
            if (disk.exists(old)) {
                rename(disk, old, folder.resolve(DataFolder.BLOBS));
                disk.forceFolder(folder);
                disk.forceFolder(userCell(folder));
            }
        }
    }

    private static void rename(Disk disk, Path old, Path blobs) throws IOException, StartException {
        try {
            disk.rename(old, blobs);
        } catch (IOException e) {
            if (!disk.exists(blobs) || disk.list(blobs).isEmpty()) {
                throw e;
            }
            throw new StartException(
                    ("cannot upgrade the folder to format 2: %s must be renamed to %s, which is not"
                                    + " empty: move its content elsewhere and start again")
                            .formatted(old, blobs));
        }
    }

    /// Where a folder of format 1 has the table files of its user cell.
    static Path oldBlobs(Path folder) {
        return userCell(folder).resolve(DataFolder.BLOBS);
    }

    private static Path userCell(Path folder) {
        return folder.resolve("cells").resolve("1");
    }
}
