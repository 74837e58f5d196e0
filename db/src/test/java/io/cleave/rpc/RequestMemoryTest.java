package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What requests may take of the memory, while a good client calls: in total, and until when.
class RequestMemoryTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int MB = 1 << 20;
    private static final String EXHAUSTED = "HEADERS %d end .*grpc-status=8 grpc-message=%s.*";

    private final TestCalls calls = new TestCalls(16 * MB);
    private final GoodClient good = new GoodClient(calls.port());

    @AfterEach
    void everythingIsGivenBackAndTheGoodClientDidNotNotice() throws Exception {
        good.finish();
        awaitMemory(0);
        calls.close();
    }

    private void awaitMemory(long bytes) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (calls.memory.usedBytes() != bytes && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        assertThat(calls.memory.usedBytes()).isEqualTo(bytes);
    }

    @Test
    void partsOfMessagesAreCountedOverAllConnections() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (int client = 0; client < 6; client++) {
            RawClient attacker = RawClient.greeted(calls.port());
            clients.add(attacker);
            for (int stream = 1; stream < 9; stream += 2) {
                attacker.send("call " + stream + " test/Echo");
                attacker.send("part " + stream + " 3000000 1000000");
            }
            answers.addAll(attacker.answers());
        }
        assertThat(calls.memory.usedBytes()).isGreaterThan(4 * MB).isLessThanOrEqualTo(12 * MB);
        assertThat(answers)
                .anyMatch(
                        frame ->
                                frame.matches(
                                        EXHAUSTED.formatted(
                                                1,
                                                "The request needs \\d+ bytes more, and the"
                                                        + " server's memory for requests is in use:"
                                                        + " \\d+ of at most 16777216 bytes")));
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void callsThatAreOpenTakeMemory() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        String header = " name=" + "v".repeat(7_000);
        for (int client = 0; client < 4; client++) {
            RawClient attacker = RawClient.greeted(calls.port());
            clients.add(attacker);
            for (int stream = 1; stream < 600; stream += 2) {
                attacker.send("call " + stream + " test/Silent" + header);
            }
            answers.addAll(attacker.answers());
        }
        assertThat(calls.memory.usedBytes()).isBetween(3L * MB, 4L * MB);
        assertThat(answers)
                .anyMatch(
                        frame ->
                                frame.contains(
                                        "grpc-status=8 grpc-message=The open calls of all clients"
                                                + " may take"))
                .anyMatch(frame -> frame.contains("of one connection"));
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void headersThatAreNotWholeTakeMemory() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send("frame 1 0 1 82");
            awaitMemory(TestCalls.MAX_HEADER_BYTES);
            client.send("frame 9 4 1 87");
            awaitMemory(0);
            client.send("frame 1 0 3 82");
            awaitMemory(TestCalls.MAX_HEADER_BYTES);
        }
    }

    @Test
    void oneConnectionMayTakeHalf() throws Exception {
        try (RawClient attacker = RawClient.greeted(calls.port())) {
            for (int stream = 1; stream < 21; stream += 2) {
                attacker.send("call " + stream + " test/Echo");
                attacker.send("part " + stream + " 3000000 1000000");
            }
            assertThat(attacker.answers())
                    .anyMatch(
                            frame ->
                                    frame.matches(
                                            EXHAUSTED.formatted(
                                                    17,
                                                    "Incomplete messages of one connection may"
                                                            + " take 8388608 bytes of memory")));
            // And the good client's message, if there is one at this moment.
            assertThat(calls.memory.usedBytes())
                    .isLessThanOrEqualTo(8 * MB + GoodClient.MOST_BYTES);
        }
    }

    @Test
    void aPackedBombIsRefusedUnopened() throws Exception {
        try (RawClient attacker = RawClient.greeted(calls.port())) {
            for (int stream = 1; stream < 41; stream += 2) {
                attacker.send("call " + stream + " test/Echo grpc-encoding=gzip");
                attacker.send("packed " + stream + " 30000000");
            }
            for (int stream = 1; stream < 41; stream += 2) {
                assertThat(statusOf(attacker, stream))
                        .matches(
                                EXHAUSTED.formatted(
                                        stream,
                                        "A compressed message of \\d+ bytes expands to 30000000. A"
                                            + " message that expands to more than 1048576 bytes may"
                                            + " grow at most 100 times. Send it uncompressed"));
            }
        }
    }

    @Test
    void aPackedMessageThatIsTooLargeForTheMemoryIsRefused() throws Exception {
        // It packs to a tenth.
        byte[] bytes = new byte[14 * MB];
        Random random = new Random(1);
        for (int at = 0; at < bytes.length; at += 32) {
            bytes[at] = (byte) random.nextInt();
        }
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send("call 1 test/Echo grpc-encoding=gzip");
            client.send(RawClient.message(1, true, RawClient.packed(bytes)));
            assertThat(statusOf(client, 1))
                    .matches(
                            EXHAUSTED.formatted(
                                    1,
                                    "The request needs \\d+ bytes of memory; with this"
                                            + " server's heap, a request may take at most 12582912."
                                            + " Send fewer rows at once"));
        }
    }

    @Test
    void whatWasParsedIsCountedUntilTheCallEnds() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send("call 1 test/Silent");
            client.send("large 1 1000000");
            awaitMemory(1_000_000);
            // Small ones count if they are kept.
            client.send("call 3 test/Silent");
            client.send("message 3 hello");
            awaitMemory(1_000_005);
            client.send("reset 1");
            awaitMemory(5);
            client.send("reset 3");
            awaitMemory(0);
        }
    }

    /// An empty message is five bytes for the client and an object for the server.
    @Test
    void emptyMessagesBehindOneThatIsBeingParsedAreCounted() throws Exception {
        var free = new CountDownLatch(1);
        keepParsingThreadsBusy(free);
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send("call 1 test/Chat grpc-encoding=gzip");
            client.send("packed 1 10 more");
            ByteBuf empty = Unpooled.buffer();
            empty.writeZero(3_000 * MessageAssembly.PREFIX_BYTES);
            byte[] frame = RawClient.frame(Frames.DATA, 0, 1, empty);
            for (int sent = 0; sent < 65; sent++) {
                client.send(frame);
            }
            assertThat(statusOf(client, 1))
                    .matches(EXHAUSTED.formatted(1, "The request needs \\d+ bytes more"));
        } finally {
            free.countDown();
        }
    }

    @Test
    void aSecondRequestIsRefusedWhileTheFirstIsBeingParsed() throws Exception {
        var free = new CountDownLatch(1);
        keepParsingThreadsBusy(free);
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send("call 1 test/Echo grpc-encoding=gzip");
            client.send("packed 1 10 more");
            client.send("message 1 end hello");
            assertThat(statusOf(client, 1)).contains("grpc-message=Too many requests");
        } finally {
            free.countDown();
        }
    }

    private void keepParsingThreadsBusy(CountDownLatch free) {
        for (int thread = 0; thread < Runtime.getRuntime().availableProcessors(); thread++) {
            assertThat(calls.server().parsing().submit(free, () -> awaitUninterrupted(free)))
                    .isTrue();
        }
    }

    private static void awaitUninterrupted(CountDownLatch free) {
        try {
            free.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLieAboutTheLengthIsFound() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            byte[] packed = RawClient.packed(new byte[1_000]);
            for (int stream : new int[] {1, 3}) {
                byte[] lie = packed.clone();
                lie[lie.length - 4] += (byte) (stream - 2);
                client.send("call " + stream + " test/Echo grpc-encoding=gzip");
                client.send(RawClient.message(stream, true, lie));
                assertThat(statusOf(client, stream))
                        .contains(
                                "grpc-status=13 grpc-message=A compressed message is not valid"
                                        + " gzip");
            }
        }
    }

    @Test
    void messagesComeInTheirOrderWhereverTheyAreParsed() throws Exception {
        Random random = new Random(SEED);
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("localhost", calls.port()).usePlaintext().build();
        try {
            List<String> sent = new ArrayList<>();
            List<String> heard = new ArrayList<>();
            var ended = new CompletableFuture<List<String>>();
            StreamObserver<String> client =
                    ClientCalls.asyncBidiStreamingCall(
                            channel.newCall(
                                    TestCalls.CHAT,
                                    random.nextBoolean()
                                            ? CallOptions.DEFAULT
                                            : CallOptions.DEFAULT.withCompression("gzip")),
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
            for (int message = 0; message < 60; message++) {
                int length = random.nextInt(4) == 0 ? 70_000 + random.nextInt(200_000) : 10;
                String text = message + " " + "m".repeat(length);
                sent.add("re: " + text);
                client.onNext(text);
            }
            client.onCompleted();
            assertThat(ended.get(60, TimeUnit.SECONDS)).as("-Dseed=%d", SEED).isEqualTo(sent);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aMessageThatStopsArrivingIsGivenUp() throws Exception {
        try (var impatient = new TestCalls(Duration.ofMillis(400));
                RawClient client = RawClient.greeted(impatient.port())) {
            client.send("call 1 test/Echo");
            client.send("part 1 3000000 1000000");
            assertThat(statusOf(client, 1))
                    .matches(EXHAUSTED.formatted(1, "A message arrived too slowly: \\d+ bytes.*"));
        }
    }

    /// The trailers of a call.
    private static String statusOf(RawClient client, int stream) throws Exception {
        String frame = client.next();
        while (!frame.startsWith("HEADERS " + stream + " end")) {
            assertThat(frame).isNotEqualTo("closed");
            frame = client.next();
        }
        return frame;
    }
}
