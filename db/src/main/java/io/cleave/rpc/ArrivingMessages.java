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
                            "Incomplete messages of one connection may take %d bytes of memory; this message needs %d more than the %d in use"
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
