package io.cleave.bench.storage;

import io.cleave.bench.storage.Results.Measured;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;

/// A storage engine under test. The loops over rows are inside the engines, so that the harness
/// adds no cost between an engine and its caller.
///
/// Reads return a checksum of what they have read: point reads of the values, scans of keys and
/// values; see [Rows].
interface Engine {
    String name();

    /// Version and settings, for the report.
    String description();

    /// Whether the engine supports this work.
    boolean can(Work work);

    /// Writes the rows in this order into a new store, 100 in each batch. Returns when all rows are
    /// in files and the background work has ended.
    void load(Path dir, int[] order) throws Exception;

    /// Writes the rows 0 to `rowCount` into a new store, in the fastest way for sorted input.
    void bulkLoad(Path dir, int rowCount) throws Exception;

    Store open(Path dir) throws Exception;

    Committer openCommitter(Path dir) throws Exception;

    /// What a get of one row reads from the disk, in a table of `tableBytes` that is not in memory.
    default void coldReads(Path dir, long tableBytes, BiConsumer<Work, Measured> results)
            throws Exception {
        throw new UnsupportedOperationException(name() + " is not asked for this");
    }

    /// The bytes that a scan of one column of ten reads, as a fraction of what the full scan reads.
    default double narrowShare(Path dir, int rowCount) throws Exception {
        throw new UnsupportedOperationException(name() + " has no column families");
    }

    /// The latency of reads and commits during constant compaction.
    default void foreground(Path dir, int rowCount, BiConsumer<Work, Measured> results)
            throws Exception {
        throw new UnsupportedOperationException(name() + " is not asked for this");
    }

    /// A loaded store for reading.
    interface Store extends AutoCloseable {
        /// Returns when compaction can reduce nothing further.
        void compact() throws Exception;

        long pointReads(int[] rows) throws Exception;

        /// Reads absent keys next to these rows; returns how many it found.
        long misses(int[] rows) throws Exception;

        /// Reads a range from each of these rows.
        long rangeReads(int[] fromRows, int rowsEach) throws Exception;

        long fullScan() throws Exception;

        @Override
        void close() throws IOException;
    }

    /// An empty store to which single rows are committed.
    interface Committer extends AutoCloseable {
        /// Returns when the row is durable. Threads: any.
        void commit(byte[] key, byte[] value) throws Exception;

        /// How many syncs the log has made so far; -1 if they are not counted.
        long syncs();

        /// The kind of threads that suits many writers of this engine best.
        ThreadFactory threads();

        @Override
        void close() throws IOException;
    }
}
