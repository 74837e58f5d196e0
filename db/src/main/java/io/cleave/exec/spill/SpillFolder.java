package io.cleave.exec.spill;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// The folder for rows that do not fit into the memory of their runs. A file lives as long as its
/// run; files that are left after a restart are deleted. `maxBytes` limits the size of the files of
/// all runs together. Threads: any.
public final class SpillFolder {
    private final Path folder;
    private final long maxBytes;
    private final AtomicLong fileNumbers = new AtomicLong();
    private final AtomicLong usedBytes = new AtomicLong();

    private SpillFolder(Path folder, long maxBytes) {
        this.folder = folder;
        this.maxBytes = maxBytes;
    }

    /// Creates the folder if it does not exist, and deletes all files in it.
    public static SpillFolder open(Path folder, long maxBytes) {
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
                for (Path file : left) {
                    Files.delete(file);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot empty " + folder, failure);
        }
        return new SpillFolder(folder, maxBytes);
    }

    /// The current size of the files of all runs.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// The memory of the file's chunks is counted in `buffers`.
    SpillFile newFile(QueryMemory.Share buffers) {
        long number = fileNumbers.incrementAndGet();
        return new SpillFile(this, folder.resolve("rows-" + number), buffers);
    }

    void take(long bytes) {
        if (usedBytes.addAndGet(bytes) > maxBytes) {
            usedBytes.addAndGet(-bytes);
            throw new StatusException(
                    Status.OVERLOADED,
                    "Queries may keep at most "
                            + maxBytes
                            + " bytes of rows on disk at the same time. Narrow the query down or"
                            + " retry later");
        }
    }

    void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
    }
}
