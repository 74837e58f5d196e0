package io.cleave.lsm.table;

import java.util.concurrent.atomic.LongAdder;

/// Counts the blocks that all trees over one blob store read. Threads: any.
final class ReadCounters {
    private final LongAdder blocks = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void blockRead(int length) {
        blocks.increment();
        bytes.add(length);
    }

    long blocks() {
        return blocks.sum();
    }

    /// Bytes as stored in the blobs.
    long bytes() {
        return bytes.sum();
    }
}
