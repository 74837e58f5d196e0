package io.cleave.yt.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;

import io.cleave.base.LittleEndian;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

class ContentCodingTest {
    private static final long MAX_BYTES = 64 << 20;

    /// A block of the Go client: codec zstd_3, the length of what follows, the length when it is
    /// unpacked, and a frame of zstd that holds `{k=1};`.
    private static final String GO_BLOCK =
            "0c5b 1700000000000000 0600000000000000 28b52ffd 20 06 310000 7b6b3d317d3b";

    /// The block that ends the Go client's stream.
    private static final String GO_END = "0c5b 0800000000000000 0000000000000000";

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static byte[] decode(String coding, byte[] body, long maxBytes) throws IOException {
        try (var stream =
                ContentCoding.find(coding)
                        .orElseThrow()
                        .decode(new ByteArrayInputStream(body), maxBytes, CallMemory.unlimited())) {
            return stream.readAllBytes();
        }
    }

    private static byte[] encode(String coding, byte[] body) throws IOException {
        var target = new ByteArrayOutputStream();
        try (var stream = ContentCoding.find(coding).orElseThrow().encode(target)) {
            stream.write(body);
        }
        return target.toByteArray();
    }

    private static byte[] gzip(byte[] body) throws IOException {
        var target = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(target)) {
            stream.write(body);
        }
        return target.toByteArray();
    }

    private static byte[] deflate(byte[] body, boolean bare) throws IOException {
        var target = new ByteArrayOutputStream();
        try (var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, bare);
                var stream = new DeflaterOutputStream(target, deflater)) {
            stream.write(body);
        }
        return target.toByteArray();
    }

    private static byte[] sample(int length) {
        byte[] data = new byte[length];
        var random = new Random(length);
        for (int index = 0; index < length; index++) {
            data[index] = (byte) random.nextInt('a', 'h');
        }
        return data;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void gzipZlibAndBareDeflateAreToldApartByTheirFirstBytes(String coding) throws IOException {
        byte[] body = "{k=1};".repeat(100).getBytes(StandardCharsets.UTF_8);
        assertThat(decode(coding, gzip(body), MAX_BYTES)).isEqualTo(body);
        assertThat(decode(coding, deflate(body, false), MAX_BYTES)).isEqualTo(body);
        assertThat(decode(coding, deflate(body, true), MAX_BYTES)).isEqualTo(body);
        assertThat(decode(coding, new byte[0], MAX_BYTES)).isEmpty();
    }

    @Test
    void blocksOfTheGoClientAreRead() throws IOException {
        assertThat(decode("z-zstd_3", hex(GO_END), MAX_BYTES)).isEmpty();
        assertThat(decode("z-zstd_3", hex(GO_BLOCK + GO_END), MAX_BYTES))
                .asString()
                .isEqualTo("{k=1};");
        assertThat(decode("z-zstd_3", hex(GO_BLOCK + GO_BLOCK + GO_END), MAX_BYTES))
                .asString()
                .isEqualTo("{k=1};{k=1};");
    }

    /// The Go client reads a block as follows: the codec's number, the length, the unpacked length,
    /// and an ordinary frame of zstd.
    @Test
    void answersAreBlocksThatTheGoClientReads() throws IOException {
        byte[] body = sample(200_000);
        byte[] encoded = encode("z-zstd_3", body);
        var read = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            assertThat(LittleEndian.getShort(encoded, at) & 0xFFFF).isEqualTo(23308);
            int length = (int) LittleEndian.getLong(encoded, at + 2);
            int unpacked = (int) LittleEndian.getLong(encoded, at + 10);
            if (unpacked == 0) {
                assertThat(Arrays.copyOfRange(encoded, at, encoded.length)).isEqualTo(hex(GO_END));
                break;
            }
            byte[] frame = Arrays.copyOfRange(encoded, at + 18, at + 10 + length);
            read.writeBytes(Zstd.decompress(frame, unpacked));
            at += 10 + length;
        }
        assertThat(read.toByteArray()).isEqualTo(body);
    }

    @Test
    void anAnswerWithoutBytesIsTheLastBlock() throws IOException {
        assertThat(encode("z-zstd_3", new byte[0])).isEqualTo(hex(GO_END));
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip", "deflate", "z-zstd_1", "z-zstd_3", "z-zstd_7"})
    void whatIsEncodedIsDecoded(String coding) throws IOException {
        for (int length : new int[] {0, 1, 1000, 65_535, 65_536, 65_537, 1_000_000}) {
            byte[] body = sample(length);
            assertThat(decode(coding, encode(coding, body), MAX_BYTES)).isEqualTo(body);
            assertThat(ContentCoding.find(coding).orElseThrow().name()).isEqualTo(coding);
        }
    }

    @Test
    void otherEncodingsAreNotSupported() {
        for (String name : new String[] {"zstd", "z-lz4", "z-zstd_2", "z-", "compress"}) {
            assertThat(ContentCoding.find(name)).as(name).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "z-zstd_3"})
    void aBodyThatStopsHalfwayIsAnError(String coding) throws IOException {
        byte[] encoded = encode(coding, sample(1000));
        for (int length = 1; length < encoded.length; length++) {
            byte[] part = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> decode(coding, part, MAX_BYTES))
                    .as("%d of %d bytes", length, encoded.length)
                    .isInstanceOf(YtException.class);
        }
    }

    @Test
    void blocksThatLieAboutTheirLengthAreRefusedBeforeMemoryIsTaken() {
        for (String block :
                new String[] {
                    "0c5b ffffffffffffff7f 0600000000000000",
                    "0c5b 0000000000000000 0600000000000000",
                    "0c5b 1700000000000000 0000000100000000 28b52ffd 20 06 310000 7b6b3d317d3b",
                    "0c5b 1700000000000000 0700000000000000 28b52ffd 20 06 310000 7b6b3d317d3b",
                    "0c5b 1700000000000000 0500000000000000 28b52ffd 20 06 310000 7b6b3d317d3b",
                    "0d5b 1700000000000000 0600000000000000 28b52ffd 20 06 310000 7b6b3d317d3b",
                    GO_END + "00"
                }) {
            assertThatThrownBy(() -> decode("z-zstd_3", hex(block), MAX_BYTES))
                    .as(block)
                    .isInstanceOf(YtException.class)
                    .hasMessageStartingWith("Error decompressing the request body: ");
        }
    }

    @Test
    void aBodyThatIsTooLargeWhenUnpackedIsRefused() throws IOException {
        byte[] body = sample(1000);
        for (String coding : new String[] {"identity", "gzip", "z-zstd_3"}) {
            assertThat(decode(coding, encode(coding, body), 1000)).isEqualTo(body);
            assertThatThrownBy(() -> decode(coding, encode(coding, body), 999))
                    .hasMessage(
                            "The request body is too large: limit 999 bytes when unpacked; send"
                                    + " fewer rows at once");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "z-zstd_3"})
    void aBodyThatIsCompressedTooWellIsRefused(String coding) throws IOException {
        byte[] bomb = encode(coding, new byte[32 << 20]);
        assertThat(bomb.length).isLessThan(64 << 10);
        assertThatThrownBy(() -> decode(coding, bomb, MAX_BYTES))
                .hasMessage(
                        "The request body is compressed more than 500 to 1; send it without"
                                + " compression");
    }
}
