package io.cleave.blob;

import java.nio.ByteBuffer;

/// A blob that is being written, from start to end.
public interface BlobWriter extends AutoCloseable {
    long id();

    /// The offset of the next byte, which is the number of bytes written so far.
    long offset();

    /// Writes all remaining bytes of the buffer.
    void write(ByteBuffer bytes);

    default void write(byte[] bytes) {
        write(ByteBuffer.wrap(bytes));
    }

    /// Makes the blob and its name durable, and makes the blob readable. No more bytes can be
    /// written.
    void seal();

    /// Deletes the blob if it was not sealed.
    @Override
    void close();
}
