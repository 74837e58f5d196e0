package io.cleave.blob;

import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Makes the number anew that [BlobIds] goes on with, where it is missing or damaged and that was
/// accepted. Ids only have to be new.
public final class BlobIdRepair {
    /// So many ids may have been given out to blobs that are gone, above all that are there.
    private static final long GAP = 1L << 32;

    private BlobIdRepair() {}

    /// What was done, for people; empty when nothing was wrong. `folders` as for [LocalBlobs].
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
                "made %s anew, as --accept-loss asks: new files are numbered from %d on"
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
