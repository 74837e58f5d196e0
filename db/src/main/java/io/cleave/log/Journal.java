package io.cleave.log;

import io.cleave.base.Bytes;

import java.io.IOException;
import java.util.List;

/// Where [GroupCommit] puts its groups. Called by one thread at a time.
interface Journal {
    /// Makes the records durable, or throws; then what reached the disk is unknown, unless it is a
    /// [NoRoomException]: the same group may be committed again.
    void commit(long firstPosition, List<Bytes> records) throws IOException;

    /// Whether [#mark] is worth calling.
    default boolean hasMarks() {
        return false;
    }

    /// Nothing came for a moment: makes it durable that everything before this position is, so that
    /// damage to it can be told from a torn write. Throws as [#commit] does.
    default void mark(long syncedEnd) throws IOException {}

    /// Whether an interrupt of the calling thread cannot make the next commit fail.
    boolean isUninterruptible();

    void close() throws IOException;
}
