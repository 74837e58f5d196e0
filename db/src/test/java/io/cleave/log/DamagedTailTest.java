package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Damage in the last group of a log that was killed: it is told from a torn write as soon as the
/// log has been idle for a moment.
class DamagedTailTest {
    private static final Path DIR = Path.of("/log");
    private static final Path FILE = DIR.resolve("0000000000000000-00000001.log");
    private static final LogOptions OPTIONS = new LogOptions(1 << 20, 4 << 10);
    private static final List<String> RECORDS = List.of("first", "second", "the last one");

    /// What the log has room for behind its records.
    private static final int END = end();

    @Test
    void anIdleLogKnowsWhereItEnded() throws IOException {
        SimulatedDisk killed = killedAfter(Duration.ofMillis(10));
        for (int offset = SegmentHeader.BYTES; offset < END; offset++) {
            SimulatedDisk disk = killed.copy();
            disk.flipBit(FILE, offset * 8L + offset % 8);
            assertThatThrownBy(() -> open(disk))
                    .as("byte %d", offset)
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining(FILE.toString())
                    .hasMessageContaining("would be lost");
        }
    }

    @Test
    void damageBehindTheLastRecordLosesNothing() throws IOException {
        SimulatedDisk killed = killedAfter(Duration.ofMillis(10));
        for (int offset = END; offset < END + 3 * RecordHeader.BYTES; offset++) {
            SimulatedDisk disk = killed.copy();
            disk.flipBit(FILE, offset * 8L + offset % 8);
            try (Log log = open(disk)) {
                assertThat(LogContract.readAll(log, 0)).as("byte %d", offset).hasSize(3);
            }
        }
    }

    @Test
    void aLogThatWasKilledAtOnceSaysWhatItCut() throws IOException {
        SimulatedDisk killed = killedAfter(Duration.ZERO);
        killed.flipBit(FILE, (END - 1) * 8L);
        try (var log = open(killed)) {
            assertThat(LogContract.readAll(log, 0)).containsExactly("0:first", "1:second");
            int bytes = RecordHeader.BYTES + RECORDS.get(2).length();
            assertThat(log.losses())
                    .containsExactly(new LogLoss.Torn(FILE.toString(), END - bytes, bytes, 2));
        }
        assertThat(killed.list(DIR.resolve("lost"))).hasSize(2).contains("unsettled");
    }

    @Test
    void aLossIsToldUntilItIsDealtWith() throws IOException {
        SimulatedDisk killed = killedAfter(Duration.ZERO);
        killed.flipBit(FILE, (END - 1) * 8L);
        open(killed).close();
        try (var log = open(killed)) {
            assertThat(log.losses()).containsExactly(new LogLoss.Earlier(DIR.toString()));
            log.settleLosses();
        }
        try (var log = open(killed)) {
            assertThat(log.losses()).isEmpty();
        }
    }

    /// What is behind it is whole, and was acknowledged.
    @Test
    void aRecordBehindADamagedMarkIsNotCut() throws IOException {
        var killed = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    LogWriter writer = open(killed, env).openWriter();
                    append(writer, "first");
                    sleep(env, Duration.ofMillis(10));
                    append(writer, "second");
                });
        int mark = SegmentHeader.BYTES + RecordHeader.BYTES + "first".length();
        for (int offset = mark; offset < mark + RecordHeader.BYTES; offset++) {
            SimulatedDisk disk = killed.kill();
            disk.flipBit(FILE, offset * 8L + offset % 8);
            assertThatThrownBy(() -> open(disk))
                    .as("byte %d", offset)
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining(FILE.toString())
                    .hasMessageContaining("no record would be lost");
            try (var log =
                    new LocalLog(
                            disk, DIR, new SystemEnv(), OPTIONS, _ -> {}, OnDamage.ACCEPT_LOSS)) {
                assertThat(LogContract.readAll(log, 0)).containsExactly("0:first", "1:second");
                assertThat(log.losses()).containsExactly(new LogLoss.Mark(FILE.toString(), mark));
            }
        }
    }

    /// A segment is begun when all before it is synced, even if a crash leaves nothing of it but
    /// its name.
    @Test
    void aNextSegmentWithoutItsHeaderSaysWhereTheLogEnded() throws IOException {
        SimulatedDisk killed = killedAfter(Duration.ZERO);
        killed.put(FILE, Arrays.copyOf(killed.readAll(FILE), END));
        killed.put(DIR.resolve("0000000000000003-00000001.log"), new byte[0]);
        try (Log log = open(killed.copy())) {
            assertThat(LogContract.readAll(log, 0)).hasSize(3);
        }
        killed.flipBit(FILE, (END - 1) * 8L);
        assertThatThrownBy(() -> open(killed))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining(FILE.toString())
                .hasMessageContaining("1 record (2) at the most would be lost");
    }

    @Test
    void zeroesThatWereKeptAheadAreNoCut() throws IOException {
        try (var log = open(killedAfter(Duration.ZERO))) {
            assertThat(log.losses()).isEmpty();
        }
    }

    /// One mark in an idle time, and none while groups follow each other.
    @Test
    void aBusyLogWritesNoMarks() throws IOException {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    LogWriter writer = open(disk, env).openWriter();
                    for (int count = 0; count < 50; count++) {
                        append(writer, "x");
                        sleep(env, Duration.ofMillis(1));
                    }
                });
        assertThat(marks(disk)).isZero();
        var idle = new SimulatedDisk();
        env.run(
                () -> {
                    LogWriter writer = open(idle, env).openWriter();
                    for (int count = 0; count < 5; count++) {
                        append(writer, "x");
                        sleep(env, Duration.ofSeconds(10));
                    }
                });
        assertThat(marks(idle)).isEqualTo(5);
        assertThat(LogContract.readAll(open(idle.kill()), 0)).hasSize(5);
    }

    private static int marks(SimulatedDisk disk) throws IOException {
        int bytes = end(disk.readAll(FILE));
        int records = (int) open(disk.copy()).nextPosition();
        int withoutMarks = SegmentHeader.BYTES + records * (RecordHeader.BYTES + 1);
        return (bytes - withoutMarks + RecordHeader.BYTES - 1) / RecordHeader.BYTES;
    }

    /// Where the last byte is that is not zero.
    private static int end(byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    /// The process ends so long after the last record was acknowledged.
    static SimulatedDisk killedAfter(Duration idle) {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    LogWriter writer = open(disk, env).openWriter();
                    RECORDS.forEach(record -> append(writer, record));
                    sleep(env, idle);
                });
        return disk.kill();
    }

    static void append(LogWriter writer, String record) {
        var done = new CompletableFuture<Void>();
        writer.appendAwaited(Bytes.utf8(record), (_, _) -> done.complete(null));
        writer.help();
        done.join();
    }

    static void sleep(Env env, Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static int end() {
        int bytes = SegmentHeader.BYTES;
        for (String record : RECORDS) {
            bytes += RecordHeader.BYTES + record.length();
        }
        return bytes;
    }

    private static LocalLog open(SimulatedDisk disk) {
        return open(disk, new SystemEnv());
    }

    private static LocalLog open(SimulatedDisk disk, Env env) {
        return new LocalLog(disk, DIR, env, OPTIONS, _ -> {});
    }
}
