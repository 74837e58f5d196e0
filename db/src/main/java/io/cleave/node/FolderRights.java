package io.cleave.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A data folder is for its owner alone: nobody else can go into it, whatever the rights of the
/// files are that older versions have made in it. Where there are no such rights nothing is done.
final class FolderRights {
    private static final System.Logger LOGGER = System.getLogger(FolderRights.class.getName());
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNERS_FILE =
            PosixFilePermissions.fromString("rw-------");

    private FolderRights() {}

    /// A file that was just made, in a folder that is narrow already.
    static void narrowFile(Path file) throws IOException {
        try {
            Files.setPosixFilePermissions(file, OWNERS_FILE);
        } catch (UnsupportedOperationException _) {
            // Not a file system that has them.
        }
    }

    /// Takes the rights of others away, and says so if there were any.
    static void narrow(Path folder) {
        try {
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
            if (OWNER.containsAll(rights)) {
                return;
            }
            Files.setPosixFilePermissions(folder, OWNER);
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "{0} had the rights {1}; it is for its owner alone now (rwx------)",
                    folder,
                    PosixFilePermissions.toString(rights));
        } catch (UnsupportedOperationException _) {
            // Not a file system that has them.
        } catch (IOException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "others may read {0}, and its rights cannot be changed: {1}",
                    folder,
                    StartException.reason(e));
        }
    }
}
