package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// gRPC's own client, which calls one after the other for as long as a test runs. None of its calls
/// may fail, whatever others do to the server.
final class GoodClient {
    /// More than one frame, so that part of it waits for the rest.
    private static final int EVERY_LARGE = 8;

    private static final int LARGE_CHARS = 30_000;

    /// What one call takes of the server's memory for requests at most: its bytes, parsed and not.
    static final int MOST_BYTES = 4 * LARGE_CHARS;

    private final ManagedChannel channel;
    private final Thread thread;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean stopping;

    GoodClient(int port) {
        channel = NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
        call(0);
        thread = Thread.ofPlatform().daemon().name("good-client").start(this::callOn);
    }

    private void callOn() {
        try {
            for (int number = 1; !stopping; number++) {
                call(number);
            }
        } catch (Throwable thrown) {
            failure.set(thrown);
        }
    }

    private void call(int number) {
        String text = "call " + number + "x".repeat(number % EVERY_LARGE == 0 ? LARGE_CHARS : 10);
        String answer =
                ClientCalls.blockingUnaryCall(channel, TestCalls.ECHO, CallOptions.DEFAULT, text);
        assertThat(answer).isEqualTo(text);
        answered.incrementAndGet();
    }

    /// Waits until so many calls more were answered.
    void awaitCalls(int count) throws InterruptedException {
        int until = answered.get() + count;
        while (answered.get() < until && failure.get() == null) {
            Thread.sleep(1);
        }
    }

    /// Ends after one more call, and tells what went wrong.
    void finish() throws InterruptedException {
        stopping = true;
        thread.join();
        if (failure.get() == null) {
            call(0);
        }
        channel.shutdownNow();
        assertThat(failure.get()).as("after %d calls", answered.get()).isNull();
    }
}
