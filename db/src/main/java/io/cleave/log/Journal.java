package io.cleave.log;

import io.cleave.base.Bytes;

import java.io.IOException;
import java.util.List;

/// Where [GroupCommit] puts its groups. Called by one thread at a time.
interface Journal {
    /// Makes the records durable, or throws; then what reached the disk is unknown, unless it is a
    /// [NoRoomException]: the same group may be committed again.
    void commit(long firstPosition, List<Bytes> records) throws IOException;

    /// Whether an interrupt of the calling thread cannot make the next commit fail.
    boolean isUninterruptible();

    void close() throws IOException;
}
