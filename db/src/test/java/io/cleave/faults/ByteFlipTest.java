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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
    private static final boolean ALL = System.getProperty("all") != null;
    private static final int FLIPS = ALL ? Integer.MAX_VALUE : 1_000;

    /// The end of each log is tried whole.
    private static final int LAST_BYTES = 150;

    private static final int CELLS = 3;
    private static final int TABLETS = 2 * CELLS;
    private static final String TABLE = "/local/t";

    // On disk: docs/formats.
    private static final int SEGMENT_HEADER = 28;
    private static final int RECORD_HEADER = 20;
    private static final int DECIDE = 18;

    /// In order, each durable before the next began.
    private final List<Map<Long, @Nullable String>> transactions = new ArrayList<>();

    private int found;
    private int foundByOthers;
    private int cut;

    /// How the store comes to its end.
    private enum End {
        CLOSED,
        /// A commit in each tablet, and a moment without any.
        IDLE,
        /// A commit in each tablet is the last thing.
        AT_ONCE,
        /// A transaction over all cells is the last thing.
        AT_ONCE_OVER_CELLS
    }

    @Test
    void ofAClosedStore() throws Exception {
        flipAll(make(End.CLOSED));
        assertThat(cut).as("-Dseed=%d", SEED).isZero();
    }

    @Test
    void ofAStoreThatWasKilledWhenIdle() throws Exception {
        flipAll(make(End.IDLE));
        assertThat(cut).as("-Dseed=%d", SEED).isZero();
    }

    /// The last groups look torn, and are cut: this is all that can be lost, and it is told.
    @Test
    void ofAStoreThatWasKilledAtOnce() throws Exception {
        flipAll(make(End.AT_ONCE));
    }

    /// They look torn, too; but the other cells know better. In most stores a flush is logged
    /// behind the last decision, and its record proves as much: those are passed over here.
    @Test
    void ofAStoreThatWasKilledBehindATransactionOverCells() throws Exception {
        long seed = SEED;
        SimulatedDisk whole = make(End.AT_ONCE_OVER_CELLS, seed);
        while (!endsWithDecision(whole)) {
            assertThat(seed).as("-Dseed=%d", SEED).isLessThan(SEED + 1_000);
            transactions.clear();
            whole = make(End.AT_ONCE_OVER_CELLS, ++seed);
        }
        flipAll(whole);
        assertThat(cut).as("-Dseed=%d", SEED).isZero();
        assertThat(foundByOthers).as("-Dseed=%d", SEED).isPositive();
    }

    /// Whether the last record of a user cell is that of a decision, alone in its group.
    private static boolean endsWithDecision(SimulatedDisk disk) throws IOException {
        for (long cellId = 1; cellId <= CELLS; cellId++) {
            Path log = Path.of("/data/cells/%d/log".formatted(cellId));
            Path last = disk.files().stream().filter(f -> f.startsWith(log)).toList().getLast();
            byte[] bytes = disk.readAll(last);
            ByteBuffer frames = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            boolean isDecision = false;
            int offset = SEGMENT_HEADER;
            while (offset + RECORD_HEADER < bytes.length && frames.getInt(offset) != 0) {
                int length = frames.getInt(offset + 4);
                boolean isAlone = frames.getInt(offset + RECORD_HEADER - 4) == 0;
                isDecision = isAlone && length > 0 && bytes[offset + RECORD_HEADER] == DECIDE;
                offset += RECORD_HEADER + Math.max(0, length);
            }
            if (isDecision) {
                return true;
            }
        }
        return false;
    }

    /// Where the loss is accepted, it starts with all transactions but those that were in the
    /// damaged record.
    @Test
    void aDamagedLogGoesOnWhenTheLossIsAccepted() throws Exception {
        SimulatedDisk whole = make(End.IDLE);
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
            byte[] content = whole.readAll(file);
            // The zeroes that a log keeps ahead of its records are bytes, too.
            int size = ALL ? content.length : end(content);
            while (next < size) {
                flip(whole, file, next, random.nextInt(8));
                tried.add(file);
                next += step;
            }
            next -= size;
            if (!ALL && file.toString().endsWith(".log")) {
                for (int offset = Math.max(0, size - LAST_BYTES); offset < size; offset++) {
                    flip(whole, file, offset, random.nextInt(8));
                }
            }
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
            boolean isByOthers = outcome.damage.what().contains("has lost its part of transaction");
            foundByOthers += isByOthers ? 1 : 0;
            // A record that deleted a table file and looks torn is missed by those before it.
            assertThat(
                            file.toString().startsWith(outcome.damage.file())
                                    || outcome.damage.what().contains(file.toString()))
                    .as(when + ": " + outcome.damage)
                    .isTrue();
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

    private SimulatedDisk make(End end) {
        return make(end, SEED);
    }

    private SimulatedDisk make(End end, long seed) {
        var disk = new SimulatedDisk();
        var env = new SimEnv(seed);
        var random = new Random(seed);
        env.run(
                () -> {
                    var store = new DiskStore(disk, env, CELLS);
                    store.createTable(TABLE, TABLETS);
                    for (int count = 0; count < 30; count++) {
                        commit(store, random, random.nextInt(3) > 0 ? -1 : count % TABLETS);
                    }
                    for (int tablet = 0; tablet < TABLETS; tablet++) {
                        commit(store, random, end == End.AT_ONCE_OVER_CELLS ? -1 : tablet);
                    }
                    if (end == End.IDLE) {
                        sleep(env, Duration.ofMillis(10));
                    } else if (end == End.CLOSED) {
                        store.close();
                    }
                });
        return disk.kill();
    }

    /// In one tablet, or in each if it is -1.
    private void commit(DiskStore store, Random random, int tablet) {
        Map<Long, @Nullable String> rows = new HashMap<>();
        for (int each = 0; each < TABLETS; each++) {
            if (tablet == -1 || tablet == each) {
                long id = Long.divideUnsigned(-1, TABLETS) * each + 1 + random.nextInt(20);
                boolean erase = transactions.size() < 30 && random.nextInt(8) == 0;
                rows.put(id, erase ? null : "v".repeat(random.nextInt(20)) + transactions.size());
            }
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
