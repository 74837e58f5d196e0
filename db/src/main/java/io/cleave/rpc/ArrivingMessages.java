package io.cleave.rpc;

import io.grpc.Status;

/// The memory of incomplete messages on one connection.
///
/// Threads: only the connection's.
final class ArrivingMessages implements MessageAssembly.Memory {
    private final RequestMemory memory;
    private long heldBytes;

    ArrivingMessages(RequestMemory memory) {
        this.memory = memory;
    }

    @Override
    public void take(int bytes, boolean large) {
        if (heldBytes + bytes > memory.connectionBytes()) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "Messages that are not complete may take %d bytes on one connection, and this one needs %d more than %d"
                                    .formatted(memory.connectionBytes(), bytes, heldBytes))
                    .asRuntimeException();
        }
        memory.take(bytes, large);
        heldBytes += bytes;
    }

    @Override
    public void give(int bytes) {
        heldBytes -= bytes;
        memory.give(bytes);
    }

    /// The message is complete. From here on its call gives the memory back.
    void handOver(int bytes) {
        heldBytes -= bytes;
    }
}
