package io.cleave.blob;

import java.nio.ByteBuffer;

/// Reads a sealed blob. A reader need not be closed: its memory is freed when neither the reader
/// nor a buffer that it returned is in use. Threads: any.
public interface BlobReader {
    /// The location of the bytes, for messages.
    String name();

    long size();

    /// The bytes `[offset, offset + length)`, read-only and, in a local store, not copied. A range
    /// outside the blob is a [io.cleave.base.CorruptionException], because the caller got the range
    /// from stored bytes.
    ByteBuffer read(long offset, int length);

    /// Announces that the bytes `[offset, offset + length)` will be read next, so that the store
    /// can prefetch them in one request. Bytes outside the blob are ignored. This is only a hint; a
    /// read without it works, but a small read may then fetch as much as the store considers
    /// useful.
    default void willRead(long offset, long length) {}
}
