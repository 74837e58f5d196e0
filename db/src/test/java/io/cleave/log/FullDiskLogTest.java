package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/// The disk of a log fills up at every byte, and has room again later: the log goes on by itself,
/// and nothing that it has acknowledged is lost, whenever the power fails.
class FullDiskLogTest {
    private static final Path DIR = Path.of("/data/log");
    private static final long SEED = Long.getLong("seed", 1);
    private static final int RECORDS = 30;

    /// Small, so that segments end while the disk is full.
    private static final LogOptions OPTIONS = new LogOptions(2 << 10, 16 << 10);

    @Test
    void aLogOnAFullDiskGoesOnWhenThereIsRoom() {
        int stalls = 0;
        for (long free = 0; free < 6_000; free += 97) {
            var run = new Run(free);
            run.work(Wait.FOR_ROOM);
            assertThat(run.fatal.get()).as("%d bytes free", free).isNull();
            assertThat(run.acknowledged).as("%d bytes free", free).hasSize(RECORDS);
            stalls += run.stalled ? 1 : 0;
            run.checkAfterCrash();
        }
        assertThat(stalls).isGreaterThan(30);
    }

    @Test
    void aLogThatIsClosedWhileItsDiskIsFullKeepsWhatItHas() {
        for (long free = 0; free < 6_000; free += 97) {
            var run = new Run(free);
            run.work(Wait.NOT);
            assertThat(run.fatal.get()).as("%d bytes free", free).isNull();
            run.checkAfterCrash();
        }
    }

    private enum Wait {
        FOR_ROOM,
        NOT
    }

    private static final class Run {
        private final SimulatedDisk disk = new SimulatedDisk();
        private final SimEnv env = new SimEnv(SEED);
        private final long free;
        private final AtomicReference<@Nullable Throwable> fatal = new AtomicReference<>();
        private final List<String> acknowledged = new ArrayList<>();
        private final List<String> told = new ArrayList<>();
        private boolean stalled;

        Run(long free) {
            this.free = free;
        }

        void work(Wait wait) {
            env.run(
                    () -> {
                        try {
                            append(wait);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
        }

        private void append(Wait wait) throws InterruptedException {
            var log = new LocalLog(disk, DIR, env, OPTIONS, fatal::set);
            LogWriter writer = log.openWriter();
            writer.whileStalled(told::add);
            disk.fillAfter(free);
            for (int number = 0; number < RECORDS; number++) {
                String record = number + "x".repeat(number * 37 % 500);
                writer.append(
                        Bytes.utf8(record),
                        (_, failure) -> {
                            if (failure == null) {
                                acknowledged.add(record);
                            }
                        });
                if (number % 3 == 0) {
                    env.sleep(Duration.ofMillis(1));
                }
            }
            env.sleep(Duration.ofSeconds(1));
            stalled = writer.stall().isPresent();
            if (stalled) {
                assertThat(writer.stall().orElseThrow()).contains("full", "by itself");
                assertThat(told).isNotEmpty();
            }
            if (wait == Wait.FOR_ROOM) {
                disk.fillAfter(Long.MAX_VALUE);
                env.sleep(Duration.ofSeconds(1));
                assertThat(writer.stall()).isEmpty();
            }
            writer.close();
            log.close();
        }

        /// Everything that was acknowledged is there, in order, and behind it only what was asked
        /// for.
        void checkAfterCrash() {
            SimulatedDisk left = disk.crash(new Random(free));
            List<String> read = new ArrayList<>();
            new SimEnv(SEED)
                    .run(
                            () -> {
                                var log = new LocalLog(left, DIR, new SimEnv(2), OPTIONS, _ -> {});
                                try (LogCursor cursor = log.read(0)) {
                                    while (cursor.next()) {
                                        read.add(cursor.record().utf8());
                                    }
                                }
                            });
            assertThat(read)
                    .as("%d bytes free", free)
                    .startsWith(acknowledged.toArray(String[]::new));
        }
    }
}
