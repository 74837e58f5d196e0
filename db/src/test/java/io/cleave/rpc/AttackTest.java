package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Attacks on HTTP/2 servers that have become known, frame by frame, while a good client calls. The
/// attacker is told to calm down, and the good client does not notice.
class AttackTest {
    private static final String CALM = "GOAWAY last=%s ENHANCE_YOUR_CALM: %s";

    /// Frames are sent in pieces, as fast as they are taken, until the server has had enough.
    private static final int ROUNDS = 1_000;

    /// While less than this waits for a client, the server reads its requests.
    private static final long LOW_WATER_BYTES = 128 << 10;

    private final TestCalls calls = new TestCalls();
    private GoodClient good;
    private RawClient attacker;

    @BeforeEach
    void begin() throws Exception {
        good = new GoodClient(calls.port());
        attacker = RawClient.greeted(calls.port());
    }

    @AfterEach
    void theGoodClientDidNotNotice() throws Exception {
        attacker.close();
        good.finish();
        calls.close();
    }

    /// What the server says at last to one who goes on sending this.
    private String lastWords(Attack attack) throws Exception {
        var reading = attacker.lastWords();
        for (int round = 0; round < ROUNDS && !reading.isDone(); round++) {
            ByteBuf frames = Unpooled.buffer();
            attack.write(frames, round);
            byte[] bytes = new byte[frames.readableBytes()];
            frames.readBytes(bytes);
            attacker.send(bytes);
        }
        attacker.endSending();
        return reading.get();
    }

    private interface Attack {
        void write(ByteBuf frames, int round);
    }

    private static void repeat(int count, ByteBuf frames, byte[] frame) {
        for (int index = 0; index < count; index++) {
            frames.writeBytes(frame);
        }
    }

    private static void assertCalmed(String words, String why) {
        assertThat(words).matches(CALM.formatted("\\d+", why));
    }

    @Test
    void rapidReset() throws Exception {
        String words =
                lastWords(
                        (frames, round) -> {
                            for (int call = 0; call < 100; call++) {
                                int stream = 1 + 2 * (100 * round + call);
                                frames.writeBytes(RawClient.bytes("call " + stream + " test/Echo"));
                                frames.writeBytes(RawClient.bytes("reset " + stream));
                            }
                        });
        assertCalmed(words, "more than 2000 RST_STREAM frames in a second");
    }

    @Test
    void streamsThatMakeTheServerResetThem() throws Exception {
        String words =
                lastWords(
                        (frames, round) -> {
                            for (int call = 0; call < 100; call++) {
                                int stream = 1 + 2 * (100 * round + call);
                                frames.writeBytes(
                                        RawClient.bytes("call " + stream + " test/Silent"));
                                // Each of these ends a stream, and only the stream.
                                String trick =
                                        switch (call % 4) {
                                            case 0 -> "window %d 0";
                                            case 1 -> "window %d 2147483647";
                                            case 2 -> "headers %d :method=POST";
                                            default -> "frame 2 0 %d 00";
                                        };
                                frames.writeBytes(RawClient.bytes(trick.formatted(stream)));
                            }
                        });
        assertCalmed(words, "more than 500 streams that had to be reset in a second");
    }

    @Test
    void dataAfterTheEndOfACall() throws Exception {
        String words =
                lastWords(
                        (frames, round) -> {
                            int stream = 1 + 2 * round;
                            frames.writeBytes(RawClient.bytes("call " + stream + " test/Silent"));
                            frames.writeBytes(RawClient.bytes("message " + stream + " end hello"));
                            for (int more = 0; more < 20; more++) {
                                frames.writeBytes(RawClient.bytes("message " + stream + " more"));
                            }
                        });
        assertCalmed(words, "more than 500 streams that had to be reset in a second");
    }

    @Test
    void callsBeyondTheLimitAgainAndAgain() throws Exception {
        String words =
                lastWords(
                        (frames, round) -> {
                            for (int call = 0; call < 100; call++) {
                                int stream = 1 + 2 * (100 * round + call);
                                frames.writeBytes(
                                        RawClient.bytes("call " + stream + " test/Silent"));
                            }
                        });
        assertCalmed(words, "more than 500 streams that had to be reset in a second");
    }

    @Test
    void emptyContinuations() throws Exception {
        attacker.send("frame 1 0 1 82");
        byte[] empty = RawClient.bytes("frame 9 0 1");
        assertCalmed(
                lastWords((frames, _) -> repeat(100, frames, empty)),
                "headers of one request in more than 32 frames");
    }

    @Test
    void continuationsWithoutEnd() throws Exception {
        attacker.send("frame 1 0 1 82");
        ByteBuf block = Unpooled.buffer();
        RawClient.literal(block, "name", "v".repeat(100));
        byte[] more = RawClient.frame(Frames.CONTINUATION, 0, 1, block);
        assertCalmed(
                lastWords((frames, _) -> repeat(10, frames, more)),
                "headers of one request in more than 32 frames");
    }

    @Test
    void largeContinuationsWithoutEnd() throws Exception {
        attacker.send("frame 1 0 1 82");
        ByteBuf block = Unpooled.buffer().writeZero(2_000);
        byte[] more = RawClient.frame(Frames.CONTINUATION, 0, 1, block);
        assertCalmed(
                lastWords((frames, _) -> repeat(10, frames, more)), "headers that are too long");
    }

    @Test
    void manyRequestsInManyFrames() throws Exception {
        String words =
                lastWords(
                        (frames, round) -> {
                            int stream = 1 + 2 * round;
                            frames.writeBytes(RawClient.bytes("frame 1 1 " + stream + " 82"));
                            repeat(20, frames, RawClient.bytes("frame 9 0 " + stream));
                            frames.writeBytes(RawClient.bytes("frame 9 4 " + stream));
                        });
        assertThat(words)
                .matches(
                        CALM.formatted(
                                "\\d+",
                                "more than (1000 CONTINUATION frames|500 streams that had to be"
                                        + " reset) in a second"));
    }

    @Test
    void settingsFlood() throws Exception {
        byte[] settings = RawClient.bytes("settings 4=1000");
        assertCalmed(
                lastWords((frames, _) -> repeat(50, frames, settings)),
                "more than 100 SETTINGS frames in a second");
    }

    @Test
    void settingsOnManyCalls() throws Exception {
        for (int stream = 1; stream < 2 * TestCalls.MAX_CALLS; stream += 2) {
            attacker.send("call " + stream + " test/Silent");
        }
        ByteBuf entries = Unpooled.buffer();
        for (int entry = 0; entry < Frames.MAX_PAYLOAD_BYTES / Frames.SETTING_BYTES; entry++) {
            entries.writeShort(Frames.SETTING_INITIAL_WINDOW).writeInt(entry % 2 == 0 ? 0 : 65_535);
        }
        byte[] settings = RawClient.frame(Frames.SETTINGS, 0, 0, entries);
        assertCalmed(
                lastWords((frames, _) -> frames.writeBytes(settings)),
                "more than 100 SETTINGS frames in a second");
    }

    @Test
    void unaskedAcknowledgements() throws Exception {
        byte[] ack = RawClient.bytes("frame 4 1 0");
        assertCalmed(
                lastWords((frames, _) -> repeat(100, frames, ack)),
                "more than 1000 frames without a use in a second");
    }

    @Test
    void pingFlood() throws Exception {
        byte[] ping = RawClient.bytes("frame 6 0 0 0000000000000001");
        assertCalmed(lastWords((frames, _) -> repeat(100, frames, ping)), "too_many_pings");
    }

    @Test
    void pingFloodBesideCalls() throws Exception {
        byte[] ping = RawClient.bytes("frame 6 0 0 0000000000000001");
        String words =
                lastWords(
                        (frames, round) -> {
                            for (int call = 0; call < 100; call++) {
                                int stream = 1 + 2 * (100 * round + call);
                                frames.writeBytes(RawClient.bytes("call " + stream + " test/None"));
                                repeat(3, frames, ping);
                            }
                        });
        assertCalmed(words, "(more than 10000 PING frames in a second|too_many_pings)");
    }

    @Test
    void emptyDataFlood() throws Exception {
        attacker.send("call 1 test/Chat");
        byte[] empty = RawClient.bytes("frame 0 0 1");
        assertCalmed(
                lastWords((frames, _) -> repeat(100, frames, empty)),
                "more than 1000 empty DATA frames in a second");
    }

    @Test
    void dataThatIsAllPadding() throws Exception {
        attacker.send("call 1 test/Chat");
        byte[] padding = RawClient.bytes("frame 0 8 1 020000");
        assertCalmed(
                lastWords((frames, _) -> repeat(100, frames, padding)),
                "more than 1000 empty DATA frames in a second");
    }

    @Test
    void priorityFlood() throws Exception {
        byte[] priority = RawClient.bytes("frame 2 0 3 0000000100");
        assertCalmed(
                lastWords((frames, _) -> repeat(100, frames, priority)),
                "more than 1000 PRIORITY frames in a second");
    }

    @Test
    void framesOfNoKnownType() throws Exception {
        byte[] unknown = RawClient.bytes("frame 77 0 0 00");
        assertCalmed(
                lastWords((frames, _) -> repeat(100, frames, unknown)),
                "more than 1000 frames without a use in a second");
    }

    @Test
    void tinyWindows() throws Exception {
        attacker.send("settings 4=0");
        attacker.send("call 1 test/Echo");
        attacker.send("large 1 900000");
        byte[] window = RawClient.bytes("window 1 1");
        assertCalmed(
                lastWords((frames, _) -> repeat(1_000, frames, window)),
                "more than 10000 WINDOW_UPDATE frames of less than 64 bytes in a second");
    }

    @Test
    void aWindowThatOverflows() throws Exception {
        attacker.send("window 0 2147483647");
        assertThat(attacker.lastWords().get())
                .isEqualTo("GOAWAY last=0 FLOW_CONTROL_ERROR: the connection's window is too wide");
    }

    @Test
    void aWindowOfNothingHoldsOnlyItsOwner() throws Exception {
        attacker.send("settings 4=0");
        for (int stream = 1; stream < 400; stream += 2) {
            attacker.send("call " + stream + " test/Repeat");
            attacker.send("message " + stream + " end 1000 " + "z".repeat(1_000));
        }
        assertThat(attacker.answers()).allMatch(frame -> frame.matches("SETTINGS ack|HEADERS.*"));
    }

    @Test
    void anAnswerThatNobodyReads() throws Exception {
        attacker.send("settings 4=2147483647");
        attacker.send("window 0 2000000000");
        for (int stream = 1; stream < 40; stream += 2) {
            attacker.send("call " + stream + " test/Repeat");
            attacker.send("message " + stream + " end 1000 " + "z".repeat(10_000));
        }
    }

    /// Of all connections together: each by itself has few.
    @Test
    void answersThatNobodyReadsTakeNoMoreThanTheirMemory() throws Exception {
        calls.replies.take(2 * calls.replies.limitBytes() - 100_000);
        attacker.send("settings 4=0");
        for (int stream = 1; stream < 400; stream += 2) {
            attacker.send("call " + stream + " test/Echo");
            attacker.send("message " + stream + " end " + "z".repeat(1_000));
        }
        assertThat(attacker.lastWords().get())
                .matches(
                        "GOAWAY last=\\d+ ENHANCE_YOUR_CALM: An answer that is not read needs"
                                + " .* the server's memory for results is in use: .*");
        calls.replies.give(2 * calls.replies.limitBytes() - 100_000);
        // The last of the calls end after the words.
        while (calls.replies.usedBytes() != 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void refusalsThatNobodyReads() throws Exception {
        // They are headers, which go out without regard to windows.
        int count = 10_000;
        String path = "test/" + "p".repeat(2_000);
        Thread sending =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int call = 0; call < count; call++) {
                                        int stream = 1 + 2 * call;
                                        attacker.sendAll(
                                                RawClient.bytes("call " + stream + " " + path));
                                    }
                                });
        // The server reads no more of it until the answers are read, and loses none.
        good.awaitCalls(100);
        for (int call = 0; call < count; call++) {
            String answer = "HEADERS " + (1 + 2 * call) + " end";
            String frame = attacker.next();
            while (!frame.startsWith(answer)) {
                assertThat(frame).startsWith("RST_STREAM");
                frame = attacker.next();
            }
        }
        sending.join();
    }

    /// What waits for a client counts wherever it waits, of all connections together.
    @Test
    void refusalsThatNobodyReadsTakeMemory() throws Exception {
        Thread sending = Thread.ofVirtual().start(this::askForRefusals);
        // The server reads on until at least this much waits, and the attacker reads nothing: it
        // stays so. What waits for the good client is far less.
        await(() -> calls.replies.usedBytes() > LOW_WATER_BYTES);
        attacker.close();
        await(() -> calls.replies.usedBytes() == 0);
        sending.join();
    }

    @Test
    void refusalsThatNobodyReadsTakeNoMoreThanTheirMemory() throws Exception {
        calls.replies.take(2 * calls.replies.limitBytes());
        try {
            Thread sending = Thread.ofVirtual().start(this::askForRefusals);
            await(() -> calls.server().connections().size() == 1);
            sending.join();
        } finally {
            calls.replies.give(2 * calls.replies.limitBytes());
        }
    }

    private void askForRefusals() {
        String path = "test/" + "p".repeat(2_000);
        for (int stream = 1; stream < 20_000; stream += 2) {
            try {
                attacker.send("call " + stream + " " + path);
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void await(BooleanSupplier condition) throws Exception {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertThat(tries).as("tries").isLessThan(20_000);
            Thread.sleep(1);
        }
    }

    @Test
    void headersThatUnpackToMegabytes() throws Exception {
        // One large entry of the table, and then nothing but references to it.
        ByteBuf block = Unpooled.buffer();
        block.writeByte(0x40);
        block.writeByte(1).writeByte('n');
        block.writeByte(0x7f).writeByte(0x80 | (4_000 - 127) & 0x7f).writeByte((4_000 - 127) >> 7);
        block.writeCharSequence("v".repeat(4_000), StandardCharsets.US_ASCII);
        while (block.readableBytes() < 8_000) {
            block.writeByte(0x80 | (StaticTable.SIZE + 1));
        }
        attacker.send(
                RawClient.frame(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, 1, block));
        assertCalmed(
                attacker.lastWords().get(),
                "headers that unpack to far more than a request may have");
    }

    @Test
    void aHeaderOfManyValues() throws Exception {
        // Each comma is a byte for the client, and an array for us.
        attacker.send("call 1 test/Echo x-bin=" + ",".repeat(4_000));
        attacker.send("message 1 end hello");
        assertThat(attacker.answers()).contains("RST_STREAM 1 PROTOCOL_ERROR");
    }

    @Test
    void manyLongHeaders() throws Exception {
        try (var strict = new TestCalls(rates(100_000, 1 << 20));
                RawClient client = RawClient.greeted(strict.port())) {
            var words = client.lastWords();
            String header = " n=" + "v".repeat(120);
            for (int stream = 1; stream < 10_000 && !words.isDone(); stream += 2) {
                client.send(
                        "headers "
                                + stream
                                + " end :method=GET :scheme=http :path=/"
                                + header.repeat(50));
            }
            assertCalmed(words.get(), "more than 1048576 bytes of headers in a second");
        }
    }

    @Test
    void manySmallRequests() throws Exception {
        try (var strict = new TestCalls(rates(1_000, 1 << 30));
                RawClient client = RawClient.greeted(strict.port())) {
            var words = client.lastWords();
            for (int stream = 1; stream < 100_000 && !words.isDone(); stream += 2) {
                client.send("headers " + stream + " end :method=GET :scheme=http :path=/");
            }
            assertCalmed(words.get(), "more than 1000 requests in a second");
        }
    }

    private static FrameRates rates(int headerBlocks, int headerBytes) {
        FrameRates usual = FrameRates.USUAL;
        return new FrameRates(
                usual.resets(),
                usual.forcedResets(),
                usual.emptyData(),
                usual.continuations(),
                usual.priorities(),
                usual.settings(),
                usual.pings(),
                usual.windowUpdates(),
                usual.smallWindowUpdates(),
                headerBlocks,
                headerBytes,
                usual.others());
    }

    @Test
    void aRequestThatComesByteByByte() throws Exception {
        for (String line : new String[] {"call 1 test/Echo", "message 1 end hello"}) {
            for (byte b : RawClient.bytes(line)) {
                attacker.send(new byte[] {b});
            }
        }
        assertThat(attacker.answers()).contains("DATA 1 hello");
    }

    /// What a client sends counts as a sign of life when it is a frame.
    @Test
    void aFrameThatNeverEnds() throws Exception {
        try (var impatient = new TestCalls(Duration.ofMillis(200));
                RawClient client = RawClient.greeted(impatient.port())) {
            var words = client.lastWords();
            client.send(new byte[] {0, 0x40, 0, 77, 0, 0, 0, 0, 0});
            for (int sent = 0; sent < 400 && !words.isDone(); sent++) {
                client.send(new byte[1]);
                Thread.sleep(25);
            }
            assertThat(words).isDone();
        }
    }

    @Test
    void aConnectionThatNeverSaysAnything() throws Exception {
        try (var impatient = new TestCalls(Duration.ofMillis(200));
                RawClient client = new RawClient(impatient.port())) {
            client.lastWords().get();
            await(() -> impatient.server().connectionCount() == 0);
        }
    }

    @Test
    void aPoolThatClosesIsNoAttack() throws Exception {
        // All calls that a connection may have are cancelled at once, and again.
        for (int round = 0; round < 2; round++) {
            int first = 1 + 2 * TestCalls.MAX_CALLS * round;
            for (int call = 0; call < TestCalls.MAX_CALLS; call++) {
                attacker.send("call " + (first + 2 * call) + " test/Silent");
            }
            for (int call = 0; call < TestCalls.MAX_CALLS; call++) {
                attacker.send("reset " + (first + 2 * call));
            }
        }
        int next = 1 + 2 * TestCalls.MAX_CALLS * 2;
        attacker.send("call " + next + " test/Echo");
        attacker.send("message " + next + " end hello");
        assertThat(attacker.answers()).contains("DATA " + next + " hello");
    }
}
