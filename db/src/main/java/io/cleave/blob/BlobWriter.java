package io.cleave.blob;

import java.nio.ByteBuffer;

/// A blob being written, front to back.
public interface BlobWriter extends AutoCloseable {
    long id();

    /// Where the next byte goes: the bytes written so far.
    long offset();

    /// Writes all that remains in `bytes`.
    void write(ByteBuffer bytes);

    default void write(byte[] bytes) {
        write(ByteBuffer.wrap(bytes));
    }

    /// Makes the blob durable, under its name as well, and readable. Nothing can be written after.
    void seal();

    /// Lets the blob go if it was not sealed.
    @Override
    void close();
}
