package io.cleave.bench.storage;

import io.cleave.bench.Folders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.FutureTask;

/// The effect of the disk alone on a commit. A file is appended to and synced like a log. Meanwhile
/// other files are written, synced and deleted like those of a compaction, and no faster. An engine
/// can only keep those latencies flat that are flat here.
final class BareDisk implements AutoCloseable {
    private static final int RECORD_BYTES = 200;
    private static final int PIECE_BYTES = 512 << 10;
    private static final int PIECES_OF_A_FILE = 8;

    private final Path dir;
    private final FileChannel log;
    private final ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);

    private volatile boolean writing;

    BareDisk(Path dir) throws IOException {
        this.dir = Files.createDirectories(dir);
        log =
                FileChannel.open(
                        dir.resolve("log"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE);
    }

    /// Appends a record, which is durable on return.
    void append() {
        try {
            log.write(record.clear());
            log.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs `body` while another thread writes files.
    void beside(double bytesPerSecond, Runnable body) throws Exception {
        var writer = new FutureTask<>(() -> write(bytesPerSecond));
        writing = true;
        Thread.ofPlatform().name("files").start(writer);
        try {
            body.run();
        } finally {
            writing = false;
        }
        var _ = writer.get();
    }

    private Void write(double bytesPerSecond) throws IOException, InterruptedException {
        byte[] piece = new byte[PIECE_BYTES];
        new Random(1).nextBytes(piece);
        long began = System.nanoTime();
        long written = 0;
        while (writing) {
            Path unsealed = dir.resolve("unsealed");
            try (var file =
                    FileChannel.open(
                            unsealed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                for (int i = 0; i < PIECES_OF_A_FILE; i++) {
                    file.write(ByteBuffer.wrap(piece));
                    written += PIECE_BYTES;
                    long ahead =
                            (long) (written / bytesPerSecond * 1e9) + began - System.nanoTime();
                    if (ahead > 0) {
                        Thread.sleep(ahead / 1_000_000, (int) (ahead % 1_000_000));
                    }
                }
                file.force(false);
            }
            Path sealed = dir.resolve("sealed");
            Files.move(unsealed, sealed, StandardCopyOption.ATOMIC_MOVE);
            try (var folder = FileChannel.open(dir, StandardOpenOption.READ)) {
                folder.force(true);
            }
            Files.delete(sealed);
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        log.close();
        Folders.delete(dir);
    }
}
