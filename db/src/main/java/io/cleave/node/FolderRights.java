package io.cleave.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Restricts a data folder to its owner. Nobody else can enter it, whatever the permissions of
/// files that older versions created in it. Does nothing on file systems without POSIX permissions.
final class FolderRights {
    private static final System.Logger LOGGER = System.getLogger(FolderRights.class.getName());
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNERS_FILE =
            PosixFilePermissions.fromString("rw-------");

    private FolderRights() {}

    /// Restricts a new file, in a folder that is already restricted.
    static void narrowFile(Path file) throws IOException {
        try {
            Files.setPosixFilePermissions(file, OWNERS_FILE);
        } catch (UnsupportedOperationException _) {
            // The file system has no POSIX permissions.
        }
    }

    /// Removes the permissions of others, and logs that if there were any.
    static void narrow(Path folder) {
        try {
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
            if (OWNER.containsAll(rights)) {
                return;
            }
            Files.setPosixFilePermissions(folder, OWNER);
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "{0} had the permissions {1}; now only its owner has access (rwx------)",
                    folder,
                    PosixFilePermissions.toString(rights));
        } catch (UnsupportedOperationException _) {
            // The file system has no POSIX permissions.
        } catch (IOException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "others may read {0}, and its permissions cannot be changed: {1}",
                    folder,
                    StartException.reason(e));
        }
    }
}
