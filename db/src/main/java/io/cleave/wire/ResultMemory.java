package io.cleave.wire;

import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;

import java.time.Duration;

/// The memory that one call takes from the pool of results. The first few rows are not counted:
/// most results have no more.
///
/// Threads: only the thread that runs the request.
final class ResultMemory implements AutoCloseable {
    private static final long UNCOUNTED_BYTES = 16L << 10;

    /// The call takes memory from the pool in steps of this size.
    private static final long STEP_BYTES = 64L << 10;

    /// A part may always be this large, however little memory is left.
    private static final long MIN_PART_BYTES = 64L << 10;

    /// A part takes at most 1/128 of the memory that is left.
    private static final int PARTS = 128;

    /// How long a call waits for memory from the pool.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final MemoryPool pool;
    private final Cancellation cancellation;
    private long heldBytes;

    ResultMemory(MemoryPool pool, Cancellation cancellation) {
        this.pool = pool;
        this.cancellation = cancellation;
    }

    /// The maximum size of the next part. Parts become smaller as the pool fills, so that many
    /// clients that do not read hold little memory.
    long partBytes(long askedBytes) {
        long leftBytes = Math.max(0, pool.limitBytes() - pool.usedBytes());
        return Math.min(askedBytes, Math.max(MIN_PART_BYTES, leftBytes / PARTS));
    }

    /// Tries to raise what the call holds to `bytes` in total, without waiting.
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

    /// Raises what the call holds to `bytes` in total. Waits for memory, and throws OVERLOADED if
    /// there is none in time.
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

    /// Returns the memory to the pool. Called when the client has taken the rows.
    @Override
    public void close() {
        if (heldBytes > 0) {
            pool.give(heldBytes);
            heldBytes = 0;
        }
    }
}
