package io.cleave.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.FaultyLinks;
import io.cleave.testkit.FaultyLinks.Fault;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.TestCells;
import io.cleave.testkit.TestCells.Version;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Many transactions over three cells at the same time, of which some messages are lost, late or
/// come twice, while tablets are cut and moved, or with a crash in the end. What each has read must
/// be what was there at the moment of its commit, and a snapshot never sees half of one.
class TwoPhaseFuzzTest {
    private static final long CELLS = 3;
    private static final int KEYS = 4;
    private static final int CLIENTS = 6;
    private static final int TRANSACTIONS = 15;

    @Test
    void transactionsAreAsIfOneCameAfterTheOther() {
        long first = Long.getLong("seed", 1);
        int count = Long.getLong("seed") == null ? Integer.getInteger("seeds", 40) : 1;
        int committed = 0;
        int structureChanges = 0;
        for (long seed = first; seed < first + count; seed++) {
            try {
                var round = new Round(seed);
                round.run();
                committed += round.committed;
                structureChanges += round.structureChanges;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("to repeat: -Dseed=" + seed, e);
            }
        }
        assertThat(committed).isGreaterThan(count * CLIENTS);
        assertThat(structureChanges).isGreaterThan(count);
    }

    /// A key of a cell.
    private record Place(long cellId, String key) {}

    /// A transaction that may have happened; `timestamp` once that is known.
    private static final class Attempt {
        final Map<Place, String> written = new HashMap<>();
        final Map<Place, @Nullable Version> read = new HashMap<>();
        @Nullable Long timestamp;
        boolean committed;
    }

    private record Snapshot(long timestamp, Map<Place, @Nullable Version> seen) {}

    private static final class Round {
        private final SimEnv env;
        private final double faultRate;
        private final boolean crash;
        private final List<Attempt> attempts = new ArrayList<>();
        private final List<Snapshot> snapshots = new ArrayList<>();

        /// Whose value it is: every value is written once.
        private final Map<String, Attempt> writers = new HashMap<>();

        private TestCells cells;
        private FaultyLinks links;
        private int running = CLIENTS;
        private int values;
        private int committed;
        private int structureChanges;
        private boolean crashed;

        Round(long seed) {
            env = new SimEnv(seed);
            crash = seed % 2 == 0;
            faultRate = seed % 3 == 0 ? 0 : 0.04;
        }

        void run() {
            env.run(
                    () -> {
                        cells = new TestCells(env, (int) CELLS);
                        links = new FaultyLinks(cells, (_, _) -> fault());
                        cells.joinThrough(links);
                        for (int client = 0; client < CLIENTS; client++) {
                            env.spawn("client " + client, this::client);
                        }
                        if (!crash) {
                            env.spawn("changes", this::change);
                        }
                        long end = env.nanoTime() + Duration.ofSeconds(crash ? 8 : 600).toNanos();
                        while (running > 0 && env.nanoTime() < end) {
                            sleep(Duration.ofMillis(50));
                            takeSnapshot();
                        }
                        crashed = running > 0;
                        assertThat(crashed && !crash).as("clients that never end").isFalse();
                        if (crash) {
                            cells.restart();
                        }
                        takeSnapshot();
                        check();
                        cells.close();
                    });
        }

        private Fault fault() {
            RandomGenerator random = env.random();
            if (crashed) {
                return Fault.NONE;
            }
            if (random.nextInt(3) == 0) {
                sleep(Duration.ofNanos(1000L * random.nextInt(5000)));
            }
            if (random.nextDouble() < faultRate / 8) {
                // Longer than a lease.
                sleep(Duration.ofSeconds(7));
            }
            if (random.nextDouble() >= faultRate) {
                return Fault.NONE;
            }
            return Fault.values()[1 + random.nextInt(3)];
        }

        private void client() {
            TestCells mine = cells;
            for (int count = 0; count < TRANSACTIONS && !crashed; count++) {
                transact(mine);
                sleep(Duration.ofMillis(env.random().nextInt(40)));
            }
            running--;
        }

        /// Cuts tablets, and brings them from cell to cell.
        private void change() {
            long nextId = 1000;
            while (running > 0) {
                sleep(Duration.ofMillis(env.random().nextInt(30)));
                Place place = place();
                Route route = cells.route(place.cellId, place.key);
                Tablet tablet = route.tablet();
                Bytes at = Bytes.utf8(place.key);
                try {
                    if (env.random().nextInt(4) == 0 && !at.equals(tablet.range().from())) {
                        var left = new KeyRange(tablet.range().from(), at);
                        var right = new KeyRange(at, tablet.range().to());
                        route.cell()
                                .structure()
                                .split(
                                        tablet.id(),
                                        List.of(
                                                new TabletSpec(nextId++, tablet.tableId(), left),
                                                new TabletSpec(nextId++, tablet.tableId(), right)));
                    } else {
                        Cell target = cells.cell(1 + env.random().nextLong(CELLS));
                        if (target != route.cell()) {
                            route.cell().structure().move(tablet.id(), target);
                            route.cell().structure().drop(List.of(tablet.id()));
                        }
                    }
                    structureChanges++;
                } catch (StatusException e) {
                    assertThat(e.status()).isEqualTo(Status.OVERLOADED);
                }
            }
        }

        private void transact(TestCells mine) {
            RandomGenerator random = env.random();
            var attempt = new Attempt();
            var locks = new ReadLocks();
            long snapshot = mine.timeline().take();
            for (int count = random.nextInt(4); count > 0; count--) {
                Place place = place();
                attempt.read.put(place, mine.version(place.cellId, place.key, snapshot, locks));
                sleep(Duration.ofNanos(1000L * random.nextInt(300)));
            }
            for (int count = 1 + random.nextInt(3); count > 0; count--) {
                String value = "v" + values++;
                attempt.written.put(place(), value);
            }
            attempt.written.values().forEach(value -> writers.put(value, attempt));
            attempts.add(attempt);
            try {
                CommitResult result = commit(mine, attempt, locks);
                if (result instanceof CommitResult.Done(long timestamp) && !crashed) {
                    attempt.timestamp = timestamp;
                    attempt.committed = true;
                    committed++;
                } else if (!(result instanceof CommitResult.Lost) && !crashed) {
                    attempts.remove(attempt);
                }
            } catch (StatusException e) {
                if (!crashed) {
                    attempts.remove(attempt);
                }
            } finally {
                locks.release();
                mine.timeline().release(snapshot);
            }
        }

        private CommitResult commit(TestCells mine, Attempt attempt, ReadLocks locks) {
            CommitResult result;
            do {
                result = commitOnce(mine, attempt, locks);
            } while (!crashed
                    && (result instanceof CommitResult.Moved
                            || result instanceof CommitResult.Gone));
            return result;
        }

        private CommitResult commitOnce(TestCells mine, Attempt attempt, ReadLocks locks) {
            Map<Route, List<KeyedChange>> changes = new HashMap<>();
            attempt.written.forEach(
                    (place, value) ->
                            changes.computeIfAbsent(
                                            mine.route(place.cellId, place.key),
                                            _ -> new ArrayList<>())
                                    .add(TestCells.change(place.key, value)));
            var byCell = new TreeMap<Long, List<TabletWrites>>();
            changes.forEach(
                    (route, part) ->
                            byCell.computeIfAbsent(route.cell().id(), _ -> new ArrayList<>())
                                    .add(new TabletWrites(route.tabletId(), part)));
            long first = byCell.firstKey();
            boolean shortWay =
                    byCell.size() == 1 && locks.cellIds().stream().allMatch(id -> id == first);
            return shortWay
                    ? mine.cell(first).commit(byCell.get(first), locks, null)
                    : commitBoth(mine, byCell, locks);
        }

        private CommitResult commitBoth(
                TestCells mine, NavigableMap<Long, List<TabletWrites>> byCell, ReadLocks locks) {
            var known = new TransactionLocks(locks);
            known.found(locks.cellIds());
            return new TwoPhaseCommit(mine.timeline(), links, byCell, known, null, env).run();
        }

        private Place place() {
            RandomGenerator random = env.random();
            return new Place(1 + random.nextLong(CELLS), "k" + random.nextInt(KEYS));
        }

        private void takeSnapshot() {
            long timestamp = cells.timeline().take();
            Map<Place, @Nullable Version> seen = new HashMap<>();
            for (long cellId = 1; cellId <= CELLS; cellId++) {
                for (int key = 0; key < KEYS; key++) {
                    var place = new Place(cellId, "k" + key);
                    seen.put(place, cells.version(cellId, place.key, timestamp, null));
                    sleep(Duration.ofNanos(1000L * env.random().nextInt(300)));
                }
            }
            cells.timeline().release(timestamp);
            snapshots.add(new Snapshot(timestamp, seen));
        }

        private void sleep(Duration time) {
            try {
                env.sleep(time);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        // ---- what must be

        private void check() {
            for (Snapshot snapshot : snapshots) {
                snapshot.seen.values().forEach(this::learn);
            }
            attempts.forEach(attempt -> attempt.read.values().forEach(this::learn));
            for (Snapshot snapshot : snapshots) {
                snapshot.seen.forEach(
                        (place, version) ->
                                checkNewest(place, version, snapshot.timestamp + 1, "a snapshot"));
            }
            for (Attempt attempt : attempts) {
                if (attempt.committed) {
                    attempt.read.forEach(
                            (place, version) ->
                                    checkNewest(place, version, attempt.timestamp, "a commit"));
                }
            }
        }

        /// What someone has seen has happened, and when.
        private void learn(@Nullable Version version) {
            if (version != null) {
                Attempt writer = writers.get(version.value());
                assertThat(attempts).as("seen, but aborted").contains(writer);
                if (writer.timestamp == null) {
                    writer.timestamp = version.timestamp();
                }
                assertThat(writer.timestamp).isEqualTo(version.timestamp());
            }
        }

        /// Nothing was written there after the version and before the moment.
        private void checkNewest(Place place, @Nullable Version version, long before, String what) {
            long since = version == null ? 0 : version.timestamp();
            for (Attempt attempt : attempts) {
                if (attempt.timestamp != null && attempt.written.containsKey(place)) {
                    assertThat(attempt.timestamp > since && attempt.timestamp < before)
                            .as(
                                    "%s at %d read %s at %s, and not what was written at %d",
                                    what, before, version, place, attempt.timestamp)
                            .isFalse();
                }
            }
        }
    }
}
