package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.CorruptionException;
import io.cleave.log.LogLoss;
import io.cleave.log.OnDamage;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;
import io.cleave.txn.CommitOutcome;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Changes one byte after the other of a small store with several cells and transactions over them,
/// of logs and of table files. It has the right rows then, or names the damaged file. Only if the
/// process ended right behind the last group, and that is what was changed, it may start without
/// it; and says so.
///
/// Not every byte each time: `-Dall` takes every one, `-Dseed` repeats a run.
@ExtendWith(QuietUpkeep.class)
class ByteFlipTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int FLIPS =
            System.getProperty("all") == null ? 1_000 : Integer.MAX_VALUE;
    private static final int CELLS = 3;
    private static final String TABLE = "/local/t";

    /// In order, each durable before the next began.
    private final List<Map<Long, @Nullable String>> transactions = new ArrayList<>();

    private int found;
    private int cut;

    @Test
    void ofAClosedStore() throws Exception {
        flipAll(make(Duration.ZERO, true));
        assertThat(cut).isZero();
    }

    @Test
    void ofAStoreThatWasKilledWhenIdle() throws Exception {
        flipAll(make(Duration.ofMillis(10), false));
        assertThat(cut).isZero();
    }

    @Test
    void ofAStoreThatWasKilledAtOnce() throws Exception {
        flipAll(make(Duration.ZERO, false));
    }

    /// Where the loss is accepted, it starts with all transactions but those that were in the
    /// damaged record.
    @Test
    void aDamagedLogGoesOnWhenTheLossIsAccepted() throws Exception {
        SimulatedDisk whole = make(Duration.ofMillis(10), false);
        var random = new Random(SEED);
        int accepted = 0;
        for (int flip = 0; flip < 200; flip++) {
            List<Path> logs = whole.files().stream().filter(ByteFlipTest::isUserLog).toList();
            Path file = logs.get(random.nextInt(logs.size()));
            SimulatedDisk disk = whole.copy();
            int offset = random.nextInt(end(whole.readAll(file)));
            disk.flipBit(file, offset * 8L + random.nextInt(8));
            String when = "-Dseed=%d: byte %d of %s".formatted(SEED, offset, file);
            Outcome strict = open(disk.copy(), OnDamage.REFUSE);
            Outcome lax = open(disk, OnDamage.ACCEPT_LOSS);
            if (strict.damage != null && lax.rows != null) {
                accepted++;
                assertThat(lax.losses).as(when).isNotEmpty();
                // Nobody has to be asked again.
                assertThat(open(disk, OnDamage.REFUSE).rows).as(when).isEqualTo(lax.rows);
            }
        }
        assertThat(accepted).as("-Dseed=%d", SEED).isGreaterThan(50);
    }

    private static boolean isUserLog(Path file) {
        return file.toString().endsWith(".log") && !file.toString().contains("cells/0/");
    }

    private void flipAll(SimulatedDisk whole) throws IOException {
        assertThat(open(whole.copy(), OnDamage.REFUSE).rows).isEqualTo(rowsWithout(-1));
        var random = new Random(SEED);
        int bytes = 0;
        for (Path file : whole.files()) {
            bytes += end(whole.readAll(file));
        }
        int step = Math.max(1, bytes / FLIPS);
        int next = random.nextInt(step);
        Set<Path> tried = new HashSet<>();
        for (Path file : whole.files()) {
            int size = end(whole.readAll(file));
            while (next < size) {
                flip(whole, file, next, random.nextInt(8));
                tried.add(file);
                next += step;
            }
            next -= size;
        }
        assertThat(tried.toString()).contains(".log", ".blob", "cells/3");
        assertThat(found).as("-Dseed=%d", SEED).isGreaterThan(Math.min(bytes, FLIPS) / 3);
    }

    private void flip(SimulatedDisk whole, Path file, int offset, int bit) throws IOException {
        SimulatedDisk disk = whole.copy();
        disk.flipBit(file, offset * 8L + bit);
        String when = "-Dseed=%d: bit %d of byte %d of %s".formatted(SEED, bit, offset, file);
        Outcome outcome = open(disk, OnDamage.REFUSE);
        if (outcome.damage != null) {
            found++;
            assertThat(file.toString()).as(when).startsWith(outcome.damage.file());
        } else if (!rowsWithout(-1).equals(outcome.rows)) {
            cut++;
            LogLoss.Torn torn = (LogLoss.Torn) outcome.losses.getFirst();
            assertThat(torn.file()).as(when).isEqualTo(file.toString());
            assertThat(torn.fileOffset()).as(when).isLessThanOrEqualTo(offset);
            assertThat(rowsWithoutOne()).as(when).contains(outcome.rows);
        }
    }

    private record Outcome(
            @Nullable SortedMap<Long, String> rows,
            @Nullable CorruptionException damage,
            List<LogLoss> losses) {}

    private static Outcome open(SimulatedDisk disk, OnDamage onDamage) {
        var env = new SimEnv(1);
        var outcomes = new ArrayList<Outcome>();
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env, CELLS, onDamage)) {
                        SortedMap<Long, String> rows = store.readAll(TABLE);
                        outcomes.add(new Outcome(rows, null, store.losses()));
                    } catch (CorruptionException e) {
                        outcomes.add(new Outcome(null, e, List.of()));
                    }
                });
        return outcomes.getFirst();
    }

    /// The rows after all transactions but one.
    private SortedMap<Long, String> rowsWithout(int left) {
        SortedMap<Long, String> rows = new TreeMap<>(Long::compareUnsigned);
        for (int index = 0; index < transactions.size(); index++) {
            if (index != left) {
                transactions
                        .get(index)
                        .forEach(
                                (id, text) -> {
                                    if (text == null) {
                                        rows.remove(id);
                                    } else {
                                        rows.put(id, text);
                                    }
                                });
            }
        }
        return rows;
    }

    private Set<SortedMap<Long, String>> rowsWithoutOne() {
        Set<SortedMap<Long, String>> all = new HashSet<>();
        for (int index = 0; index < transactions.size(); index++) {
            all.add(rowsWithout(index));
        }
        return all;
    }

    private SimulatedDisk make(Duration idle, boolean isClosed) {
        var disk = new SimulatedDisk();
        var env = new SimEnv(SEED);
        var random = new Random(SEED);
        env.run(
                () -> {
                    var store = new DiskStore(disk, env, CELLS);
                    store.createTable(TABLE, 2 * CELLS);
                    for (int count = 0; count < 40; count++) {
                        commit(store, random);
                    }
                    sleep(env, idle);
                    if (isClosed) {
                        store.close();
                    }
                });
        return disk.kill();
    }

    /// Over all cells, or in one tablet.
    private void commit(DiskStore store, Random random) {
        Map<Long, @Nullable String> rows = new HashMap<>();
        long one = random.nextLong();
        boolean isWide = random.nextInt(3) > 0;
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            long id = isWide ? random.nextLong() : one + random.nextInt(1 << 10);
            boolean erase = random.nextInt(8) == 0;
            rows.put(id, erase ? null : "v".repeat(random.nextInt(40)) + transactions.size());
        }
        assertThat(store.commit(TABLE, rows)).isInstanceOf(CommitOutcome.Committed.class);
        transactions.add(rows);
    }

    private static void sleep(SimEnv env, Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Behind the last byte that is not zero: a log keeps zeroes ahead of its records.
    private static int end(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }
}
