package io.cleave.rpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufOutputStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Assembles gRPC messages from the data of a stream, whose frames may cut them anywhere.
/// Big-endian.
///
/// ```
/// 0  u8   packed    1 if the message is compressed as the headers say, 0 if it is not
/// 1  u32  length    of the message, which follows
/// ```
///
/// Threads: only the connection's, except that any thread may call the static methods.
final class MessageAssembly {
    static final int PREFIX_BYTES = 1 + 4;

    /// Initial size of a buffer. Memory is taken as bytes arrive, not as the prefix announces them.
    private static final int FIRST_BYTES = 64 << 10;

    private static final VarHandle LENGTH =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final int maxBytes;
    private final Memory memory;
    private final byte[] prefix = new byte[PREFIX_BYTES];
    private int prefixBytes;
    private byte @Nullable [] body;
    private int bodyBytes;
    private int length;

    /// Memory taken for the incomplete message. 0 for a message that arrives in one piece.
    private int heldBytes;

    MessageAssembly(int maxBytes, Memory memory) {
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    /// The source of the memory for incomplete messages.
    interface Memory {
        /// Throws the status to close the call with if there is no memory.
        void take(int bytes, boolean large);

        void give(int bytes);
    }

    /// Receives complete messages.
    interface Whole {
        /// Takes over the message together with the `heldBytes` that were taken for it.
        void message(byte[] message, boolean packed, int heldBytes);
    }

    /// Adds a piece of the stream. Throws the status to close the call with if it is not valid.
    void add(ByteBuf data, Whole whole) {
        while (data.isReadable() || (prefixBytes == PREFIX_BYTES && bodyBytes == length)) {
            if (prefixBytes < PREFIX_BYTES) {
                readPrefix(data);
                continue;
            }
            readBody(data);
            if (bodyBytes == length) {
                byte[] message = body == null ? new byte[0] : body;
                boolean packed = prefix[0] != 0;
                int held = heldBytes;
                heldBytes = 0;
                prefixBytes = 0;
                bodyBytes = 0;
                length = 0;
                body = null;
                whole.message(message, packed, held);
            }
        }
    }

    private void readPrefix(ByteBuf data) {
        int bytes = Math.min(PREFIX_BYTES - prefixBytes, data.readableBytes());
        data.readBytes(prefix, prefixBytes, bytes);
        prefixBytes += bytes;
        if (prefixBytes < PREFIX_BYTES) {
            return;
        }
        if (prefix[0] < 0 || prefix[0] > 1) {
            throw Status.INTERNAL
                    .withDescription("gRPC frame header malformed: reserved bits not zero")
                    .asRuntimeException();
        }
        length = (int) LENGTH.get(prefix, 1);
        if (length < 0 || length > maxBytes) {
            throw tooLarge(Integer.toUnsignedLong(length));
        }
    }

    private StatusRuntimeException tooLarge(long bytes) {
        return Status.RESOURCE_EXHAUSTED
                .withDescription(
                        "gRPC message exceeds maximum size %d: %d".formatted(maxBytes, bytes))
                .asRuntimeException();
    }

    private void readBody(ByteBuf data) {
        int bytes = Math.min(length - bodyBytes, data.readableBytes());
        byte[] into = body;
        if (into == null) {
            if (bytes < length) {
                hold(Math.max(bytes, Math.min(length, FIRST_BYTES)));
            }
            into = new byte[bytes < length ? heldBytes : length];
        } else if (into.length < bodyBytes + bytes) {
            long twice = Math.max(bodyBytes + (long) bytes, 2L * into.length);
            hold((int) Math.min(length, twice));
            into = Arrays.copyOf(into, heldBytes);
        }
        data.readBytes(into, bodyBytes, bytes);
        bodyBytes += bytes;
        body = into;
    }

    private void hold(int bytes) {
        memory.take(bytes - heldBytes, length > RequestMemory.SMALL_BYTES);
        heldBytes = bytes;
    }

    /// Drops the incomplete message and gives its memory back.
    void discard() {
        memory.give(heldBytes);
        heldBytes = 0;
        body = null;
        bodyBytes = 0;
        length = 0;
        prefixBytes = 0;
    }

    /// Bytes of the incomplete message that have arrived.
    int bodyBytes() {
        return bodyBytes;
    }

    /// Whether a message is incomplete, so that the stream must not end here.
    boolean isWithinMessage() {
        return prefixBytes > 0;
    }

    static void writePrefix(ByteBuf out, int length) {
        out.writeByte(0);
        out.writeInt(length);
    }

    /// The length of a message, or -1 if it is not known in advance.
    static int lengthOf(InputStream message) throws IOException {
        return message instanceof KnownLength ? message.available() : -1;
    }

    /// A message with its prefix, in a new buffer.
    static ByteBuf packed(ByteBufAllocator buffers, InputStream message) {
        ByteBuf out = buffers.directBuffer();
        boolean done = false;
        try {
            int known = lengthOf(message);
            out.ensureWritable(PREFIX_BYTES + Math.max(0, known));
            writePrefix(out, 0);
            drain(message, new ByteBufOutputStream(out));
            out.setInt(1, out.readableBytes() - PREFIX_BYTES);
            done = true;
            return out;
        } catch (IOException e) {
            throw new IllegalStateException("a message cannot be written", e);
        } finally {
            if (!done) {
                out.release();
            }
        }
    }

    static void drain(InputStream message, OutputStream to) throws IOException {
        if (message instanceof Drainable drainable) {
            drainable.drainTo(to);
        } else {
            message.transferTo(to);
        }
    }
}
