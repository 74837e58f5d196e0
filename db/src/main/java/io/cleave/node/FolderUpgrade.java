package io.cleave.node;

import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Brings a data folder of an older format to the present one.
///
/// Format 1 had one user cell, whose table files were in `cells/1/blobs`; in format 2 those of all
/// user cells are in `blobs`, here and in the folders of the media. That takes a rename in each,
/// which may be done again from wherever a crash has stopped it: the folder's number is written
/// last.
///
/// Format 3 has log segments with marks and holes. Those of format 2 are read as they are, and go
/// when the log is trimmed: there is nothing to be done but to write the number, so that an older
/// version says that it cannot read the folder.
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
                    "cannot bring the folder to format 2: %s has to become %s, which is not empty: move what is there elsewhere and start again"
                            .formatted(old, blobs));
        }
    }

    /// Where the table files of the user cell are in a folder of format 1, or were.
    static Path oldBlobs(Path folder) {
        return userCell(folder).resolve(DataFolder.BLOBS);
    }

    private static Path userCell(Path folder) {
        return folder.resolve("cells").resolve("1");
    }
}
