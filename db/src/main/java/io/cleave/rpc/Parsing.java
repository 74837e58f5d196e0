package io.cleave.rpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import org.jspecify.annotations.Nullable;

/// A message that is large or packed, on its way through a thread of [ParsingThreads]: it is
/// unpacked, measured and parsed there, and its memory is taken before each step.
///
/// Threads: made on the connection's thread, run on another one, and then read on the connection's.
final class Parsing<Q> implements Runnable {
    /// Instead of the length of what is packed.
    static final int NOT_PACKED = -1;

    private final RpcCall<Q, ?> call;
    private final int unpackedBytes;

    /// What the message has taken since it began to arrive.
    private long heldBytes;

    private byte @Nullable [] message;
    private @Nullable Q parsed;
    private long parsedBytes;
    private @Nullable Status failure;

    Parsing(RpcCall<Q, ?> call, byte[] message, int unpackedBytes, long heldBytes) {
        this.call = call;
        this.message = message;
        this.unpackedBytes = unpackedBytes;
        this.heldBytes = heldBytes;
    }

    @Override
    @SuppressWarnings("CatchThrowable") // the thread parses for others, too
    public void run() {
        try {
            if (!call.isCancelled()) {
                parse();
            }
        } catch (StatusRuntimeException refused) {
            failure = refused.getStatus();
        } catch (Throwable thrown) {
            call.report(thrown);
            failure = RpcCall.APPLICATION_ERROR;
        } finally {
            discard();
            call.parsedElsewhere(this);
        }
    }

    private void parse() {
        byte[] bytes = message;
        if (bytes == null) {
            return;
        }
        if (unpackedBytes != NOT_PACKED) {
            bytes = unpack(bytes);
            message = bytes;
        }
        long needed = call.marshaller().parsedBytes(bytes);
        call.memory().take(needed, bytes.length > RequestMemory.SMALL_BYTES);
        parsedBytes = needed;
        parsed = call.marshaller().parse(bytes);
    }

    private byte[] unpack(byte[] bytes) {
        call.memory().take(unpackedBytes, unpackedBytes > RequestMemory.SMALL_BYTES);
        long packedBytes = heldBytes;
        heldBytes += unpackedBytes;
        byte[] unpacked = call.encoding().unpack(bytes, unpackedBytes);
        call.memory().give(packedBytes);
        heldBytes -= packedBytes;
        return unpacked;
    }

    /// Gives back what the bytes of the message have taken; what the parsed one takes is its
    /// call's.
    void discard() {
        message = null;
        call.memory().give(heldBytes);
        heldBytes = 0;
    }

    /// Null if it failed, or if its call has ended.
    @Nullable Q parsed() {
        return parsed;
    }

    long parsedBytes() {
        return parsedBytes;
    }

    @Nullable Status failure() {
        return failure;
    }
}
