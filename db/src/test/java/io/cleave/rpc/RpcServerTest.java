package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// gRPC's own client against this server.
class RpcServerTest {
    private final TestCalls calls = new TestCalls();
    private final ManagedChannel channel =
            NettyChannelBuilder.forAddress("localhost", calls.port())
                    .usePlaintext()
                    .maxInboundMessageSize(TestCalls.MAX_MESSAGE_BYTES)
                    .maxInboundMetadataSize(1 << 20)
                    .build();

    @AfterEach
    void close() {
        channel.shutdownNow();
        calls.close();
    }

    private String ask(MethodDescriptor<String, String> method, CallOptions options, String text) {
        return ClientCalls.blockingUnaryCall(channel, method, options, text);
    }

    private String echo(String text) {
        return ask(TestCalls.ECHO, CallOptions.DEFAULT, text);
    }

    @Test
    void messagesOfEverySizeComeBack() {
        for (int length : new int[] {0, 1, 5, 16_379, 16_380, 65_535, 1 << 20, 20 << 20}) {
            String text = "x".repeat(length);
            assertThat(echo(text)).as("%d bytes", length).isEqualTo(text);
        }
    }

    @Test
    void aThousandCallsAtOnceEachGetTheirOwnAnswer() throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        for (int call = 0; call < 1_000; call++) {
            answers.add(
                    ClientCalls.futureUnaryCall(
                            channel.newCall(TestCalls.ECHO, CallOptions.DEFAULT),
                            "call " + call + " " + "y".repeat(call * 7 % 5_000)));
        }
        for (int call = 0; call < answers.size(); call++) {
            assertThat(answers.get(call).get(20, TimeUnit.SECONDS))
                    .startsWith("call " + call + " ");
        }
    }

    @Test
    void aStreamGoesOnAsItsClientReads() {
        Iterator<String> parts =
                ClientCalls.blockingServerStreamingCall(
                        channel,
                        TestCalls.REPEAT,
                        CallOptions.DEFAULT,
                        "300 " + "z".repeat(100_000));
        int count = 0;
        while (parts.hasNext()) {
            assertThat(parts.next()).hasSize(100_000);
            count++;
            // Others are not held up by it.
            assertThat(echo("beside")).isEqualTo("beside");
        }
        assertThat(count).isEqualTo(300);
    }

    @Test
    void aClientThatDoesNotReadHoldsNobodyElseUp() {
        List<Iterator<String>> unread = new ArrayList<>();
        for (int stream = 0; stream < 5; stream++) {
            unread.add(
                    ClientCalls.blockingServerStreamingCall(
                            channel,
                            TestCalls.REPEAT,
                            CallOptions.DEFAULT,
                            "40 " + "u".repeat(20_000)));
        }
        assertThat(echo("still here")).isEqualTo("still here");
        for (Iterator<String> parts : unread) {
            int count = 0;
            while (parts.hasNext()) {
                parts.next();
                count++;
            }
            assertThat(count).isEqualTo(40);
        }
    }

    @Test
    void messagesGoBothWays() throws Exception {
        List<String> heard = new ArrayList<>();
        var ended = new CompletableFuture<List<String>>();
        StreamObserver<String> client =
                ClientCalls.asyncBidiStreamingCall(
                        channel.newCall(TestCalls.CHAT, CallOptions.DEFAULT),
                        new StreamObserver<>() {
                            @Override
                            public void onNext(String message) {
                                heard.add(message);
                            }

                            @Override
                            public void onError(Throwable thrown) {
                                ended.completeExceptionally(thrown);
                            }

                            @Override
                            public void onCompleted() {
                                ended.complete(heard);
                            }
                        });
        for (int message = 0; message < 100; message++) {
            client.onNext("message " + message);
        }
        client.onCompleted();
        assertThat(ended.get(20, TimeUnit.SECONDS))
                .hasSize(100)
                .startsWith("re: message 0", "re: message 1");
    }

    @Test
    void requestsMayBePacked() {
        String text = "again and ".repeat(100_000);
        assertThat(ask(TestCalls.ECHO, CallOptions.DEFAULT.withCompression("gzip"), text))
                .isEqualTo(text);
    }

    @Test
    void whatUnpacksToTooMuchIsRefused() {
        assertRefused(
                () ->
                        ask(
                                TestCalls.ECHO,
                                CallOptions.DEFAULT.withCompression("gzip"),
                                "0".repeat(TestCalls.MAX_MESSAGE_BYTES + 1)),
                Status.Code.RESOURCE_EXHAUSTED,
                "Decompressed gRPC message exceeds maximum size 33554432");
    }

    @Test
    void aMessageThatIsTooLargeIsRefused() {
        assertRefused(
                () -> echo("0".repeat(TestCalls.MAX_MESSAGE_BYTES + 1)),
                Status.Code.RESOURCE_EXHAUSTED,
                "gRPC message exceeds maximum size 33554432: 33554433");
    }

    @Test
    void headersThatAreTooLongAreRefused() {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("long", Metadata.ASCII_STRING_MARSHALLER),
                "l".repeat(TestCalls.MAX_HEADER_BYTES));
        var with =
                ClientInterceptors.intercept(
                        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        assertThatThrownBy(
                        () ->
                                ClientCalls.blockingUnaryCall(
                                        with, TestCalls.ECHO, CallOptions.DEFAULT, "text"))
                .isInstanceOf(StatusRuntimeException.class);
        assertThat(echo("others go on")).isEqualTo("others go on");
    }

    @Test
    void aServiceThatFailsSaysSo() {
        assertRefused(
                () -> ask(TestCalls.FAIL, CallOptions.DEFAULT, "100 % lost, für immer\n"),
                Status.Code.DATA_LOSS,
                "100 % lost, für immer\n");
        assertRefused(
                () -> ask(TestCalls.FAIL, CallOptions.DEFAULT, ""),
                Status.Code.UNKNOWN,
                "Application error processing RPC");
        assertThat(echo("and goes on")).isEqualTo("and goes on");
    }

    @Test
    void anUnknownMethodIsNotImplemented() {
        var unknown = TestCalls.ECHO.toBuilder().setFullMethodName("test/Nothing").build();
        assertRefused(
                () -> ask(unknown, CallOptions.DEFAULT, ""),
                Status.Code.UNIMPLEMENTED,
                "Method not found: test/Nothing");
    }

    @Test
    void aCallWhoseTimeIsOverIsCancelled() throws Exception {
        // The client would end it by itself, so the server is told of a shorter time.
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), "20m");
        var with =
                ClientInterceptors.intercept(
                        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        assertThatThrownBy(
                        () ->
                                ClientCalls.blockingUnaryCall(
                                        with, TestCalls.SILENT, CallOptions.DEFAULT, ""))
                .isInstanceOf(StatusRuntimeException.class);
        assertThat(calls.silentEnd.get(20, TimeUnit.SECONDS)).isEqualTo("cancelled");
    }

    @Test
    void aClientThatCancelsEndsItsCall() throws Exception {
        var call =
                ClientCalls.futureUnaryCall(
                        channel.newCall(TestCalls.SILENT, CallOptions.DEFAULT), "");
        assertThat(calls.silentBegin.get(20, TimeUnit.SECONDS)).isEmpty();
        call.cancel(true);
        assertThat(calls.silentEnd.get(20, TimeUnit.SECONDS)).isEqualTo("cancelled");
    }

    @Test
    void aServerThatStopsFinishesWhatItHas() throws Exception {
        Iterator<String> parts =
                ClientCalls.blockingServerStreamingCall(
                        channel,
                        TestCalls.REPEAT,
                        CallOptions.DEFAULT,
                        "200 " + "s".repeat(50_000));
        parts.next();
        calls.server().shutdown();
        int count = 1;
        while (parts.hasNext()) {
            parts.next();
            count++;
        }
        assertThat(count).isEqualTo(200);
        assertThat(calls.server().awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> echo("too late"))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e ->
                                assertThat(e.getStatus().getCode())
                                        .isEqualTo(Status.Code.UNAVAILABLE));
    }

    private static void assertRefused(Runnable call, Status.Code code, String text) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> {
                            assertThat(e.getStatus().getCode()).isEqualTo(code);
                            assertThat(e.getStatus().getDescription()).isEqualTo(text);
                        });
    }
}
