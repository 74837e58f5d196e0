package io.cleave.blob;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/// Allocates blob ids that were never used before, not even by an earlier process.
///
/// The file `next-id` has a decimal number above every id in use, and the CRC32C of its digits:
/// `257 c83a1d04`. Ids are reserved in batches, so the file is written once for every [#RUN] blobs.
/// A restart continues at the number in the file and skips ids that were reserved but not used.
final class BlobIds {
    static final String NAME = "next-id";
    static final String FRESH = NAME + ".fresh";
    private static final int RUN = 256;
    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,17}) ([0-9a-f]{8})\n");

    private final Disk disk;
    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long next;

    /// The number in the file.
    @GuardedBy("lock")
    private long reserved;

    /// `highest` is the highest id in any folder, 0 if there is none. The number in the file was
    /// durable before that blob existed. If the number is not greater, an id could be used twice.
    BlobIds(Disk disk, Path dir, long highest) throws IOException {
        this.disk = disk;
        file = dir.resolve(NAME);
        boolean isThere = disk.exists(file);
        next = isThere ? read(disk, file) : 1;
        reserved = next;
        if (next <= highest) {
            String said = isThere ? "says " + next : "is missing";
            throw new CorruptionException(
                    file.toString(), 0, said + ", but there is blob " + highest);
        }
    }

    long next() throws IOException {
        lock.lock();
        try {
            if (next == reserved) {
                disk.replace(file, text(next + RUN).getBytes(StandardCharsets.US_ASCII));
                reserved = next + RUN;
            }
            return next++;
        } finally {
            lock.unlock();
        }
    }

    static long read(Disk disk, Path file) throws IOException {
        String text = new String(disk.readAll(file), StandardCharsets.ISO_8859_1);
        var parts = TEXT.matcher(text);
        if (!parts.matches() || !text.equals(text(Long.parseLong(parts.group(1))))) {
            throw new CorruptionException(
                    file.toString(), 0, "not a number with its checksum: " + text.strip());
        }
        return Long.parseLong(parts.group(1));
    }

    static String text(long number) {
        var checksum = new CRC32C();
        checksum.update(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
        return "%d %08x\n".formatted(number, checksum.getValue());
    }
}
