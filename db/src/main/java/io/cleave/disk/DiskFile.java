package io.cleave.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/// An open file.
public interface DiskFile extends AutoCloseable {
    long size() throws IOException;

    /// Reads into the buffer from `offset` on; -1 at the end of the file, as channels do.
    int read(ByteBuffer into, long offset) throws IOException;

    /// Writes all that remains in `bytes` at the end of the file. When it throws, any part of them
    /// may be there.
    void append(ByteBuffer bytes) throws IOException;

    /// Writes all that remains in `bytes` at `offset`, over what stands there and past the end of
    /// the file. When it throws, any part of them may be there.
    void write(ByteBuffer bytes, long offset) throws IOException;

    /// As [#write] over bytes that were forced before, and forces these: where the length stays as
    /// it is, the disk is spared a note of it.
    default void writeForced(ByteBuffer bytes, long offset) throws IOException {
        write(bytes, offset);
        force();
    }

    /// Writes bytes once more that stand at `offset` already. After a force has failed the file may
    /// look written where the disk is not, and only what is written again is forced again.
    default void rewrite(ByteBuffer bytes, long offset) throws IOException {
        write(bytes, offset);
    }

    /// Cuts the file.
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
