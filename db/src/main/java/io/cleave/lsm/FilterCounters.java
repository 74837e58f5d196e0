package io.cleave.lsm;

import java.util.concurrent.atomic.LongAdder;

/// Counts how well the key filters of a tree work. Threads: any.
final class FilterCounters {
    private final LongAdder negatives = new LongAdder();
    private final LongAdder truePositives = new LongAdder();
    private final LongAdder falsePositives = new LongAdder();

    void negative() {
        negatives.increment();
    }

    void passed(boolean wasThere) {
        (wasThere ? truePositives : falsePositives).increment();
    }

    FilterStatistics statistics() {
        long hits = truePositives.sum();
        long misses = falsePositives.sum();
        return new FilterStatistics(negatives.sum() + hits + misses, hits, misses);
    }
}
