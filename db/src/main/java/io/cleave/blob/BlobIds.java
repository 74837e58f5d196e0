package io.cleave.blob;

import io.cleave.base.CorruptionException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/// Gives out ids that were never given out before, also by an earlier process.
///
/// The file `next-id` holds a decimal number above every id in use. Ids are reserved in runs, so
/// the file is written once per [#RUN] blobs; a restart goes on at the number in the file and
/// leaves out what was reserved and not used.
final class BlobIds {
    static final String FRESH = ".fresh";
    private static final String NAME = "next-id";
    private static final int RUN = 256;

    private final Path dir;
    private final ReentrantLock lock = new ReentrantLock();

    // Both under the lock; reserved is what the file says.
    private long next;
    private long reserved;

    /// `highest` is the highest id in the folder, 0 if there is none. The number was durable before
    /// that blob was; if it is not above, an id could be given out twice.
    BlobIds(Path dir, long highest) throws IOException {
        this.dir = dir;
        Path file = dir.resolve(NAME);
        next = Files.exists(file) ? read(file) : 1;
        reserved = next;
        if (next <= highest) {
            throw corrupt(file, "says " + next + ", but there is blob " + highest, null);
        }
    }

    long next() throws IOException {
        lock.lock();
        try {
            if (next == reserved) {
                writeReserved(next + RUN);
                reserved = next + RUN;
            }
            return next++;
        } finally {
            lock.unlock();
        }
    }

    private static long read(Path file) throws IOException {
        String text = Files.readString(file).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw corrupt(file, "not a number: " + text, e);
        }
    }

    private void writeReserved(long bound) throws IOException {
        Path fresh = dir.resolve(NAME + FRESH);
        try (var channel =
                FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            var text = ByteBuffer.wrap((bound + "\n").getBytes(StandardCharsets.US_ASCII));
            while (text.hasRemaining()) {
                channel.write(text);
            }
            channel.force(true);
        }
        Files.move(fresh, dir.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        LocalBlobs.forceDir(dir);
    }

    private static CorruptionException corrupt(Path file, String what, @Nullable Throwable cause) {
        var corruption = new CorruptionException(file.toString(), 0, what);
        if (cause != null) {
            corruption.initCause(cause);
        }
        return corruption;
    }
}
