package io.cleave.tablet.meter;

import java.util.concurrent.atomic.LongAdder;

/// A sample of the rows that were read: where their newest versions were, and how large they were.
/// It says only what share of the rows the sample found where, because how many rows are sampled
/// depends on the kind of read.
///
/// Threads: any.
final class SampledRows {
    private final LongAdder inMemory = new LongAdder();
    private final LongAdder memoryBytes = new LongAdder();
    private final LongAdder inFiles = new LongAdder();
    private final LongAdder fileBytes = new LongAdder();

    /// @param memoryRows rows whose newest version was in memory, and rows that were not found
    record Totals(long memoryRows, long memoryBytes, long fileRows, long fileBytes) {
        static final Totals NONE = new Totals(0, 0, 0, 0);

        Totals minus(Totals before) {
            return new Totals(
                    memoryRows - before.memoryRows,
                    memoryBytes - before.memoryBytes,
                    fileRows - before.fileRows,
                    fileBytes - before.fileBytes);
        }

        long rows() {
            return memoryRows + fileRows;
        }
    }

    void add(boolean isInFiles, long bytes) {
        if (isInFiles) {
            inFiles.increment();
            fileBytes.add(bytes);
        } else {
            inMemory.increment();
            memoryBytes.add(bytes);
        }
    }

    Totals totals() {
        return new Totals(inMemory.sum(), memoryBytes.sum(), inFiles.sum(), fileBytes.sum());
    }
}
