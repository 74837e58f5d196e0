package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.CorruptionException;
import io.cleave.base.SystemEnv;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A damaged log that is opened with the loss accepted: all that is whole is there, what is lost is
/// told, and the next start needs no option.
class LogSalvageTest {
    private static final Path DIR = Path.of("/log");
    private static final LogOptions SMALL = new LogOptions(200, 4 << 10);
    private static final int RECORDS = 20;

    private final List<String> all = new ArrayList<>();
    private SimulatedDisk whole;

    /// Killed when it was idle; its first segments are trimmed.
    @BeforeEach
    void writeLog() {
        whole = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    var log = new LocalLog(whole, DIR, env, SMALL, _ -> {});
                    LogWriter writer = log.openWriter();
                    for (int number = 0; number < RECORDS; number++) {
                        String text = "r".repeat(number) + number;
                        DamagedTailTest.append(writer, text);
                        all.add(number + ":" + text);
                    }
                    log.trim(7);
                    all.subList(0, (int) log.firstPosition()).clear();
                    DamagedTailTest.sleep(env, Duration.ofMillis(10));
                });
        whole = whole.kill();
        assertThat(whole.files()).hasSizeGreaterThan(3);
    }

    @Test
    void oneByteCostsOneRecordAtMost() throws IOException {
        int refused = 0;
        for (Path file : whole.files()) {
            int size = end(whole.readAll(file));
            for (int offset = 0; offset < size; offset++) {
                SimulatedDisk disk = whole.copy();
                disk.flipBit(file, offset * 8L + offset % 8);
                boolean isDamage = isRefused(disk.copy());
                refused += isDamage ? 1 : 0;
                int lost = salvage(disk, "byte %d of %s".formatted(offset, file));
                assertThat(lost).as("byte %d of %s", offset, file).isLessThanOrEqualTo(1);
                assertThat(isRefused(disk.copy())).isFalse();
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void lostAndCutSegmentsAreHoles() throws IOException {
        for (Path file : whole.files().subList(1, whole.files().size() - 1)) {
            SimulatedDisk disk = whole.copy();
            disk.delete(file);
            assertThat(isRefused(disk.copy())).isTrue();
            salvage(disk, "without " + file);
            assertThat(isRefused(disk.copy())).isFalse();
            byte[] bytes = whole.readAll(file);
            for (int length = 0; length < bytes.length; length += 9) {
                disk = whole.copy();
                disk.put(file, Arrays.copyOf(bytes, length));
                salvage(disk, "%s cut to %d".formatted(file, length));
                assertThat(isRefused(disk.copy())).isFalse();
            }
        }
    }

    @Test
    void aCrashWhileItIsSalvagedLosesNoMore() throws IOException {
        Path file = whole.files().get(1);
        for (int point = 0; point < 12; point++) {
            SimulatedDisk disk = whole.copy();
            disk.flipBit(file, (SegmentHeader.BYTES + 25) * 8L);
            disk.powerOffAt(point);
            try {
                open(disk, OnDamage.ACCEPT_LOSS).close();
            } catch (UncheckedIOException _) {
                assertThat(disk.isOff()).isTrue();
            }
            SimulatedDisk found = disk.crash(new Random(point));
            try (var log = open(found, OnDamage.ACCEPT_LOSS)) {
                assertThat(LogContract.readAll(log, log.firstPosition()))
                        .as("point %d", point)
                        .hasSize(all.size() - 1)
                        .isSubsetOf(all);
            }
        }
    }

    /// How many records are gone. Those that are left are right, and more can be appended.
    private int salvage(SimulatedDisk disk, String when) {
        try (var log = open(disk, OnDamage.ACCEPT_LOSS)) {
            List<String> left = LogContract.readAll(log, log.firstPosition());
            assertThat(all).as(when).containsAll(left);
            if (left.size() < all.size()) {
                assertThat(log.losses().toString()).as(when).contains("Hole");
            }
            LogWriter writer = log.openWriter();
            assertThat(LogContract.append(writer, "new")).as(when).isEqualTo(RECORDS);
            return all.size() - left.size();
        }
    }

    private static boolean isRefused(SimulatedDisk disk) {
        try (var log = open(disk, OnDamage.REFUSE)) {
            LogContract.readAll(log, log.firstPosition());
            return false;
        } catch (CorruptionException e) {
            assertThat(e.file()).startsWith(DIR.toString());
            return true;
        }
    }

    private static int end(byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static LocalLog open(SimulatedDisk disk, OnDamage onDamage) {
        return new LocalLog(disk, DIR, new SystemEnv(), SMALL, _ -> {}, onDamage);
    }
}
