package io.cleave.blob;

import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Restores the file with the next blob id of [BlobIds] if it is missing or damaged, and the
/// operator has accepted this. New ids only have to be unused.
public final class BlobIdRepair {
    /// The repaired number is this much above the highest existing id, because blobs with greater
    /// ids may have existed and been deleted.
    private static final long GAP = 1L << 32;

    private BlobIdRepair() {}

    /// Returns a message for the operator; empty if nothing was wrong. For `folders` see
    /// [LocalBlobs].
    public static Optional<String> run(Disk disk, Map<String, Path> folders) throws IOException {
        Path main = Objects.requireNonNull(folders.get(BlobStore.DEFAULT_MEDIUM));
        Path file = main.resolve(BlobIds.NAME);
        long highest = 0;
        for (Path folder : folders.values()) {
            if (disk.exists(folder)) {
                for (String name : disk.list(folder)) {
                    highest = Math.max(highest, LocalBlobs.idOf(name).orElse(0L));
                }
            }
        }
        if (isGood(disk, file, highest)) {
            return Optional.empty();
        }
        long next = highest + GAP;
        disk.replace(file, BlobIds.text(next).getBytes(StandardCharsets.US_ASCII));
        return Optional.of(
                "rewrote %s because of --accept-loss; new files are numbered from %d on"
                        .formatted(file, next));
    }

    private static boolean isGood(Disk disk, Path file, long highest) throws IOException {
        if (!disk.exists(file)) {
            return highest == 0;
        }
        try {
            return BlobIds.read(disk, file) > highest;
        } catch (CorruptionException e) {
            return false;
        }
    }
}
