package io.cleave.disk;

import org.jspecify.annotations.Nullable;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file of the machine's file system that is appended to, by threads that may be interrupted at
/// any moment.
///
/// A [java.nio.channels.FileChannel] closes itself if a thread is interrupted while it writes or
/// forces, and it is then unknown what reached the disk. This class is not affected by interrupts.
///
/// Threads: one at a time.
final class AppendedFile implements DiskFile {
    /// Buffers without an array are copied in parts of this size.
    private static final int COPY_BYTES = 64 << 10;

    private final Path path;
    private final RandomAccessFile file;

    /// The same file, opened so that a write returns when its data is durable (as with O_DSYNC).
    /// Opened on first use.
    private @Nullable RandomAccessFile forced;

    /// Writes to `forced` at its current position. For each write that syncs, a [RandomAccessFile]
    /// makes the scheduler of virtual threads wake another carrier thread. On a fast disk, that
    /// takes a quarter of the time of the write. A stream just blocks its carrier. That is
    /// acceptable, since on a virtual thread only a single committer does so, and the other
    /// carriers continue. On a machine with only one processor it would block all other virtual
    /// threads, so the stream is not used there.
    private @Nullable FileOutputStream waiting;

    private AppendedFile(Path path, RandomAccessFile file) {
        this.path = path;
        this.file = file;
    }

    static AppendedFile open(Path path) throws IOException {
        return new AppendedFile(path, open(path, "rw"));
    }

    private static RandomAccessFile open(Path path, String mode) throws IOException {
        // RandomAccessFile creates a missing file in every writable mode.
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        try {
            return new RandomAccessFile(path.toFile(), mode);
        } catch (FileNotFoundException e) {
            throw new IOException("cannot open " + path + " to append to", e);
        }
    }

    @Override
    public long size() throws IOException {
        return file.length();
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
        byte[] bytes = new byte[Math.min(into.remaining(), COPY_BYTES)];
        file.seek(offset);
        int count = file.read(bytes);
        if (count > 0) {
            into.put(bytes, 0, count);
        }
        return count;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        write(bytes, file.length());
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
        writeTo(file, bytes, offset);
    }

    @Override
    public void writeForced(ByteBuffer bytes, long offset) throws IOException {
        RandomAccessFile opened = forced;
        if (opened == null) {
            opened = open(path, "rwd");
            forced = opened;
            waiting =
                    Runtime.getRuntime().availableProcessors() > 1
                            ? new FileOutputStream(opened.getFD())
                            : null;
        }
        if (waiting == null || !bytes.hasArray()) {
            writeTo(opened, bytes, offset);
            return;
        }
        opened.seek(offset);
        waiting.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        bytes.position(bytes.limit());
    }

    private static void writeTo(RandomAccessFile to, ByteBuffer bytes, long offset)
            throws IOException {
        to.seek(offset);
        if (bytes.hasArray()) {
            int from = bytes.arrayOffset() + bytes.position();
            to.write(bytes.array(), from, bytes.remaining());
            bytes.position(bytes.limit());
            return;
        }
        byte[] part = new byte[Math.min(bytes.remaining(), COPY_BYTES)];
        while (bytes.hasRemaining()) {
            int count = Math.min(bytes.remaining(), part.length);
            bytes.get(part, 0, count);
            to.write(part, 0, count);
        }
    }

    @Override
    public void truncate(long bytes) throws IOException {
        file.setLength(bytes);
    }

    /// If the file grows, this costs no more than a sync without the timestamps.
    @Override
    public void force() throws IOException {
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        try (file) {
            if (forced != null) {
                forced.close();
            }
        }
    }
}
