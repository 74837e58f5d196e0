package io.cleave.bench.storage;

import io.cleave.bench.storage.Results.Measured;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;

/// A storage engine under test. The loops over rows are inside the engines, so that nothing of the
/// harness stands between an engine and its caller.
///
/// Reads return a sum over what they have read: over the values of point reads, over keys and
/// values of scans; see [Rows].
interface Engine {
    String name();

    /// With what it was measured: version, settings.
    String description();

    /// Whether it can be asked for this at all.
    boolean can(Work work);

    /// Writes the rows in this order into a new store, 100 a batch, and returns when they are all
    /// in files and nothing goes on in the background.
    void load(Path dir, int[] order) throws Exception;

    /// Writes the rows 0 to `rowCount` into a new store, the fastest way there is for sorted input.
    void bulkLoad(Path dir, int rowCount) throws Exception;

    Store open(Path dir) throws Exception;

    Committer openCommitter(Path dir) throws Exception;

    /// What a get of one row takes of the disk, from a table of so many bytes of which nothing is
    /// in memory.
    default void coldReads(Path dir, long tableBytes, BiConsumer<Work, Measured> results)
            throws Exception {
        throw new UnsupportedOperationException(name() + " is not asked for this");
    }

    /// The bytes that a scan of one column of ten reads, as a share of what the full scan reads.
    default double narrowShare(Path dir, int rowCount) throws Exception {
        throw new UnsupportedOperationException(name() + " has no column groups");
    }

    /// How reads and commits fare beside constant compaction.
    default void foreground(Path dir, int rowCount, BiConsumer<Work, Measured> results)
            throws Exception {
        throw new UnsupportedOperationException(name() + " is not asked for this");
    }

    /// A loaded store, to be read.
    interface Store extends AutoCloseable {
        /// Returns when there is nothing left that a compaction could make smaller.
        void compact() throws Exception;

        long pointReads(int[] rows) throws Exception;

        /// Reads keys that are in no table, next to these rows; returns how many it found.
        long misses(int[] rows) throws Exception;

        /// From each of these rows on.
        long rangeReads(int[] fromRows, int rowsEach) throws Exception;

        long fullScan() throws Exception;

        @Override
        void close() throws IOException;
    }

    /// An empty store that gets one row a commit.
    interface Committer extends AutoCloseable {
        /// Returns when the row is durable. Threads: any.
        void commit(byte[] key, byte[] value) throws Exception;

        /// How often the log was synced so far; -1 if nobody counts.
        long syncs();

        /// The kind of threads many writers of this engine are best served by.
        ThreadFactory threads();

        @Override
        void close() throws IOException;
    }
}
