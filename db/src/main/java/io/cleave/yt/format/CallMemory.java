package io.cleave.yt.format;

import io.cleave.memory.MemoryPool;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

/// The memory that one call takes from a pool of the server, for its input or for its answer. The
/// first bytes are not counted, because most calls are small. [#close] gives back the memory that
/// is still taken.
///
/// Threads: one at a time.
public final class CallMemory implements AutoCloseable {
    private static final long UNCOUNTED_BYTES = 64L << 10;

    /// Memory is taken from the pool in steps of this size.
    private static final long STEP_BYTES = 64L << 10;

    /// Unused memory up to this size stays with the call, for its next row.
    private static final long SPARE_BYTES = 1L << 20;

    private static final int MOST_QUARTERS = 3;

    private final @Nullable MemoryPool pool;
    private final String what;
    private final String advice;
    private long usedBytes;
    private long heldBytes;

    private CallMemory(@Nullable MemoryPool pool, String what, String advice) {
        this.pool = pool;
        this.what = what;
        this.advice = advice;
    }

    /// The memory for the body of a request, its parameters and its rows.
    public static CallMemory ofRequest(MemoryPool requests) {
        return new CallMemory(requests, "The request", "Send fewer rows at once");
    }

    /// The memory for an answer that the client has not read yet.
    public static CallMemory ofAnswer(MemoryPool results) {
        return new CallMemory(results, "The answer", "Ask for less at once");
    }

    /// Memory without a limit, for input of this process.
    public static CallMemory unlimited() {
        return new CallMemory(null, "", "");
    }

    /// Takes the bytes. Throws an error with the reason if there are not enough.
    public void take(long bytes) {
        if (!tryTake(bytes)) {
            throw refusal(bytes);
        }
    }

    /// Takes the bytes if there are enough.
    public boolean tryTake(long bytes) {
        long missing = usedBytes + bytes - UNCOUNTED_BYTES - heldBytes;
        if (missing > 0 && !hold(missing)) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    private boolean hold(long missing) {
        MemoryPool some = pool;
        if (some == null) {
            return true;
        }
        long most = mostBytes(some);
        if (heldBytes + missing > most) {
            return false;
        }
        long step = (missing + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        long bytes = Math.min(step, most - heldBytes);
        if (!some.tryTake(bytes)) {
            return false;
        }
        heldBytes += bytes;
        return true;
    }

    private static long mostBytes(MemoryPool pool) {
        return pool.limitBytes() / 4 * MOST_QUARTERS;
    }

    /// The error of a call that gets no memory. Clients do not retry a call that can never fit.
    /// They retry other calls.
    private YtException refusal(long bytes) {
        MemoryPool some = pool;
        if (some == null) {
            throw new IllegalStateException("there is no limit");
        }
        long needed = usedBytes + bytes - UNCOUNTED_BYTES;
        long most = mostBytes(some);
        return needed > most
                ? new YtException(
                        YtCodes.GENERIC,
                        "%s needs %d bytes of the server's memory for %s; with this heap, it may take at most %d. %s, or give the server a larger heap (-Xmx)"
                                .formatted(what, needed, some.name(), most, advice))
                : new YtException(
                        YtCodes.REQUEST_QUEUE_SIZE_LIMIT,
                        some.exhaustedText(what, needed - heldBytes));
    }

    /// Gives back bytes that are not used any more.
    public void give(long bytes) {
        usedBytes -= bytes;
        long spare = heldBytes - Math.max(0, usedBytes - UNCOUNTED_BYTES);
        if (pool != null && spare > SPARE_BYTES) {
            pool.give(spare - SPARE_BYTES);
            heldBytes -= spare - SPARE_BYTES;
        }
    }

    /// The bytes that the call uses, counted or not.
    public long usedBytes() {
        return usedBytes;
    }

    /// Gives back all memory.
    @Override
    public void close() {
        if (pool != null && heldBytes > 0) {
            pool.give(heldBytes);
        }
        heldBytes = 0;
        usedBytes = 0;
    }
}
