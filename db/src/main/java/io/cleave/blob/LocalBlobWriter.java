package io.cleave.blob;

import io.cleave.base.Check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Writes one file of [LocalBlobs].
final class LocalBlobWriter implements BlobWriter {
    private final Path dir;
    private final long id;
    private final Path unsealed;
    private final FileChannel channel;
    private long offset;
    private boolean sealed;

    LocalBlobWriter(Path dir, long id) throws IOException {
        this.dir = dir;
        this.id = id;
        unsealed = dir.resolve("%016x%s".formatted(id, LocalBlobs.UNSEALED));
        channel =
                FileChannel.open(unsealed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public void write(ByteBuffer bytes) {
        Check.that(!sealed, "blob %d is sealed", id);
        try {
            while (bytes.hasRemaining()) {
                offset += channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + unsealed, e);
        }
    }

    @Override
    public void seal() {
        Check.that(!sealed, "blob %d is sealed", id);
        Path file = LocalBlobs.sealedFile(dir, id);
        try {
            channel.force(true);
            channel.close();
            Files.move(unsealed, file, StandardCopyOption.ATOMIC_MOVE);
            LocalBlobs.forceDir(dir);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot seal " + file, e);
        }
        sealed = true;
    }

    @Override
    public void close() {
        if (sealed) {
            return;
        }
        try {
            channel.close();
            Files.deleteIfExists(unsealed);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + unsealed, e);
        }
    }
}
