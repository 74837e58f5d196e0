package io.cleave.wire;

import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;

import java.time.Duration;

/// What one call keeps of its result, taken from the pool of all results. The first few rows are
/// not counted: most results have no more.
///
/// Threads: the one that runs the request.
final class ResultMemory implements AutoCloseable {
    private static final long UNCOUNTED_BYTES = 16L << 10;

    /// The pool is asked for so many bytes at once.
    private static final long STEP_BYTES = 64L << 10;

    /// A part may have as much as this, however little is left.
    private static final long MIN_PART_BYTES = 64L << 10;

    /// A part takes no more than one in so many bytes of what is left.
    private static final int PARTS = 128;

    /// How long a call waits for its turn in the pool.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final MemoryPool pool;
    private final Cancellation cancellation;
    private long heldBytes;

    ResultMemory(MemoryPool pool, Cancellation cancellation) {
        this.pool = pool;
        this.cancellation = cancellation;
    }

    /// How large the next part may be. The less is left for all results, the smaller parts are: so
    /// many clients that do not read take little.
    long partBytes(long askedBytes) {
        long leftBytes = Math.max(0, pool.limitBytes() - pool.usedBytes());
        return Math.min(askedBytes, Math.max(MIN_PART_BYTES, leftBytes / PARTS));
    }

    /// Whether the call may keep so many bytes.
    boolean tryHold(long bytes) {
        long missing = missing(bytes);
        if (missing <= 0) {
            return true;
        }
        if (!pool.tryTake(missing)) {
            return false;
        }
        heldBytes += missing;
        return true;
    }

    /// The call keeps so many bytes. It waits for its turn; OVERLOADED when that does not come.
    void hold(long bytes) {
        long missing = missing(bytes);
        if (missing <= 0) {
            return;
        }
        if (!pool.await(missing, PATIENCE, cancellation::check)) {
            throw pool.exhausted("The result of this query", missing);
        }
        heldBytes += missing;
    }

    private long missing(long bytes) {
        if (bytes <= heldBytes || bytes <= UNCOUNTED_BYTES) {
            return 0;
        }
        long needed = bytes - heldBytes;
        long inSteps = (needed + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        return inSteps <= pool.limitBytes() ? inSteps : needed;
    }

    /// The client has taken what was kept.
    @Override
    public void close() {
        if (heldBytes > 0) {
            pool.give(heldBytes);
            heldBytes = 0;
        }
    }
}
