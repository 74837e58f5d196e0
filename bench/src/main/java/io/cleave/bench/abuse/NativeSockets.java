package io.cleave.bench.abuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The socket functions of the C library of 64-bit Linux. Java's own sockets do not report when the
/// kernel received the bytes.
final class NativeSockets {
    static final int AF_INET = 2;
    static final int SOCK_STREAM = 1;
    static final int SOL_SOCKET = 1;
    static final int SO_RCVTIMEO = 20;
    static final int SO_SNDTIMEO = 21;
    static final int SO_TIMESTAMPNS = 35;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    static final int SHUT_RDWR = 2;

    /// Flag of `send`: a closed connection is an error, not a signal.
    private static final int MSG_NOSIGNAL = 0x4000;

    private static final int EINTR = 4;
    private static final int EAGAIN = 11;

    /// Error of `connect` when its time limit has passed.
    private static final int EINPROGRESS = 115;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final ValueLayout INT = ValueLayout.JAVA_INT;
    private static final ValueLayout LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout POINTER = ValueLayout.ADDRESS;

    private static final MethodHandle SOCKET = handle("socket", INT, INT, INT, INT);
    private static final MethodHandle BIND = handle("bind", INT, INT, POINTER, INT);
    private static final MethodHandle CONNECT = handle("connect", INT, INT, POINTER, INT);
    private static final MethodHandle SETSOCKOPT =
            handle("setsockopt", INT, INT, INT, INT, POINTER, INT);
    private static final MethodHandle SEND = handle("send", LONG, INT, POINTER, LONG, INT);
    private static final MethodHandle RECVMSG = handle("recvmsg", LONG, INT, POINTER, INT);
    private static final MethodHandle SHUTDOWN = handle("shutdown", INT, INT, INT);
    private static final MethodHandle CLOSE = handle("close", INT, INT);

    private NativeSockets() {}

    @SuppressWarnings("restricted") // the descriptors are those of the C library
    private static MethodHandle handle(String name, ValueLayout result, ValueLayout... parameters) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, parameters),
                Linker.Option.captureCallState("errno"));
    }

    static int socket() throws IOException {
        return (int)
                call("socket", state -> (int) SOCKET.invokeExact(state, AF_INET, SOCK_STREAM, 0));
    }

    static void bind(int socket, MemorySegment address) throws IOException {
        int bytes = (int) address.byteSize();
        call("bind", state -> (int) BIND.invokeExact(state, socket, address, bytes));
    }

    static void connect(int socket, MemorySegment address) throws IOException {
        int bytes = (int) address.byteSize();
        call("connect", state -> (int) CONNECT.invokeExact(state, socket, address, bytes));
    }

    static void option(int socket, int level, int name, MemorySegment value) throws IOException {
        int bytes = (int) value.byteSize();
        call(
                "setsockopt",
                state -> (int) SETSOCKOPT.invokeExact(state, socket, level, name, value, bytes));
    }

    /// Returns how many bytes were accepted.
    static long send(int socket, MemorySegment bytes) throws IOException {
        long count = bytes.byteSize();
        return call(
                "send",
                state -> (long) SEND.invokeExact(state, socket, bytes, count, MSG_NOSIGNAL));
    }

    /// Returns how many bytes were received; 0 at the end of the connection.
    static long receive(int socket, MemorySegment message) throws IOException {
        return call("recvmsg", state -> (long) RECVMSG.invokeExact(state, socket, message, 0));
    }

    static void shutdown(int socket) throws IOException {
        call("shutdown", state -> (int) SHUTDOWN.invokeExact(state, socket, SHUT_RDWR));
    }

    static void close(int socket) throws IOException {
        call("close", state -> (int) CLOSE.invokeExact(state, socket));
    }

    private interface Call {
        long with(MemorySegment state) throws Throwable;
    }

    @SuppressWarnings("CatchThrowable") // a method handle declares no less
    private static long call(String name, Call call) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            while (true) {
                long result = call.with(state);
                if (result >= 0) {
                    return result;
                }
                int errno = (int) ERRNO.get(state, 0L);
                if (errno == EAGAIN || errno == EINPROGRESS) {
                    throw new IOException(name + ": no answer in time");
                }
                if (errno != EINTR) {
                    throw new IOException(name + ": error " + errno);
                }
            }
        } catch (IOException | RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
