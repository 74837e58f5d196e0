package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Which frames a server answers to which, from the files in testdata/frames, on a connection of
/// its own for each case.
class FramesTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private final TestCalls calls = new TestCalls();

    @AfterEach
    void close() {
        calls.close();
    }

    @TestFactory
    Stream<DynamicTest> framesAreAnswered() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/frames"), this::run);
    }

    private String run(Command command) {
        try (RawClient client = RawClient.greeted(calls.port())) {
            List<String> answers = new ArrayList<>();
            for (String line : command.input()) {
                if (line.equals("then")) {
                    answers.addAll(client.answers());
                } else {
                    client.send(line);
                }
            }
            answers.addAll(client.answers());
            return String.join("\n", answers);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsNotHttp2IsToldSo() throws Exception {
        try (RawClient client = new RawClient(calls.port())) {
            client.send(
                    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(client.answers())
                    .contains("GOAWAY last=0 PROTOCOL_ERROR: this is not HTTP/2", "closed");
        }
    }

    @Test
    void everyCutOfTheBytesIsReadTheSame() throws Exception {
        byte[] bytes =
                joined(
                        "call 1 test/Echo",
                        "message 1 end hello",
                        "call 3 test/Echo",
                        "message 3 end again");
        for (int cut = 0; cut <= bytes.length; cut++) {
            try (RawClient client = RawClient.greeted(calls.port())) {
                client.send(Arrays.copyOfRange(bytes, 0, cut));
                client.send(Arrays.copyOfRange(bytes, cut, bytes.length));
                assertThat(client.answers())
                        .as("cut at %d", cut)
                        .contains("DATA 1 hello", "DATA 3 again");
            }
        }
    }

    @Test
    void aTurnReadsABoundedPartOfAConnection() {
        var channel = new EmbeddedChannel(new FrameReader(calls.server()));
        channel.releaseOutbound();
        ByteBuf frames = Unpooled.buffer();
        frames.writeCharSequence(RawClient.PREFACE, StandardCharsets.US_ASCII);
        frames.writeBytes(RawClient.bytes("settings"));
        for (int stream = 1; stream < 4_000; stream += 2) {
            frames.writeBytes(
                    RawClient.bytes("headers " + stream + " end :method=GET :scheme=http :path=/"));
        }
        channel.pipeline().fireChannelRead(frames);
        channel.pipeline().fireChannelReadComplete();
        List<Integer> turns = new ArrayList<>();
        turns.add(answers(channel));
        while (!channel.config().isAutoRead()) {
            channel.runScheduledPendingTasks();
            turns.add(answers(channel));
        }
        // A flush of this kind of channel begins the next turn.
        assertThat(turns).hasSizeGreaterThan(2).allMatch(count -> count <= 2 * 512);
        assertThat(turns.stream().mapToInt(count -> count).sum()).isEqualTo(1 + 2_000);
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    @Test
    void aTurnEndsWhenItsAnswersAreNotRead() {
        var channel = new EmbeddedChannel(new FrameReader(calls.server()));
        channel.releaseOutbound();
        ByteBuf frames = Unpooled.buffer();
        frames.writeCharSequence(RawClient.PREFACE, StandardCharsets.US_ASCII);
        frames.writeBytes(RawClient.bytes("settings"));
        String method = "M".repeat(900);
        for (int stream = 1; stream < 1_000; stream += 2) {
            String request = "headers %d end :method=%s :scheme=http :path=/";
            frames.writeBytes(RawClient.bytes(request.formatted(stream, method)));
        }
        channel.pipeline().fireChannelRead(frames);
        assertThat(channel.unsafe().outboundBuffer().totalPendingWriteBytes())
                .isLessThan(300 << 10);
        channel.pipeline().fireChannelReadComplete();
        int answers = answers(channel);
        while (!channel.config().isAutoRead()) {
            channel.runScheduledPendingTasks();
            answers += answers(channel);
        }
        assertThat(answers).isEqualTo(1 + 500);
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    /// How many frames the server has sent.
    private static int answers(EmbeddedChannel channel) {
        int count = 0;
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            while (out.isReadable()) {
                out.skipBytes(Frames.HEADER_BYTES + out.getUnsignedMedium(out.readerIndex()));
                count++;
            }
            out.release();
        }
        return count;
    }

    @Test
    void aSilentClientIsAskedAndThenLeft() throws Exception {
        try (var impatient = new TestCalls(Duration.ofMillis(20));
                RawClient client = new RawClient(impatient.port())) {
            client.send(RawClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
            String frame = client.next();
            while (!frame.equals("closed")) {
                assertThat(frame).matches("SETTINGS.*|WINDOW_UPDATE.*|PING 0");
                frame = client.next();
            }
        }
    }

    @Test
    void brokenFramesHarmNobodyElse() throws Exception {
        byte[] good =
                joined(
                        "settings 4=70000",
                        "call 1 test/Echo",
                        "message 1 end hello",
                        "call 3 test/Repeat",
                        "message 3 end 3 text",
                        "window 0 1000",
                        "call 5 test/Chat",
                        "message 5 one",
                        "reset 5");
        for (int round = 0; round < 500; round++) {
            long seed = SEED + round;
            Random random = new Random(seed);
            byte[] bytes = good.clone();
            for (int change = 1 + random.nextInt(4); change > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try (RawClient client = RawClient.greeted(calls.port())) {
                client.send(bytes);
            } catch (Exception e) {
                throw new AssertionError("-Dseed=" + seed, e);
            }
        }
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send(joined("call 1 test/Echo", "message 1 end still here"));
            assertThat(client.answers()).contains("DATA 1 still here");
        }
    }

    private static byte[] joined(String... lines) {
        var bytes = new ByteArrayOutputStream();
        for (String line : lines) {
            bytes.writeBytes(RawClient.bytes(line));
        }
        return bytes.toByteArray();
    }
}
