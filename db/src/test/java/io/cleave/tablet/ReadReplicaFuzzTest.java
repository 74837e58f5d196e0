package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.time.ReplicaMoment;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Whatever happens to the tablets of three cells, a replica has at every moment that it says it
/// has reached the rows that were committed by then.
class ReadReplicaFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final CellOptions TINY =
            new CellOptions(8 << 10, 32 << 10, 16 << 10, 24 << 10, 10_000);

    @Test
    void aReplicaHasTheRowsOfItsMoment() {
        for (int round = 0; round < 3; round++) {
            long seed = SEED + round;
            ReplicaRig.run(seed, 3, TINY, rig -> new Run(rig, seed).run(300));
        }
    }

    private static final class Run {
        private final ReplicaRig rig;
        private final long seed;
        private final Random random;

        /// By the first key.
        private final TreeMap<String, Place> tablets = new TreeMap<>();

        private record Place(long tabletId, long cellId) {}

        private long lastId = 1;
        private int lastNumber;
        private int answered;
        private int asked;

        Run(ReplicaRig rig, long seed) {
            this.rig = rig;
            this.seed = seed;
            random = new Random(seed);
            rig.cell(1).structure().create(List.of(spec(1, KeyRange.ALL)));
            // Another table, which no replica has.
            rig.cell(1).structure().create(List.of(new TabletSpec(2000, 7, KeyRange.ALL)));
            tablets.put("", new Place(1, 1));
        }

        private static TabletSpec spec(long tabletId, KeyRange range) {
            return new TabletSpec(tabletId, ReplicaRig.TABLE, range);
        }

        void run(int steps) {
            for (int cellId = 1; cellId <= 3; cellId++) {
                rig.begin(cellId, ++lastNumber);
            }
            for (int step = 0; step < steps; step++) {
                step();
                check();
            }
            for (long cellId = 1; cellId <= 3; cellId++) {
                rig.log(cellId).shut(false);
                rig.begin(cellId, ++lastNumber);
            }
            rig.replicas.forEach(rig::catchUp);
            rig.pass(Duration.ofSeconds(1));
            int before = answered;
            check();
            assertThat(answered - before).as("-Dseed=%d", seed).isEqualTo(tablets.size());
            assertThat(answered).as("-Dseed=%d: of %d", seed, asked).isGreaterThan(asked / 10);
            assertThat(rig.references.retainedBlobs()).as("-Dseed=%d", seed).isZero();
        }

        private void step() {
            switch (random.nextInt(20)) {
                case 0, 1 -> cut();
                case 2 -> merge();
                case 3, 4 -> move();
                case 5 ->
                        rig.cell(anyPlace().cellId).structure().flush(List.of(anyPlace().tabletId));
                case 6 -> {
                    Place place = anyPlace();
                    rig.cell(place.cellId).structure().compact(List.of(place.tabletId));
                }
                case 7 -> rig.pass(Duration.ofMillis(random.nextInt(100)));
                case 8 -> rig.log(random.nextLong(1, 4)).shut(random.nextInt(4) == 0);
                case 9 -> eraseRange();
                case 10 -> replace();
                case 11, 12 -> writeTwoCells();
                case 13 -> writeOtherTable();
                default -> write();
            }
        }

        private Place anyPlace() {
            List<Place> all = List.copyOf(tablets.values());
            return all.get(random.nextInt(all.size()));
        }

        private Tablet tablet(Place place) {
            Tablet tablet = rig.cell(place.cellId).tablet(place.tabletId);
            if (tablet == null) {
                throw new AssertionError("no tablet " + place);
            }
            return tablet;
        }

        private String anyKey() {
            return "%03d".formatted(random.nextInt(1000));
        }

        private @Nullable String anyValue() {
            return random.nextInt(5) == 0
                    ? null
                    : "v".repeat(random.nextInt(200)) + random.nextInt();
        }

        private void write() {
            for (int count = random.nextInt(1, 8); count > 0; count--) {
                String key = anyKey();
                Place place = tablets.floorEntry(key).getValue();
                rig.write(tablet(place), place.cellId, key, anyValue());
            }
        }

        private void writeOtherTable() {
            rig.cell(1)
                    .commit(
                            List.of(
                                    new TabletWrites(
                                            2000,
                                            ReplicaRig.writes(tablet(anyPlace()), anyKey(), "x")
                                                    .changes())),
                            new ReadLocks(),
                            null);
        }

        /// In two phases, with other commits between the steps.
        private void writeTwoCells() {
            String one = anyKey();
            String two = anyKey();
            Place first = tablets.floorEntry(one).getValue();
            Place second = tablets.floorEntry(two).getValue();
            if (first.cellId >= second.cellId) {
                return;
            }
            long id = rig.timeline.newId();
            String value = String.valueOf(random.nextInt());
            prepare(id, first, first, second, ReplicaRig.writes(tablet(first), one, value));
            prepare(id, second, first, second, ReplicaRig.writes(tablet(second), two, value));
            CellTransactions participant = rig.cell(second.cellId).transactions();
            participant.awaitPrepared(id);
            applyOther(one, two);
            long timestamp =
                    ((DecideResult.Decided) rig.cell(first.cellId).transactions().decide(id))
                            .timestamp();
            applyOther(one, two);
            check();
            participant.outcome(id, new CommitDecision.Commit(timestamp));
            rig.wrote(one, timestamp, value);
            rig.wrote(two, timestamp, value);
            assertThat(rig.timeline.await(timestamp)).isNull();
        }

        private void prepare(long id, Place where, Place first, Place second, TabletWrites writes) {
            PrepareResult result =
                    rig.cell(where.cellId)
                            .transactions()
                            .prepare(
                                    new Preparation(
                                            id,
                                            first.cellId,
                                            List.of(second.cellId),
                                            List.of(writes),
                                            LockOwner.NOBODY,
                                            null));
            assertThat(result).isEqualTo(new PrepareResult.Ready());
        }

        /// A commit that waits to be seen until those before it are; so nobody waits for it here.
        private void applyOther(String one, String two) {
            String key = anyKey();
            if (key.equals(one) || key.equals(two) || random.nextBoolean()) {
                return;
            }
            Place place = tablets.floorEntry(key).getValue();
            Tablet tablet = tablet(place);
            rig.env.spawn(
                    "other", () -> rig.write(tablet, place.cellId, key, "o" + random.nextInt()));
            rig.pass(Duration.ofMillis(random.nextInt(20)));
        }

        private void eraseRange() {
            Place place = anyPlace();
            Tablet tablet = tablet(place);
            Bytes from = Bytes.utf8(anyKey());
            KeyRange range = new KeyRange(from, null).intersection(tablet.range());
            if (!range.isEmpty()) {
                CommitResult result =
                        rig.cell(place.cellId).structure().eraseRange(place.tabletId, range);
                rig.erased(range, ((Done) result).timestamp());
            }
        }

        private void cut() {
            Place place = anyPlace();
            Tablet parent = tablet(place);
            TreeMap<String, Place> parts = new TreeMap<>();
            parts.put(parent.range().from().utf8(), new Place(++lastId, place.cellId));
            for (int cuts = random.nextInt(1, 4); cuts > 0; cuts--) {
                String key = anyKey();
                if (parent.range().contains(Bytes.utf8(key)) && !parts.containsKey(key)) {
                    parts.put(key, new Place(++lastId, place.cellId));
                }
            }
            List<TabletSpec> specs = new ArrayList<>();
            for (Map.Entry<String, Place> part : parts.entrySet()) {
                String next = parts.higherKey(part.getKey());
                Bytes to = next == null ? parent.range().to() : Bytes.utf8(next);
                specs.add(
                        spec(
                                part.getValue().tabletId,
                                new KeyRange(Bytes.utf8(part.getKey()), to)));
            }
            rig.cell(place.cellId).structure().split(parent.id(), specs);
            tablets.putAll(parts);
        }

        private void merge() {
            List<Map.Entry<String, Place>> all = List.copyOf(tablets.entrySet());
            int first = random.nextInt(all.size());
            int to = first;
            long cellId = all.get(first).getValue().cellId;
            while (to < all.size() && to < first + 4 && all.get(to).getValue().cellId == cellId) {
                to++;
            }
            if (to - first < 2) {
                return;
            }
            List<Map.Entry<String, Place>> neighbours = all.subList(first, to);
            Bytes end = tablet(neighbours.getLast().getValue()).range().to();
            var range = new KeyRange(Bytes.utf8(neighbours.getFirst().getKey()), end);
            rig.cell(cellId)
                    .structure()
                    .merge(
                            neighbours.stream().map(each -> each.getValue().tabletId).toList(),
                            spec(++lastId, range));
            neighbours.forEach(neighbour -> tablets.remove(neighbour.getKey()));
            tablets.put(range.from().utf8(), new Place(lastId, cellId));
        }

        private void move() {
            Map.Entry<String, Place> from =
                    List.copyOf(tablets.entrySet()).get(random.nextInt(tablets.size()));
            long target = random.nextLong(1, 4);
            Place place = from.getValue();
            if (target == place.cellId) {
                return;
            }
            rig.cell(place.cellId).structure().move(place.tabletId, rig.cell(target));
            tablets.put(from.getKey(), new Place(place.tabletId, target));
            if (random.nextBoolean()) {
                check();
                rig.pass(Duration.ofMillis(random.nextInt(30)));
            }
            check();
            rig.cell(place.cellId).structure().drop(List.of(place.tabletId));
        }

        /// A replica goes, or another comes.
        private void replace() {
            if (rig.replicas.size() > 4 || (rig.replicas.size() > 1 && random.nextBoolean())) {
                rig.end(rig.replicas.get(random.nextInt(rig.replicas.size())));
            } else {
                rig.begin(random.nextLong(1, 4), ++lastNumber);
            }
        }

        private void check() {
            rig.moments.take().ifPresent(this::check);
        }

        private void check(ReplicaMoment taken) {
            try {
                for (Place place : tablets.values()) {
                    asked++;
                    boolean found = false;
                    for (ReadReplica replica : rig.replicas) {
                        if (replica.cellId() == place.cellId
                                && replica.hasReached(taken.timestamp())) {
                            found |= check(replica, tablet(place), taken.timestamp());
                        }
                    }
                    answered += found ? 1 : 0;
                }
            } finally {
                rig.moments.release(taken.timestamp());
            }
        }

        private boolean check(ReadReplica replica, Tablet leader, long snapshot) {
            KeyRange range = leader.range();
            var route = new Route(rig.cell(replica.cellId()), leader);
            Map<String, String> rows = new TreeMap<>();
            List<Route.Part> found = replica.find(new Route.Part(route, range));
            for (Route.Part part : found) {
                rows.putAll(ReplicaRig.scan(part.route().tablet(), part.range(), snapshot));
            }
            if (!found.isEmpty()) {
                assertThat(rows)
                        .as("-Dseed=%d at %d in %s", seed, snapshot, replica.info())
                        .isEqualTo(rig.rowsAt(range, snapshot));
            }
            Bytes key = Bytes.utf8(anyKey());
            Route one = range.contains(key) ? replica.find(route, key) : null;
            if (one != null) {
                Row row = one.tablet().get(key, Projection.ALL, snapshot, null);
                assertThat(row == null ? null : ReplicaRig.value(row))
                        .as("-Dseed=%d key %s at %d", seed, key, snapshot)
                        .isEqualTo(rig.rowsAt(KeyRange.ALL, snapshot).get(key.utf8()));
            }
            return !found.isEmpty();
        }
    }
}
