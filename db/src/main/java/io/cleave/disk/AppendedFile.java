package io.cleave.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file of the machine's file system to append to, whose owner may be interrupted at any moment.
///
/// A [java.nio.channels.FileChannel] closes itself when a thread is interrupted while it writes or
/// forces, and what reached the disk is then unknown; this one knows nothing of interrupts.
///
/// Invariant: the file's pointer stands at its end.
record AppendedFile(RandomAccessFile file) implements DiskFile {
    /// Buffers that are no arrays are copied in parts of this size.
    private static final int COPY_BYTES = 64 << 10;

    static AppendedFile open(Path file) throws IOException {
        // The mode below would create it.
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        try {
            var opened = new RandomAccessFile(file.toFile(), "rw");
            opened.seek(opened.length());
            return new AppendedFile(opened);
        } catch (FileNotFoundException e) {
            throw new IOException("cannot open " + file + " to append to", e);
        }
    }

    @Override
    public long size() throws IOException {
        return file.length();
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
        byte[] bytes = new byte[Math.min(into.remaining(), COPY_BYTES)];
        long end = file.getFilePointer();
        file.seek(offset);
        try {
            int count = file.read(bytes);
            if (count > 0) {
                into.put(bytes, 0, count);
            }
            return count;
        } finally {
            file.seek(end);
        }
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        if (bytes.hasArray()) {
            int from = bytes.arrayOffset() + bytes.position();
            file.write(bytes.array(), from, bytes.remaining());
            bytes.position(bytes.limit());
            return;
        }
        byte[] part = new byte[Math.min(bytes.remaining(), COPY_BYTES)];
        while (bytes.hasRemaining()) {
            int count = Math.min(bytes.remaining(), part.length);
            bytes.get(part, 0, count);
            file.write(part, 0, count);
        }
    }

    @Override
    public void rewrite(ByteBuffer bytes, long offset) throws IOException {
        file.seek(offset);
        try {
            append(bytes);
        } finally {
            file.seek(file.length());
        }
    }

    @Override
    public void truncate(long bytes) throws IOException {
        file.setLength(bytes);
        file.seek(file.length());
    }

    /// For bytes that make the file longer this is no more work than to leave out its times.
    @Override
    public void force() throws IOException {
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
