package io.cleave.rpc;

import io.grpc.StatusRuntimeException;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// A large or compressed message that a thread of [ParsingThreads] decompresses, measures and
/// parses. It takes the memory for each step before the step.
///
/// Threads: created on the connection's thread, run on a parsing thread, and then read on the
/// connection's thread.
final class Parsing<Q> implements Runnable {
    /// Stands for the uncompressed length of a message that is not compressed.
    static final int NOT_PACKED = -1;

    private final Receiving<Q> call;
    private final int unpackedBytes;

    /// Memory that the bytes of the message hold.
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
    @SuppressWarnings("CatchThrowable") // the thread also parses for other calls
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
        call.memory().takeMore(needed, heldBytes, bytes.length > RequestMemory.SMALL_BYTES);
        parsedBytes = needed;
        parsed = call.marshaller().parse(bytes);
    }

    private byte[] unpack(byte[] bytes) {
        call.memory().takeMore(unpackedBytes, heldBytes, unpackedBytes > RequestMemory.SMALL_BYTES);
        long packedBytes = heldBytes;
        heldBytes += unpackedBytes;
        byte[] unpacked = call.encoding().unpack(bytes, unpackedBytes);
        call.memory().give(packedBytes);
        heldBytes -= packedBytes;
        return unpacked;
    }

    /// Gives back the memory of the message's bytes. The memory of the parsed message belongs to
    /// the call.
    void discard() {
        message = null;
        call.memory().give(heldBytes);
        heldBytes = 0;
    }

    /// Returns the message, or throws the failure.
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
