package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;
import io.cleave.testkit.SimulatedDisk.Point;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/// The whole store on a disk that loses power, fails or fills up at one point after the other.
///
/// Not all points each time: `-Dall` takes every one, `-Dseed` repeats a run, `-Dpoint` with it
/// goes to one point.
@ExtendWith(QuietUpkeep.class)
class CrashEverywhereTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int SAMPLE = System.getProperty("all") == null ? 40 : Integer.MAX_VALUE;

    /// Crashes are drawn several times from one run: what survives is chance.
    private static final int DRAWS = 3;

    private enum Fault {
        POWER,
        ERROR,
        FULL
    }

    @Test
    void aCrashAtAnyPointLosesNothingThatWasAcknowledged() {
        everywhere(Fault.POWER);
    }

    @Test
    void anErrorAtAnyPointStopsWritesAndLosesNothing() {
        everywhere(Fault.ERROR);
    }

    @Test
    void aFullDiskHoldsWritesUpAndLosesNothing() {
        everywhere(Fault.FULL);
    }

    @Test
    void aRunRepeats() {
        var first = new Run(SEED, Fault.POWER, Long.MAX_VALUE);
        var second = new Run(SEED, Fault.POWER, Long.MAX_VALUE);
        first.work();
        second.work();
        assertThat(first.disk.trace()).as("-Dseed=%d", SEED).isEqualTo(second.disk.trace());
        Set<Point> points = EnumSet.allOf(Point.class);
        points.remove(Point.TRUNCATE); // of zeroes behind the last record, where some are left
        assertThat(first.disk.trace()).containsAll(points);
    }

    private static void everywhere(Fault fault) {
        Long only = Long.getLong("point");
        if (only != null) {
            new Run(SEED, fault, only).runAndCheck();
            return;
        }
        var whole = new Run(SEED, fault, Long.MAX_VALUE);
        whole.work();
        long points = whole.disk.trace().size();
        assertThat(points).isGreaterThan(300);
        long count = fault == Fault.FULL ? whole.disk.appendedBytes() : points;
        long step = Math.max(1, count / Math.min(points, SAMPLE));
        for (long point = SEED % step; point < count; point += step) {
            new Run(SEED, fault, point).runAndCheck();
        }
    }

    /// How long a disk stays full.
    private static final Duration FULL_FOR = Duration.ofSeconds(20);

    /// One run up to a point.
    private static final class Run {
        private final SimulatedDisk disk = new SimulatedDisk();
        private final Fault fault;
        private final String when;
        private final Workload workload;
        private final SimEnv env;
        private final Random random;

        Run(long seed, Fault fault, long point) {
            this.fault = fault;
            when = "-Dseed=%d -Dpoint=%d %s".formatted(seed, point, fault);
            workload = new Workload(seed);
            env = new SimEnv(seed);
            random = new Random(seed + point);
            switch (fault) {
                case POWER -> disk.powerOffAt(point);
                case ERROR -> disk.failAt(point);
                case FULL -> disk.fillAfter(point);
            }
        }

        void runAndCheck() {
            try {
                work();
                for (int draw = 0; draw < DRAWS; draw++) {
                    reopen(disk.crash(random));
                }
                crashWhileReopening(disk.crash(random));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(when, e);
            }
        }

        void work() {
            env.run(
                    () -> {
                        if (fault == Fault.FULL) {
                            env.spawn("someone who makes room", this::makeRoom);
                        }
                        DiskStore store;
                        try {
                            store = new DiskStore(disk, env);
                        } catch (UncheckedIOException | LogException | StatusException _) {
                            return; // it said so, and nothing was there to be lost
                        }
                        workload.run(store, env);
                        if (fault != Fault.POWER) {
                            // Reads go on as if nothing had happened.
                            workload.copy().check(store, when + ", reading");
                        }
                        if (store.userLogFailed() && store.hasTable(Workload.TABLE)) {
                            workload.copy().checkRefused(store, when + ", writing");
                        }
                        close(store);
                    });
        }

        /// The log goes on by itself then.
        private void makeRoom() {
            try {
                env.sleep(FULL_FOR);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            disk.fillAfter(Long.MAX_VALUE);
        }

        private void close(DiskStore store) {
            try {
                store.close();
            } catch (UncheckedIOException | LogException e) {
                assertThat(fault).isNotNull();
            }
        }

        private void reopen(SimulatedDisk found) {
            var after = new SimEnv(random.nextLong());
            after.run(
                    () -> {
                        Workload expected = workload.copy();
                        try (var store = new DiskStore(found, after)) {
                            expected.check(store, when + ", reopened");
                            expected.goOn(store, when);
                        }
                        try (var store = new DiskStore(found, after)) {
                            expected.check(store, when + ", reopened again");
                        }
                    });
        }

        /// Recovery must not need more than one try, nor lose anything in the first.
        private void crashWhileReopening(SimulatedDisk found) {
            found.powerOffAt(random.nextInt(12));
            var after = new SimEnv(random.nextLong());
            after.run(
                    () -> {
                        try {
                            close(new DiskStore(found, after));
                        } catch (UncheckedIOException | LogException | StatusException _) {
                            assertThat(found.isOff()).isTrue();
                        }
                    });
            reopen(found.crash(random));
        }
    }
}
