package io.cleave.yt.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/// Bodies in Brotli, as Python's encoder writes them (`testdata/brotli`).
class BrotliTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final Path DATA = Path.of("src/test/testdata/brotli");
    private static final long MAX_BYTES = 64 << 20;

    /// 32 MB of zeros.
    private static final String BOMB = "cfffff7f002000e2b14072effff9ffff0f0004401c1680eefdff";

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static String rows(int count) {
        var rows = new StringBuilder();
        for (long row = 0; row < count; row++) {
            rows.append("{k=%d;v=\"%08x\"};".formatted(row, row * 2654435761L & 0xFFFFFFFFL));
        }
        return rows.toString();
    }

    private static byte[] decode(byte[] body, CallMemory memory) throws IOException {
        try (var stream =
                ContentCoding.find("br")
                        .orElseThrow()
                        .decode(new ByteArrayInputStream(body), MAX_BYTES, memory)) {
            return stream.readAllBytes();
        }
    }

    private static byte[] decode(byte[] body) throws IOException {
        return decode(body, CallMemory.unlimited());
    }

    @Test
    void streamsOfTheEncoderAreRead() throws IOException {
        for (String line : Files.readAllLines(DATA.resolve("streams.txt"))) {
            if (!line.startsWith("#")) {
                String[] fields = line.split(" ");
                String content = new String(decode(hex(fields[3])), StandardCharsets.ISO_8859_1);
                assertThat(content).as(line).isEqualTo(rows(Integer.parseInt(fields[2])));
            }
        }
        byte[] large = Files.readAllBytes(DATA.resolve("rows-5000.br"));
        assertThat(new String(decode(large), StandardCharsets.ISO_8859_1)).isEqualTo(rows(5000));
        assertThat(decode(new byte[0])).isEmpty();
    }

    @Test
    void aStreamThatStopsHalfwayIsAnError() throws IOException {
        byte[] whole = Files.readAllBytes(DATA.resolve("rows-5000.br"));
        for (int length = 1; length < whole.length; length += 1 + length / 20) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(part))
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(YtException.class)
                    .hasMessageStartingWith("Error decompressing the request body: ");
        }
    }

    @Test
    void brokenStreamsEndWithAnError() throws IOException {
        var random = new Random(SEED);
        byte[] whole = Files.readAllBytes(DATA.resolve("rows-5000.br"));
        for (int round = 0; round < 2_000; round++) {
            byte[] broken = Arrays.copyOf(whole, 1 + random.nextInt(4_000));
            for (int changes = random.nextInt(5); changes >= 0; changes--) {
                broken[random.nextInt(Math.min(broken.length, 1 + changes * 200))] =
                        (byte) random.nextInt();
            }
            try {
                decode(broken);
            } catch (YtException _) {
                // An error is all that is asked for.
            } catch (RuntimeException e) {
                throw new AssertionError("-Dseed=%d, round %d".formatted(SEED, round), e);
            }
        }
    }

    @Test
    void aBombIsRefused() {
        assertThatThrownBy(() -> decode(hex(BOMB)))
                .hasMessage(
                        "The request body is compressed more than 500 to 1; send it without"
                                + " compression");
    }

    /// A window of 16 MB, for a body of a few bytes.
    @Test
    void theWindowTakesMemoryBeforeItIsThere() throws IOException {
        var pool = new MemoryPool("requests", 16 << 20, new SystemEnv());
        try (var memory = CallMemory.ofRequest(pool)) {
            assertThatThrownBy(() -> decode(hex(BOMB), memory))
                    .isInstanceOf(YtException.class)
                    .hasMessageContaining("it may take at most 12582912");
        }
        // The small streams of small requests have a small window.
        for (String line : Files.readAllLines(DATA.resolve("streams.txt"))) {
            if (!line.startsWith("#") && line.contains(" 22 ")) {
                try (var memory = CallMemory.ofRequest(pool)) {
                    decode(hex(line.split(" ")[3]), memory);
                    // What was used stays with the call, for its next row.
                    assertThat(pool.usedBytes()).as(line).isLessThanOrEqualTo(1 << 20);
                }
            }
        }
        assertThat(pool.usedBytes()).isZero();
    }

    /// A body may arrive slowly, so many decoders may wait for their next bytes.
    @Test
    void theTablesTakeMemoryUntilTheEndOfTheStream() throws IOException {
        var pool = new MemoryPool("requests", 16 << 20, new SystemEnv());
        byte[] body = Files.readAllBytes(DATA.resolve("rows-5000.br"));
        try (var memory = CallMemory.ofRequest(pool);
                var stream =
                        ContentCoding.find("br")
                                .orElseThrow()
                                .decode(new ByteArrayInputStream(body), MAX_BYTES, memory)) {
            assertThat(stream.readNBytes(100)).hasSize(100);
            assertThat(pool.usedBytes()).isGreaterThan(3 * 256 * 1080 * 4);
            assertThat(stream.readAllBytes()).hasSize(rows(5000).length() - 100);
            assertThat(stream.read()).isNegative();
            assertThat(pool.usedBytes()).isLessThanOrEqualTo(1 << 20);
        }
        assertThat(pool.usedBytes()).isZero();
    }
}
