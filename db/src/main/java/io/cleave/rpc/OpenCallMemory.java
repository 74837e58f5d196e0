package io.cleave.rpc;

import io.grpc.Status;

/// The memory of the open calls of one connection, including their headers. A few calls are not
/// counted. Beyond that, memory is taken in steps, so that few calls have to touch the counter that
/// all connections share.
///
/// Threads: only the connection's.
final class OpenCallMemory {
    /// Estimated memory of a call without its headers.
    private static final int CALL_BYTES = 1 << 10;

    /// The calls of a connection are not counted up to this size.
    private static final int FREE_BYTES = 16 << 10;

    private static final int STEP_BYTES = 64 << 10;

    private final RequestMemory memory;
    private long heldBytes;

    /// Taken from the memory of all connections; a multiple of [#STEP_BYTES].
    private long takenBytes;

    OpenCallMemory(RequestMemory memory) {
        this.memory = memory;
    }

    /// Throws the status to close the call with if there is no memory for it.
    void take(RequestHead head) {
        long bytes = bytes(head);
        long steps = steps(heldBytes + bytes) - takenBytes;
        if (steps > 0) {
            if (takenBytes + steps > memory.callBytes() / 2) {
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription(
                                "The open calls of one connection may take %d bytes of memory with their headers; this call needs %d more than the %d in use. Open fewer calls at once, or send shorter headers"
                                        .formatted(memory.callBytes() / 2, bytes, heldBytes))
                        .asRuntimeException();
            }
            memory.takeForCalls(steps);
            takenBytes += steps;
        }
        heldBytes += bytes;
    }

    void give(RequestHead head) {
        heldBytes -= bytes(head);
        long spare = takenBytes - steps(heldBytes);
        // One step is kept, so that calls which come and go do not take it each time.
        if (spare > STEP_BYTES || (spare > 0 && heldBytes <= FREE_BYTES)) {
            memory.giveForCalls(spare);
            takenBytes -= spare;
        }
    }

    private static long bytes(RequestHead head) {
        return CALL_BYTES + head.bytes();
    }

    private static long steps(long bytes) {
        long counted = Math.max(0, bytes - FREE_BYTES);
        return (counted + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    }
}
