package io.cleave.log;

import io.cleave.base.Bytes;

import java.io.IOException;
import java.util.List;

/// The storage that [GroupCommit] writes its groups to. Called by one thread at a time.
interface Journal {
    /// Makes the records durable. If it throws, it is unknown what reached the disk. But after a
    /// [NoRoomException] nothing of the group is in the journal, and the same group may be
    /// committed again.
    void commit(long firstPosition, List<Bytes> records) throws IOException;

    /// Whether this journal supports [#mark].
    default boolean hasMarks() {
        return false;
    }

    /// Called when no record came for a moment. Durably marks that everything before this position
    /// is durable, so that later damage to it can be distinguished from a torn write. Throws as
    /// [#commit] does.
    default void mark(long syncedEnd) throws IOException {}

    /// Whether an interrupt of the calling thread has no effect on the next commit.
    boolean isUninterruptible();

    void close() throws IOException;
}
