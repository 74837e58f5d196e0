package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// The local log on a disk that fails and loses power.
class SimulatedLogTest extends LogContract {
    private static final Path DIR = Path.of("/data/log");
    private SimulatedDisk disk = new SimulatedDisk();

    @Override
    protected Log reopen() {
        return new LocalLog(disk, DIR, new SystemEnv(), new LogOptions(1 << 10, 4 << 10), _ -> {});
    }

    @Test
    void aCrashAtAnyPointKeepsWhatWasAcknowledged() {
        int points = 0;
        while (new Crash(points).run()) {
            points++;
        }
        assertThat(points).isGreaterThan(50);
    }

    @Test
    void anErrorAtAnyPointKeepsWhatWasAcknowledged() {
        new Crash(Long.MAX_VALUE).run();
        int points = disk.trace().size();
        for (int point = 0; point < points; point++) {
            new Crash(point).runWithError();
        }
    }

    /// A later trim must not delete past a segment that an earlier one could not delete.
    @Test
    void aTrimThatFailedLeavesNoGap() {
        for (int failing = 0; failing < 4; failing++) {
            disk = new SimulatedDisk();
            Log log = reopen();
            LogWriter writer = log.openWriter();
            for (int count = 0; count < 10; count++) {
                append(writer, "x".repeat(600));
            }
            disk.failAt(disk.trace().size() + failing);
            assertThatThrownBy(() -> log.trim(5)).isInstanceOf(UncheckedIOException.class);
            try {
                log.trim(9);
            } catch (UncheckedIOException e) {
                assertThat(e).hasStackTraceContaining("start the server again");
            }
            disk = disk.kill();
            Log again = reopen();
            assertThat(readAll(again, again.firstPosition()))
                    .as("failing %d", failing)
                    .hasSize(10 - (int) again.firstPosition());
        }
    }

    /// The machine goes on and shows the group, the log is opened on it and written, and only then
    /// does the machine lose power: what was read after the first start is still there.
    @Test
    void aGroupWhoseSyncFailedIsWrittenAgainWhenTheLogIsOpened() {
        for (int seed = 0; seed < 100; seed++) {
            disk = new SimulatedDisk();
            LogWriter writer = reopen().openWriter();
            append(writer, "a");
            disk.failAt(disk.trace().size() + 1);
            assertThatThrownBy(() -> append(writer, "b".repeat(2000)))
                    .hasStackTraceContaining("Input/output error");
            Log log = reopen();
            List<String> read = readAll(log, 0);
            append(log.openWriter(), "c");
            disk = disk.crash(new Random(seed));
            assertThat(readAll(reopen(), 0)).as("seed %d", seed).hasSize(read.size() + 1);
        }
    }

    /// One run: appends of several sizes, restarts and trims, up to a point.
    private final class Crash {
        private final long point;
        private final Random random;
        private final List<String> acknowledged = new ArrayList<>();
        private final List<String> tried = new ArrayList<>();
        private long trimmedTo;

        Crash(long point) {
            this.point = point;
            random = new Random(point);
        }

        /// Whether the point was reached.
        boolean run() {
            disk = new SimulatedDisk();
            disk.powerOffAt(point);
            work();
            boolean reached = disk.isOff();
            for (int again = 0; again < 3; again++) {
                check(disk.crash(random));
            }
            return reached;
        }

        void runWithError() {
            disk = new SimulatedDisk();
            disk.failAt(point);
            work();
            check(disk.kill());
            check(disk.crash(random));
        }

        private void work() {
            var env = new SimEnv(point);
            env.run(
                    () -> {
                        try {
                            appendAndTrim(env);
                        } catch (UncheckedIOException | LogException | CompletionException _) {
                            // The disk said so; what was acknowledged is what counts.
                        }
                    });
        }

        private void appendAndTrim(SimEnv env) {
            for (int round = 0; round < 3; round++) {
                Log log = new LocalLog(disk, DIR, env, new LogOptions(1 << 10, 4 << 10), _ -> {});
                LogWriter writer = log.openWriter();
                for (int group = 0; group < 6; group++) {
                    List<CompletableFuture<Long>> appended = new ArrayList<>();
                    for (int count = random.nextInt(4); count >= 0; count--) {
                        String text = "r".repeat(random.nextInt(400)) + tried.size();
                        tried.add(tried.size() + ":" + text);
                        appended.add(
                                random.nextBoolean()
                                        ? LogContract.appendLater(writer, text)
                                        : LogContract.appendAwaited(writer, text));
                    }
                    writer.help();
                    for (CompletableFuture<Long> record : appended) {
                        record.join();
                        acknowledged.add(tried.get(acknowledged.size()));
                    }
                }
                trimmedTo = acknowledged.size() - 4;
                log.trim(trimmedTo);
                log.close();
            }
        }

        private void check(SimulatedDisk found) {
            Log log =
                    new LocalLog(
                            found, DIR, new SystemEnv(), new LogOptions(1 << 10, 4 << 10), _ -> {});
            List<String> read = LogContract.readAll(log, log.firstPosition());
            int first = (int) log.firstPosition();
            assertThat(first).isLessThanOrEqualTo((int) trimmedTo);
            assertThat(first + read.size())
                    .as("point %d", point)
                    .isBetween(acknowledged.size(), tried.size());
            assertThat(read).isEqualTo(tried.subList(first, first + read.size()));
            assertThat(LogContract.append(log.openWriter(), "next")).isEqualTo(first + read.size());
            log.close();
        }
    }
}
