package io.cleave.rpc;

import io.cleave.memory.MemoryPool;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/// The memory that requests of all connections share: messages that arrive, that are unpacked, and
/// that are parsed. Large messages leave a part of it to small ones.
///
/// Threads: any.
final class RequestMemory {
    /// Messages up to this size are parsed where they arrive.
    static final int SMALL_BYTES = 64 << 10;

    private static final int LARGE_QUARTERS = 3;

    private final MemoryPool pool;

    RequestMemory(MemoryPool pool) {
        this.pool = pool;
    }

    /// What the parts of messages that have come on one connection may take.
    long connectionBytes() {
        return pool.limitBytes() / 2;
    }

    /// Takes memory for a message, or throws what its call is to be closed with.
    void take(long bytes, boolean large) {
        long quarter = pool.limitBytes() / 4;
        boolean room = !large || pool.usedBytes() + bytes <= LARGE_QUARTERS * quarter;
        if (!room || !pool.tryTake(bytes)) {
            throw exhausted(bytes);
        }
    }

    void give(long bytes) {
        if (bytes != 0) {
            pool.give(bytes);
        }
    }

    private StatusRuntimeException exhausted(long bytes) {
        return Status.RESOURCE_EXHAUSTED
                .withDescription(pool.exhaustedText("The request", bytes))
                .asRuntimeException();
    }
}
