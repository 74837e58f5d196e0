package io.cleave.rpc;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// A server with calls of all kinds, whose messages are texts.
final class TestCalls implements AutoCloseable {
    static final int MAX_CONNECTIONS = 2_000;
    static final int MAX_MESSAGE_BYTES = 32 << 20;
    static final int MAX_HEADER_BYTES = 8 << 10;
    static final int WINDOW_BYTES = 1 << 20;
    static final long MEMORY_BYTES = 128 << 20;
    static final int MAX_CALLS = 1_000;
    static final int MAX_LONG_CALLS = 300;

    static final MethodDescriptor<String, String> ECHO = method("test/Echo", MethodType.UNARY);
    static final MethodDescriptor<String, String> REPEAT =
            method("test/Repeat", MethodType.SERVER_STREAMING);
    static final MethodDescriptor<String, String> CHAT =
            method("test/Chat", MethodType.BIDI_STREAMING);
    static final MethodDescriptor<String, String> FAIL = method("test/Fail", MethodType.UNARY);
    static final MethodDescriptor<String, String> SILENT = method("test/Silent", MethodType.UNARY);

    /// Never answered, either; its calls are counted apart.
    static final MethodDescriptor<String, String> ATTACH =
            method("test/Attach", MethodType.SERVER_STREAMING);

    private final RpcServer server;

    /// A call that is never answered has come.
    final CompletableFuture<String> silentBegin = new CompletableFuture<>();

    /// What became of the last call that is never answered.
    final CompletableFuture<String> silentEnd = new CompletableFuture<>();

    /// What requests take.
    final MemoryPool memory;

    final MemoryPool replies;

    TestCalls() {
        this(Duration.ofMinutes(1));
    }

    /// With so much memory for requests.
    TestCalls(long memoryBytes) {
        this(MAX_CONNECTIONS, Duration.ofMinutes(1), FrameRates.USUAL, memoryBytes);
    }

    /// With so many connections.
    static TestCalls ofConnections(int maxConnections) {
        return new TestCalls(maxConnections, Duration.ofMinutes(1), FrameRates.USUAL, MEMORY_BYTES);
    }

    TestCalls(Duration pingInterval) {
        this(MAX_CONNECTIONS, pingInterval, FrameRates.USUAL, MEMORY_BYTES);
    }

    TestCalls(FrameRates rates) {
        this(MAX_CONNECTIONS, Duration.ofMinutes(1), rates, MEMORY_BYTES);
    }

    private TestCalls(
            int maxConnections, Duration pingInterval, FrameRates rates, long memoryBytes) {
        memory = new MemoryPool("requests", memoryBytes, new SystemEnv());
        replies = new MemoryPool("results", memoryBytes, new SystemEnv());
        try {
            server =
                    RpcServer.start(
                            new SystemEnv(),
                            new Limits(
                                    maxConnections,
                                    MAX_MESSAGE_BYTES,
                                    MAX_HEADER_BYTES,
                                    WINDOW_BYTES,
                                    MAX_CALLS,
                                    MAX_LONG_CALLS,
                                    Set.of(ATTACH.getFullMethodName()),
                                    Duration.ofMinutes(1),
                                    pingInterval,
                                    pingInterval,
                                    rates),
                            memory,
                            replies,
                            new InetSocketAddress("localhost", 0),
                            List.of(service()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.port();
    }

    RpcServer server() {
        return server;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder("test")
                .addMethod(
                        ECHO,
                        ServerCalls.asyncUnaryCall(
                                (request, replies) -> {
                                    replies.onNext(request);
                                    replies.onCompleted();
                                }))
                .addMethod(REPEAT, ServerCalls.asyncServerStreamingCall(TestCalls::repeat))
                .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(Chat::new))
                .addMethod(
                        FAIL,
                        ServerCalls.asyncUnaryCall(
                                (request, replies) -> {
                                    if (!request.isEmpty()) {
                                        throw Status.DATA_LOSS
                                                .withDescription(request)
                                                .asRuntimeException();
                                    }
                                    throw new IllegalStateException("as the test wants it");
                                }))
                .addMethod(SILENT, ServerCalls.asyncUnaryCall(this::silent))
                .addMethod(ATTACH, ServerCalls.asyncServerStreamingCall(this::silent))
                .build();
    }

    /// `N TEXT` is answered N times, from a thread of its own, as fast as the client takes it.
    private static void repeat(String request, StreamObserver<String> replies) {
        int space = request.indexOf(' ');
        int count = Integer.parseInt(request.substring(0, space));
        String text = request.substring(space + 1);
        var calls = (ServerCallStreamObserver<String>) replies;
        Object ready = new Object();
        calls.setOnReadyHandler(
                () -> {
                    synchronized (ready) {
                        ready.notifyAll();
                    }
                });
        calls.setOnCancelHandler(
                () -> {
                    synchronized (ready) {
                        ready.notifyAll();
                    }
                });
        Thread.ofVirtual()
                .start(
                        () -> {
                            for (int sent = 0; sent < count; sent++) {
                                synchronized (ready) {
                                    while (!calls.isReady() && !calls.isCancelled()) {
                                        try {
                                            ready.wait();
                                        } catch (InterruptedException e) {
                                            return;
                                        }
                                    }
                                }
                                if (calls.isCancelled()) {
                                    return;
                                }
                                replies.onNext(text);
                            }
                            replies.onCompleted();
                        });
    }

    private void silent(String request, StreamObserver<String> replies) {
        ((ServerCallStreamObserver<String>) replies)
                .setOnCancelHandler(() -> silentEnd.complete("cancelled"));
        silentBegin.complete(request);
    }

    /// Answers each message of a client, in its order.
    private record Chat(StreamObserver<String> replies) implements StreamObserver<String> {
        @Override
        public void onNext(String message) {
            replies.onNext("re: " + message);
        }

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onCompleted() {
            replies.onCompleted();
        }
    }

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(new Texts(), new Texts())
                .setFullMethodName(name)
                .setType(type)
                .build();
    }

    private static final class Texts implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String text) {
            return new MessageStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
