package io.cleave.bench.abuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A TCP connection that reports when the kernel received the bytes that are read.
///
/// Over loopback, that is the moment at which the other process wrote them, whatever this process
/// or the scheduler did since. So the time from just before [#send] to [#arrivedNanos] is what the
/// other process took, including the time for which the bytes waited in its socket.
///
/// Threads: any may send. One thread reads, and must also be the one that closes. Any thread may
/// call [#shutdown].
final class StampedSocket implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int ADDRESS_BYTES = 16;
    private static final int NANOS_A_SECOND = 1_000_000_000;

    // The layouts of msghdr, iovec, and cmsghdr with a timespec, on 64-bit Linux.
    private static final int MESSAGE_BYTES = 56;
    private static final int MESSAGE_VECTORS = 16;
    private static final int MESSAGE_VECTOR_COUNT = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_BYTES = 40;
    private static final int VECTOR_BYTES = 16;
    private static final int CONTROL_BYTES = 64;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_SECONDS = 16;
    private static final int CONTROL_NANOS = 24;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment output = arena.allocate(BUFFER_BYTES);
    private final MemorySegment input = arena.allocate(BUFFER_BYTES);
    private final MemorySegment message = arena.allocate(MESSAGE_BYTES, Long.BYTES);
    private final MemorySegment control = arena.allocate(CONTROL_BYTES, Long.BYTES);
    private final int socket;
    private long arrivedNanos;

    private final ReentrantLock sending = new ReentrantLock();

    /// The read lock is held while the socket is used, so that its number is not reused meanwhile.
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    private boolean closed;

    private StampedSocket(int socket) {
        this.socket = socket;
        MemorySegment vector = arena.allocate(VECTOR_BYTES, Long.BYTES);
        vector.set(ValueLayout.ADDRESS, 0, input);
        vector.set(ValueLayout.JAVA_LONG, Long.BYTES, BUFFER_BYTES);
        message.set(ValueLayout.ADDRESS, MESSAGE_VECTORS, vector);
        message.set(ValueLayout.JAVA_LONG, MESSAGE_VECTOR_COUNT, 1);
        message.set(ValueLayout.ADDRESS, MESSAGE_CONTROL, control);
    }

    /// Connects two addresses of this machine. An operation that takes longer than its limit fails;
    /// zero means no limit.
    static StampedSocket connect(
            InetSocketAddress from, InetSocketAddress to, Duration sendLimit, Duration readLimit)
            throws IOException {
        var connection = new StampedSocket(NativeSockets.socket());
        try {
            connection.prepare(sendLimit, readLimit);
            NativeSockets.bind(connection.socket, connection.address(from));
            NativeSockets.connect(connection.socket, connection.address(to));
            return connection;
        } catch (IOException e) {
            connection.close();
            throw new IOException("no connection to " + to + ": " + e.getMessage(), e);
        }
    }

    private void prepare(Duration sendLimit, Duration readLimit) throws IOException {
        MemorySegment one = arena.allocate(ValueLayout.JAVA_INT);
        one.set(ValueLayout.JAVA_INT, 0, 1);
        NativeSockets.option(socket, NativeSockets.SOL_SOCKET, NativeSockets.SO_TIMESTAMPNS, one);
        NativeSockets.option(socket, NativeSockets.IPPROTO_TCP, NativeSockets.TCP_NODELAY, one);
        NativeSockets.option(
                socket, NativeSockets.SOL_SOCKET, NativeSockets.SO_SNDTIMEO, timeval(sendLimit));
        NativeSockets.option(
                socket, NativeSockets.SOL_SOCKET, NativeSockets.SO_RCVTIMEO, timeval(readLimit));
    }

    private MemorySegment timeval(Duration time) {
        MemorySegment value = arena.allocate(2 * Long.BYTES, Long.BYTES);
        value.set(ValueLayout.JAVA_LONG, 0, time.toSeconds());
        value.set(ValueLayout.JAVA_LONG, Long.BYTES, time.toNanosPart() / 1000);
        return value;
    }

    private MemorySegment address(InetSocketAddress of) {
        if (!of.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(of + " is not this machine");
        }
        MemorySegment address = arena.allocate(ADDRESS_BYTES, Long.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) NativeSockets.AF_INET);
        address.set(
                ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) of.getPort());
        byte[] host = of.getAddress().getAddress();
        MemorySegment.copy(host, 0, address, ValueLayout.JAVA_BYTE, 4, host.length);
        return address;
    }

    /// The current time, on the clock of [#arrivedNanos].
    static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_A_SECOND + now.getNano();
    }

    void send(byte[] bytes) throws IOException {
        sending.lock();
        use.readLock().lock();
        try {
            for (int sent = 0; sent < bytes.length; ) {
                if (closed) {
                    throw new IOException("the connection is closed");
                }
                int count = Math.min(bytes.length - sent, BUFFER_BYTES);
                MemorySegment.copy(bytes, sent, output, ValueLayout.JAVA_BYTE, 0, count);
                sent += (int) NativeSockets.send(socket, output.asSlice(0, count));
            }
        } finally {
            use.readLock().unlock();
            sending.unlock();
        }
    }

    /// Reads what is available, at least one byte; empty at the end.
    byte[] read() throws IOException {
        message.set(ValueLayout.JAVA_LONG, MESSAGE_CONTROL_BYTES, CONTROL_BYTES);
        int count = (int) NativeSockets.receive(socket, message);
        boolean stamped =
                message.get(ValueLayout.JAVA_LONG, MESSAGE_CONTROL_BYTES) > CONTROL_NANOS
                        && control.get(ValueLayout.JAVA_INT, CONTROL_TYPE)
                                == NativeSockets.SO_TIMESTAMPNS;
        // The kernel starts to add time stamps slightly after the first connection has asked for
        // them.
        arrivedNanos =
                stamped
                        ? control.get(ValueLayout.JAVA_LONG, CONTROL_SECONDS) * NANOS_A_SECOND
                                + control.get(ValueLayout.JAVA_LONG, CONTROL_NANOS)
                        : wallNanos();
        return input.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
    }

    /// When the kernel received the last byte of the last [#read].
    long arrivedNanos() {
        return arrivedNanos;
    }

    /// Ends the connection, and wakes threads that read or send.
    void shutdown() {
        use.readLock().lock();
        try {
            if (!closed) {
                NativeSockets.shutdown(socket);
            }
        } catch (IOException unconnected) {
            // The connection has ended already.
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public void close() throws IOException {
        shutdown();
        use.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                NativeSockets.close(socket);
            }
        } finally {
            use.writeLock().unlock();
        }
    }
}
