package io.cleave.bench.abuse;

import java.util.Arrays;

/// A gRPC call on an [Http2Connection]. Its methods are called on the connection's thread.
abstract class Call {
    private static final int PREFIX_BYTES = 1 + Integer.BYTES;

    private byte[] partial = new byte[0];
    private int stream;

    /// How much the server allows to be sent. Guarded by the connection's lock.
    private long windowBytes;

    /// A whole message has arrived. `arrivedNanos` is when the kernel received its end.
    abstract void message(byte[] message, long arrivedNanos);

    /// Called once, at the end.
    abstract void ended(Ending ending, long arrivedNanos);

    /// Whether the server is told that received data was read.
    boolean isRead() {
        return true;
    }

    final void begin(int newStream, int newWindowBytes) {
        stream = newStream;
        windowBytes = newWindowBytes;
    }

    final int stream() {
        return stream;
    }

    final void widen(long bytes) {
        windowBytes += bytes;
    }

    final long windowBytes() {
        return windowBytes;
    }

    final void data(byte[] data, long arrivedNanos) {
        byte[] all = Frame.joined(partial, data);
        int from = 0;
        while (all.length - from >= PREFIX_BYTES) {
            int to = from + PREFIX_BYTES + Frame.intAt(all, from + 1);
            if (to > all.length) {
                break;
            }
            message(Arrays.copyOfRange(all, from + PREFIX_BYTES, to), arrivedNanos);
            from = to;
        }
        partial = Arrays.copyOfRange(all, from, all.length);
    }
}
