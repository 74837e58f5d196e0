package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2HeadersEncoder;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What Netty's encoder writes is read; what is no block of headers is refused, and nothing worse.
class HeaderDecoderFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int MAX_TEXT_BYTES = 1 << 14;

    private record Header(String name, String value) {}

    @Test
    void whatAnotherEncoderWritesIsRead() throws Exception {
        for (int round = 0; round < 200; round++) {
            long seed = SEED + round;
            Random random = new Random(seed);
            // Huffman codes from that length on; others are plain.
            var encoder =
                    new DefaultHttp2HeadersEncoder(
                            Http2HeadersEncoder.NEVER_SENSITIVE, false, 16, random.nextInt(60));
            var decoder = new HeaderDecoder(MAX_TEXT_BYTES);
            for (int block = 0; block < 40; block++) {
                if (random.nextInt(10) == 0) {
                    encoder.configuration().maxHeaderTableSize(random.nextInt(4_097));
                }
                checkBlock(encoder, decoder, random, seed);
            }
        }
    }

    @Test
    void whatHasLeftTheTableIsNotHeldOnTo() throws Exception {
        var decoder = new HeaderDecoder(MAX_TEXT_BYTES);
        for (int number = 0; number < 100; number++) {
            ByteBuf block = Unpooled.buffer().writeByte(0x40);
            HeaderBlocks.addText(block, "n");
            HeaderBlocks.addText(block, "v".repeat(4_000));
            decoder.decode(block, _ -> {});
        }
        assertThat(decoder.heldFields()).isEqualTo(1);
    }

    /// Every connection has a decoder, so what one long text took must not stay with it.
    @Test
    void theBufferOfALongTextIsNotHeldOnTo() throws Exception {
        var encoder =
                new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false, 16, 0);
        ByteBuf block = Unpooled.buffer();
        encoder.encodeHeaders(
                1, new DefaultHttp2Headers(false).add("name", "a".repeat(20_000)), block);
        var decoder = new HeaderDecoder(MAX_TEXT_BYTES);
        List<Integer> lengths = new ArrayList<>();
        decoder.decode(block, field -> lengths.add(field.value().length()));
        assertThat(lengths).containsExactly(20_000);
        assertThat(decoder.heldBufferBytes()).isLessThanOrEqualTo(1 << 10);
    }

    private static void checkBlock(
            DefaultHttp2HeadersEncoder encoder, HeaderDecoder decoder, Random random, long seed)
            throws Exception {
        var headers = new DefaultHttp2Headers(false);
        List<Header> sent = new ArrayList<>();
        for (int count = random.nextInt(12); count > 0; count--) {
            var header = new Header("name-" + random.nextInt(8), text(random));
            // In the order of Netty's map, all of a name come as they were added.
            headers.add(header.name, header.value);
            sent.add(header);
        }
        ByteBuf bytes = Unpooled.buffer();
        encoder.encodeHeaders(1, headers, bytes);
        List<Header> read = new ArrayList<>();
        decoder.decode(bytes, field -> read.add(new Header(field.name().text(), field.value())));
        assertThat(read).as("-Dseed=" + seed).containsExactlyInAnyOrderElementsOf(sent);
    }

    private static String text(Random random) {
        int length = random.nextInt(8) == 0 ? random.nextInt(3_000) : random.nextInt(40);
        var text = new StringBuilder();
        boolean anyByte = random.nextInt(4) == 0;
        for (int index = 0; index < length; index++) {
            text.append((char) (anyByte ? random.nextInt(256) : 32 + random.nextInt(95)));
        }
        return text.toString();
    }

    @Test
    void brokenBlocksAreRefused() {
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            long seed = SEED + round;
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            try {
                new HeaderDecoder(MAX_TEXT_BYTES)
                        .decode(Unpooled.wrappedBuffer(bytes), field -> {});
            } catch (ProtocolException expected) {
                assertThat(expected.code()).isEqualTo(Frames.COMPRESSION_ERROR);
                refused++;
            } catch (RuntimeException wrong) {
                throw new AssertionError("-Dseed=" + seed, wrong);
            }
        }
        assertThat(refused).isGreaterThan(10_000);
    }
}
