package io.cleave.lsm;

import java.util.concurrent.atomic.LongAdder;

/// What reads cost all trees over one blob store. Threads: any.
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

    /// As they are in the blobs.
    long bytes() {
        return bytes.sum();
    }
}
