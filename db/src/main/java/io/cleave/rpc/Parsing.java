package io.cleave.rpc;

import io.grpc.StatusRuntimeException;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// A message that is large or packed, on its way through a thread of [ParsingThreads]: it is
/// unpacked, measured and parsed there, and its memory is taken before each step.
///
/// Threads: made on the connection's thread, run on another one, and then read on the connection's.
final class Parsing<Q> implements Runnable {
    /// Instead of the length of what is packed.
    static final int NOT_PACKED = -1;

    private final Receiving<Q> call;
    private final int unpackedBytes;

    /// What the message has taken since it began to arrive.
    private long heldBytes;

    private byte @Nullable [] message;
    private @Nullable Q parsed;
    private long parsedBytes;
    private @Nullable RuntimeException failure;

    Parsing(Receiving<Q> call, byte[] message, int unpackedBytes, long heldBytes) {
        this.call = call;
        this.message = message;
        this.unpackedBytes = unpackedBytes;
        this.heldBytes = heldBytes;
    }

    @Override
    @SuppressWarnings("CatchThrowable") // the thread parses for others, too
    public void run() {
        try {
            if (call.isOpen()) {
                parse();
            }
        } catch (StatusRuntimeException refused) {
            failure = refused;
        } catch (Throwable thrown) {
            failure = new IllegalStateException("a request cannot be parsed", thrown);
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

    /// The message, or what it failed with.
    Q parsed() {
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(parsed);
    }

    long parsedBytes() {
        return parsedBytes;
    }
}
