package io.cleave.bookkeeper;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A folder for a bookie's ledgers, and how much of the disk that it is on may be used before the
/// bookie calls it full: a little more than is used now. A large file beside it then fills it.
///
/// The disk is in memory where the system has one, because others hardly write there.
final class AlmostFullDisk implements AutoCloseable {
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final long MOST_MARGIN = 128 << 20;
    private static final int PIECE = 1 << 20;

    private final Path folder;
    private final float threshold;
    private final long fillBytes;

    private AlmostFullDisk(Path folder) {
        this.folder = folder;
        File disk = folder.toFile();
        long total = disk.getTotalSpace();
        long usable = disk.getUsableSpace();
        // What the bookie writes itself stays far below.
        long margin = Math.min(MOST_MARGIN, usable / 2);
        threshold = (total - usable + margin) / (float) total;
        fillBytes = margin + PIECE;
    }

    static AlmostFullDisk make(Path otherwise) throws IOException {
        boolean isInMemory = Files.isDirectory(IN_MEMORY) && Files.isWritable(IN_MEMORY);
        Path parent = isInMemory ? IN_MEMORY : otherwise;
        return new AlmostFullDisk(Files.createTempDirectory(parent, "ledgers"));
    }

    /// Of BookKeeper: where the ledgers are, and when that is full.
    String bookieSettings() {
        return """
        ledgerDirectories=%s
        diskUsageThreshold=%s
        diskUsageWarnThreshold=%s
        diskUsageLwmThreshold=%s
        diskCheckInterval=200
        minUsableSizeForEntryLogCreation=1
        minUsableSizeForIndexFileCreation=1
        minUsableSizeForHighPriorityWrites=1
        """
                .formatted(folder.resolve("ledgers"), threshold, threshold, threshold);
    }

    void fill() throws IOException {
        try (var out = Files.newOutputStream(filler())) {
            byte[] piece = new byte[PIECE];
            for (long written = 0; written < fillBytes; written += PIECE) {
                out.write(piece);
            }
        }
    }

    void empty() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
