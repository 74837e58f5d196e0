package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.base.SystemEnv;
import io.cleave.disk.FileDisk;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

class LocalLogTest extends LogContract {
    @TempDir Path dir;

    @Override
    protected Log reopen() {
        return open(dir);
    }

    static Log open(Path dir) {
        return new LocalLog(
                dir, new SystemEnv(), new LogOptions(1 << 10, 4 << 10), Assertions::fail);
    }

    @Test
    void anUnusedWriterLeavesNoSegmentBehind() throws IOException {
        for (int round = 0; round < 3; round++) {
            Log log = reopen();
            log.openWriter();
            log.close();
        }
        assertThat(segments()).containsExactly("0000000000000000-00000003.log");
    }

    @Test
    void segmentsAreNamedByTheirFirstPosition() throws IOException {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        for (int count = 0; count < 4; count++) {
            append(writer, "x".repeat(600));
        }
        log.close();
        assertThat(segments())
                .containsExactly(
                        "0000000000000000-00000001.log",
                        "0000000000000002-00000001.log",
                        "0000000000000004-00000001.log");
    }

    @Test
    void aSegmentCutInItsHeaderNeverWas() throws IOException {
        Log log = reopen();
        append(log.openWriter(), "a");
        log.close();
        Files.delete(dir.resolve("0000000000000001-00000001.log"));
        Path stillborn = dir.resolve("0000000000000001-00000002.log");
        for (int bytes = 0; bytes < SegmentHeader.BYTES; bytes++) {
            byte[] header = new byte[SegmentHeader.BYTES];
            new SegmentHeader(2, 1).encode().get(header);
            Files.write(stillborn, Arrays.copyOf(header, bytes));
            Log again = reopen();
            assertThat(readAll(again, 0)).containsExactly("0:a");
            assertThat(stillborn).doesNotExist();
        }
    }

    /// A log that was closed ends with an empty segment: what comes before was whole.
    @Test
    void damageToTheLastRecordOfAClosedLogIsCorruption() throws IOException {
        Log log = reopen();
        append(log.openWriter(), "a");
        log.close();
        Path file = dir.resolve("0000000000000000-00000001.log");
        byte[] bytes = Files.readAllBytes(file);
        for (int length = SegmentHeader.BYTES; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> readAll(reopen(), 0))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    /// Its reader of before the crash began at the same position.
    @Test
    void aTailNeverSeesWhatATornWriteLeft() throws Exception {
        Log log = reopen();
        append(log.openWriter(), "a");
        append(log.openWriter(), "b".repeat(50));
        log.close();
        Files.delete(dir.resolve("0000000000000002-00000002.log"));
        Path file = dir.resolve("0000000000000001-00000002.log");
        byte[] bytes = Files.readAllBytes(file);
        for (int cut = 1; cut < 50; cut += 7) {
            Files.write(file, Arrays.copyOf(bytes, bytes.length - cut));
            Log again = reopen();
            try (LogCursor cursor = again.read(1)) {
                assertThat(again.awaitDurable(1, Duration.ZERO)).isFalse();
                assertThat(cursor.next()).isFalse();
                append(again.openWriter(), "c");
                assertThat(again.awaitDurable(1, Duration.ZERO)).isTrue();
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.record().utf8()).isEqualTo("c");
            }
            again.close();
            for (String segment : segments()) {
                if (segment.compareTo("0000000000000001-00000002.log") > 0) {
                    Files.delete(dir.resolve(segment));
                }
            }
        }
    }

    @Test
    void filesOfOthersAreLeftAlone() throws IOException {
        Log log = reopen();
        append(log.openWriter(), "a");
        log.close();
        Path other = Files.writeString(dir.resolve("zzz.log"), "mine");
        assertThat(readAll(reopen(), 0)).containsExactly("0:a");
        assertThat(other).exists();
    }

    @Test
    void aMissingSegmentIsCorruption() throws IOException {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        for (int count = 0; count < 6; count++) {
            append(writer, "x".repeat(600));
        }
        log.close();
        Files.delete(dir.resolve("0000000000000002-00000001.log"));
        assertThatThrownBy(() -> readAll(reopen(), 0)).isInstanceOf(CorruptionException.class);
    }

    @Test
    void aNewerFormatIsRefusedByName() throws IOException {
        Log log = reopen();
        append(log.openWriter(), "a");
        log.close();
        Path file = dir.resolve("0000000000000000-00000001.log");
        byte[] bytes = Files.readAllBytes(file);
        bytes[4] = 3;
        var checksum = new CRC32C();
        checksum.update(bytes, 0, SegmentHeader.BYTES - 4);
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(SegmentHeader.BYTES - 4, (int) checksum.getValue());
        Files.write(file, bytes);
        assertThatThrownBy(this::reopen)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("format 3");
    }

    private List<String> segments() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path file : Segment.list(new FileDisk(), dir)) {
            names.add(file.getFileName().toString());
        }
        return names;
    }
}
