package io.cleave.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.testkit.ForwardingEnv;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

class PageHintsTest {
    @TempDir private Path dir;

    @Test
    void hintsOfAnyRangeLeaveTheBytesAsTheyAre() throws IOException {
        var disk = new FileDisk();
        byte[] bytes = new byte[100_001];
        new Random(1).nextBytes(bytes);
        Path file = dir.resolve("file");
        try (DiskFile created = disk.create(file)) {
            created.append(ByteBuffer.wrap(bytes));
        }
        MemorySegment mapped = disk.map(file);
        disk.willRead(mapped, 0, bytes.length);
        disk.willRead(mapped, 5_000, 1);
        disk.willRead(mapped, 8_191, 8_194);
        disk.willRead(mapped, bytes.length - 1, 1);
        disk.willRead(mapped, 77, 0);
        assertThat(mapped.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
    }

    @Test
    void aProcessThatMayNotCallNativeCodeReadsWithoutHints() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process =
                new ProcessBuilder(
                                java.toString(),
                                "--illegal-native-access=deny",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Hinting.class.getName(),
                                dir.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("files are read without hints", "hinted");
    }

    static final class Hinting {
        private Hinting() {}

        public static void main(String[] args) throws IOException {
            var disk = new FileDisk();
            Path file = Path.of(args[0], "file");
            try (DiskFile created = disk.create(file)) {
                created.append(ByteBuffer.wrap(new byte[10_000]));
            }
            disk.willRead(disk.map(file), 0, 10_000);
            System.out.println("hinted");
        }
    }

    @Test
    void aHintIsNewAgainAfterASecond() {
        var clock = new ManualClock();
        var recent = new RecentHints(clock);
        assertThat(recent.isNew(4096, 16_000)).isTrue();
        assertThat(recent.isNew(4096, 16_000)).isFalse();
        assertThat(recent.isNew(4096, 17_000)).isTrue();
        assertThat(recent.isNew(8192, 16_000)).isTrue();
        clock.nanos += 500_000_000;
        assertThat(recent.isNew(4096, 16_000)).isFalse();
        clock.nanos += 1_500_000_000;
        assertThat(recent.isNew(4096, 16_000)).isTrue();
        assertThat(recent.isNew(4096, 16_000)).isFalse();
    }

    private static final class ManualClock extends ForwardingEnv {
        private long nanos = 1L << 40;

        ManualClock() {
            super(new SystemEnv());
        }

        @Override
        public long nanoTime() {
            return nanos;
        }
    }
}
