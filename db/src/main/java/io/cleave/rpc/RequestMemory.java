package io.cleave.rpc;

import io.cleave.memory.MemoryPool;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import java.util.concurrent.atomic.AtomicLong;

/// The memory for requests of all connections: messages that are arriving, being decompressed, or
/// parsed. Large messages leave a part of it to small ones.
///
/// Threads: any.
final class RequestMemory {
    /// Messages up to this size are parsed on the connection's thread.
    static final int SMALL_BYTES = 64 << 10;

    private static final int LARGE_QUARTERS = 3;

    /// All open calls with their headers may take one fourth of the memory.
    private static final int CALLS_PART = 4;

    private final MemoryPool pool;
    private final AtomicLong callBytes = new AtomicLong();

    RequestMemory(MemoryPool pool) {
        this.pool = pool;
    }

    /// Limit of the incomplete messages of one connection.
    long connectionBytes() {
        return pool.limitBytes() / 2;
    }

    /// Limit of the open calls of all connections.
    long callBytes() {
        return pool.limitBytes() / CALLS_PART;
    }

    /// Takes memory for open calls, or throws the status to close the call with. It succeeds even
    /// when messages have used up the pool.
    void takeForCalls(long bytes) {
        if (callBytes.addAndGet(bytes) > callBytes()) {
            long others = callBytes.addAndGet(-bytes);
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "The open calls of all clients may take %d bytes of memory with their headers, and take %d. Retry later, or give the server a larger heap"
                                    .formatted(callBytes(), others))
                    .asRuntimeException();
        }
        pool.take(bytes);
    }

    void giveForCalls(long bytes) {
        callBytes.addAndGet(-bytes);
        give(bytes);
    }

    /// Takes memory for a message, or throws the status to close the call with.
    void take(long bytes, boolean large) {
        takeMore(bytes, 0, large);
    }

    /// Takes memory for another form of a message that holds `heldBytes` already.
    void takeMore(long bytes, long heldBytes, boolean large) {
        long mostBytes = LARGE_QUARTERS * (pool.limitBytes() / 4);
        if (large && heldBytes + bytes > mostBytes) {
            throw tooLarge(heldBytes + bytes, mostBytes);
        }
        boolean room = !large || pool.usedBytes() + bytes <= mostBytes;
        if (!room || !pool.tryTake(bytes)) {
            throw exhausted(bytes);
        }
    }

    void give(long bytes) {
        if (bytes != 0) {
            pool.give(bytes);
        }
    }

    /// The request can never succeed with this heap, so a retry would not help.
    private static StatusRuntimeException tooLarge(long bytes, long mostBytes) {
        return Status.RESOURCE_EXHAUSTED
                .withDescription(
                        "The request needs %d bytes of memory; with this server's heap, a request may take at most %d. Send fewer rows at once, or give the server a larger heap (-Xmx)"
                                .formatted(bytes, mostBytes))
                .asRuntimeException();
    }

    private StatusRuntimeException exhausted(long bytes) {
        return Status.RESOURCE_EXHAUSTED
                .withDescription(pool.exhaustedText("The request", bytes))
                .asRuntimeException();
    }
}
