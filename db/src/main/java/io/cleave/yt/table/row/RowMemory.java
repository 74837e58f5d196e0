package io.cleave.yt.table.row;

import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;
import io.cleave.query.ValueSize;
import io.cleave.value.Value;

import java.time.Duration;

/// Counts the memory that one call keeps. A small call is not counted, because the number of calls
/// is limited.
///
/// Threads: one at a time.
final class RowMemory implements AutoCloseable {
    /// The memory that a call may keep without being counted. More memory is counted in steps of
    /// this size.
    static final int STEP_BYTES = 64 << 10;

    private static final int OBJECT_BYTES = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final MemoryPool pool;
    private final String what;
    private long keptBytes;
    private long takenBytes;

    /// `what` names the work in messages.
    RowMemory(MemoryPool pool, String what) {
        this.pool = pool;
        this.what = what;
    }

    /// Counts more bytes. Throws if the pool has none left.
    void keep(long bytes) {
        keptBytes += bytes;
        long missing = keptBytes - STEP_BYTES - takenBytes;
        if (missing > 0) {
            take(Math.max(missing, STEP_BYTES));
        }
    }

    private void take(long bytes) {
        if (!pool.tryTake(bytes)) {
            throw pool.exhausted(what, bytes);
        }
        takenBytes += bytes;
    }

    /// Counts bytes as [#keep] does, but waits until they are free.
    void await(long bytes, Cancellation cancellation) {
        if (bytes <= STEP_BYTES) {
            return;
        }
        // A row that is larger than the pool must be answered, too.
        long counted = Math.min(bytes, pool.limitBytes());
        if (!pool.await(counted, PATIENCE, cancellation::check)) {
            throw pool.exhausted(what, counted);
        }
        takenBytes += counted;
        keptBytes += counted;
    }

    /// The approximate memory of a value.
    static long bytes(Value value) {
        return OBJECT_BYTES + ValueSize.of(value);
    }

    @Override
    public void close() {
        pool.give(takenBytes);
        takenBytes = 0;
        keptBytes = 0;
    }
}
