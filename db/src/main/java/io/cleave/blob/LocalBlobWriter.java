package io.cleave.blob;

import io.cleave.base.Check;
import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// Writes one file of [LocalBlobs]. Small writes are collected into large ones. The file is forced
/// from time to time, so that sealing a large file does not delay all other users of the disk.
final class LocalBlobWriter implements BlobWriter {
    /// A table's blocks are far smaller, and each write is a system call.
    private static final int BUFFER_BYTES = 512 << 10;

    private static final long FORCE_BYTES = 8L << 20;

    /// Called with the path of a blob once it is sealed.
    interface Sealed {
        Path put(long id, Path file);
    }

    private final Disk disk;
    private final Path folder;
    private final long id;
    private final Path unsealed;
    private final Sealed whenSealed;
    private final DiskFile file;
    private final ByteBuffer buffer;
    private long offset;
    private long unforcedBytes;

    private enum Stage {
        WRITING,
        /// A write or a force failed. A later one might wrongly report success.
        BROKEN,
        SEALED
    }

    private Stage stage = Stage.WRITING;

    LocalBlobWriter(Disk disk, Path folder, long id, Sealed whenSealed) throws IOException {
        this.disk = disk;
        this.folder = folder;
        this.id = id;
        this.whenSealed = whenSealed;
        unsealed = folder.resolve(LocalBlobs.unsealedName(id));
        file = disk.create(unsealed);
        buffer = disk.newBuffer(BUFFER_BYTES);
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
        checkWriting();
        offset += bytes.remaining();
        try {
            if (bytes.remaining() > buffer.remaining()) {
                drain();
            }
            if (bytes.remaining() >= BUFFER_BYTES) {
                append(bytes);
            } else {
                buffer.put(bytes);
            }
        } catch (IOException e) {
            stage = Stage.BROKEN;
            throw new UncheckedIOException("cannot write " + unsealed, e);
        }
    }

    @Override
    public void seal() {
        checkWriting();
        Path sealed = folder.resolve(LocalBlobs.sealedName(id));
        // Reset below, when everything has succeeded.
        stage = Stage.BROKEN;
        try {
            drain();
            file.force();
            file.close();
            disk.rename(unsealed, sealed);
            disk.forceFolder(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot seal " + sealed, e);
        }
        stage = Stage.SEALED;
        whenSealed.put(id, sealed);
    }

    @Override
    public void close() {
        if (stage == Stage.SEALED) {
            return;
        }
        try {
            file.close();
            disk.delete(unsealed);
            // For a seal that failed after the rename.
            disk.delete(folder.resolve(LocalBlobs.sealedName(id)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + unsealed, e);
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        append(buffer);
        buffer.clear();
    }

    private void append(ByteBuffer bytes) throws IOException {
        unforcedBytes += bytes.remaining();
        file.append(bytes);
        if (unforcedBytes >= FORCE_BYTES) {
            file.force();
            unforcedBytes = 0;
        }
    }

    private void checkWriting() {
        Check.that(stage == Stage.WRITING, "blob %d is %s", id, stage);
    }
}
