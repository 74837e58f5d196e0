package io.cleave.blob;

import java.nio.ByteBuffer;

/// A sealed blob. There is nothing to close: the memory behind it is given back when neither the
/// reader nor a buffer it returned is in use. Threads: any.
public interface BlobReader {
    /// For messages: where a person would look for these bytes.
    String name();

    long size();

    /// The bytes `[offset, offset + length)`, read-only and, where the store is local, not copied.
    /// A range outside the blob is a [io.cleave.base.CorruptionException]: whoever asks got the
    /// range from bytes that once were right.
    ByteBuffer read(long offset, int length);

    /// Says that the bytes `[offset, offset + length)` are read next, so that the store can begin
    /// to fetch them, all at once. A hint: what lies outside the blob is left out, and a read needs
    /// none. Without one a read of a few bytes may fetch as much as the store believes to be
    /// useful.
    default void willRead(long offset, long length) {}
}
