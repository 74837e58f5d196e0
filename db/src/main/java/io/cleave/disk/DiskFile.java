package io.cleave.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/// An open file.
public interface DiskFile extends AutoCloseable {
    long size() throws IOException;

    /// Reads into the buffer from `offset` on; returns -1 at the end of the file, like a channel.
    int read(ByteBuffer into, long offset) throws IOException;

    /// Writes all remaining bytes at the end of the file. If it throws, any part of them may have
    /// been written.
    void append(ByteBuffer bytes) throws IOException;

    /// Writes all remaining bytes at `offset`. Overwrites existing bytes, and extends the file if
    /// needed. If it throws, any part of them may have been written.
    void write(ByteBuffer bytes, long offset) throws IOException;

    /// As [#write] over bytes that were forced before, and forces the new ones. Since the length of
    /// the file stays the same, the disk need not store it again.
    default void writeForced(ByteBuffer bytes, long offset) throws IOException {
        write(bytes, offset);
        force();
    }

    /// Writes bytes again that are already at `offset`. After a failed force, the file may show
    /// bytes that are not on the disk, and only bytes that are written again are forced again.
    default void rewrite(ByteBuffer bytes, long offset) throws IOException {
        write(bytes, offset);
    }

    /// Truncates the file to this size.
    void truncate(long bytes) throws IOException;

    /// Makes all bytes written so far durable, but not the file's name.
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /// Fills the buffer, unless the file ends first.
    default void readFully(ByteBuffer into, long offset) throws IOException {
        int from = into.position();
        int count = 0;
        while (into.hasRemaining() && count >= 0) {
            count = read(into, offset + into.position() - from);
        }
    }
}
