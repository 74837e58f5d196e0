package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult.Broken;
import io.cleave.tablet.record.CommitResult.Gone;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Splits and merges inside a cell.
class StructureTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final CellOptions TINY =
            new CellOptions(8 << 10, 32 << 10, 16 << 10, 24 << 10, 10_000);

    @Test
    void childrenHaveTheRowsOfTheirParentAndNothingIsWrittenForThem() {
        var blobs = new MemoryBlobs();
        CellRig.run(
                SEED,
                CellOptions.DEFAULT,
                blobs,
                rig -> {
                    rig.createTablet(1);
                    rig.write(1, Map.of("a", "1", "m", "2", "z", "3"));
                    rig.cell.structure().flush(List.of(1L));
                    rig.write(1, Map.of("b", "4", "n", "5"));
                    int files = blobs.list().size();
                    List<Route> children = split(rig, 1, "m");
                    assertThat(blobs.list()).hasSize(files);
                    assertThat(rig.cell.tablet(1)).isNull();
                    assertThat(children)
                            .extracting(child -> child.tablet().epoch())
                            .containsOnly(2L);
                    assertThat(rig.rows(2)).isEqualTo(Map.of("a", "1", "b", "4"));
                    assertThat(rig.rows(3)).isEqualTo(Map.of("m", "2", "n", "5", "z", "3"));
                    rig.write(2, "c", "6");
                    rig.restart();
                    assertThat(rig.cell.tablet(1)).isNull();
                    assertThat(rig.rows(2)).isEqualTo(Map.of("a", "1", "b", "4", "c", "6"));
                    assertThat(rig.rows(3)).isEqualTo(Map.of("m", "2", "n", "5", "z", "3"));
                    assertThat(rig.cell.tablet(2).epoch()).isEqualTo(2);
                });
    }

    @Test
    void aReaderOfTheParentGoesOnAndItsRouteLeadsToTheChildren() {
        CellRig.run(
                SEED,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    rig.write(1, Map.of("a", "1", "m", "2", "z", "3"));
                    long snapshot = rig.cell.timeline().take();
                    var route = new Route(rig.cell, rig.cell.tablet(1));
                    RowCursor cursor =
                            route.tablet()
                                    .scan(
                                            KeyRange.ALL,
                                            Projection.ALL,
                                            snapshot,
                                            Direction.FORWARD,
                                            null);
                    assertThat(cursor.next()).isTrue();
                    split(rig, 1, "m");
                    rig.write(3, Map.of("m", "9", "y", "9"));
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.row().key().utf8()).isEqualTo("m");
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.row().key().utf8()).isEqualTo("z");
                    assertThat(route.find(Bytes.utf8("b")).tablet().id()).isEqualTo(2);
                    assertThat(route.find(Bytes.utf8("m")).tablet().id()).isEqualTo(3);
                    assertThat(route.find(new KeyRange(Bytes.utf8("b"), Bytes.utf8("p"))))
                            .extracting(part -> part.range())
                            .containsExactly(
                                    new KeyRange(Bytes.utf8("b"), Bytes.utf8("m")),
                                    new KeyRange(Bytes.utf8("m"), Bytes.utf8("p")));
                });
    }

    @Test
    void locksGoAlongAndAreBrokenWhereTheirKeysAre() {
        CellRig.run(
                SEED,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    Tablet parent = rig.cell.tablet(1);
                    var left = new ReadLocks();
                    var right = new ReadLocks();
                    var both = new ReadLocks();
                    assertThat(parent.lock(left, Bytes.utf8("a"))).isTrue();
                    assertThat(parent.lock(right, Bytes.utf8("p"))).isTrue();
                    assertThat(parent.lock(both, range("c", "x"))).isTrue();
                    var released = new ReadLocks();
                    assertThat(parent.lock(released, Bytes.utf8("p"))).isTrue();
                    released.release();
                    split(rig, 1, "m");
                    assertThat(parent.lock(left, Bytes.utf8("b"))).isFalse();
                    rig.write(2, "b", "1");
                    assertThat(List.of(left.broken(), right.broken(), both.broken()))
                            .containsExactly(false, false, false);
                    rig.write(3, "p", "1");
                    assertThat(List.of(left.broken(), right.broken(), both.broken()))
                            .containsExactly(false, true, true);
                    rig.cell
                            .structure()
                            .merge(List.of(2L, 3L), new TabletSpec(4, 100, KeyRange.ALL));
                    rig.write(4, "a", "2");
                    assertThat(left.broken()).isTrue();
                    assertThat(released.broken()).isFalse();
                    assertThat(rig.cell.commit(List.of(writes(4, "q", "1")), left, null))
                            .isInstanceOf(Broken.class);
                });
    }

    @Test
    void aCommitToATabletThatWasCutFindsItGone() {
        CellRig.run(
                SEED,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    split(rig, 1, "m");
                    assertThat(rig.commit(1, List.of(change("a", "1")))).isEqualTo(new Gone(1));
                });
    }

    @Test
    void aMergedTabletHasWhatWasInTheMemtablesOfItsParents() {
        CellRig.run(
                SEED,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    rig.write(1, Map.of("a", "1", "m", "2", "z", "3"));
                    split(rig, 1, "m");
                    rig.write(2, Map.of("a", "4", "b", "5"));
                    rig.write(3, "z", "6");
                    rig.cell.structure().flush(List.of(2L));
                    rig.write(2, "c", "7");
                    rig.cell
                            .structure()
                            .merge(List.of(2L, 3L), new TabletSpec(4, 100, KeyRange.ALL));
                    Map<String, String> rows =
                            Map.of("a", "4", "b", "5", "c", "7", "m", "2", "z", "6");
                    assertThat(rig.rows(4)).isEqualTo(rows);
                    rig.restart();
                    assertThat(rig.rows(4)).isEqualTo(rows);
                    rig.cell.structure().flush(List.of(4L));
                    assertThat(rig.rows(4)).isEqualTo(rows);
                    rig.restart();
                    assertThat(rig.rows(4)).isEqualTo(rows);
                });
    }

    /// Writes, cuts, merges, flushes, compacts and restarts at random; after each step the tablets
    /// have the rows of the model, and together they have every key once.
    @Test
    void whateverIsCutAndMergedTheRowsStay() {
        for (int round = 0; round < 5; round++) {
            long seed = SEED + round;
            CellRig.run(seed, TINY, rig -> new RandomStructure(rig, seed).run(400));
        }
    }

    private static final class RandomStructure {
        private final CellRig rig;
        private final long seed;
        private final Random random;
        private final TreeMap<String, String> model = new TreeMap<>();

        /// By the first key.
        private final TreeMap<String, Long> tablets = new TreeMap<>();

        private long lastId = 1;

        RandomStructure(CellRig rig, long seed) {
            this.rig = rig;
            this.seed = seed;
            random = new Random(seed);
            rig.createTablet(1);
            tablets.put("", 1L);
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(12)) {
                    case 0, 1 -> cut();
                    case 2 -> merge();
                    case 3 -> rig.cell.structure().flush(List.of(anyTablet()));
                    case 4 -> rig.cell.structure().compact(List.of(anyTablet()));
                    case 5 -> rig.pass(Duration.ofMillis(random.nextInt(700)));
                    case 6 -> rig.restart();
                    default -> write();
                }
                if (step % 7 == 0) {
                    check();
                }
            }
            check();
            rig.restart();
            check();
        }

        private void write() {
            for (int count = random.nextInt(1, 8); count > 0; count--) {
                String key = "%03d".formatted(random.nextInt(1000));
                String value = "v".repeat(random.nextInt(200)) + random.nextInt();
                long tabletId = tablets.floorEntry(key).getValue();
                if (random.nextInt(5) == 0) {
                    rig.erase(tabletId, key);
                    model.remove(key);
                } else {
                    rig.write(tabletId, key, value);
                    model.put(key, value);
                }
            }
        }

        private long anyTablet() {
            List<Long> all = new ArrayList<>(tablets.values());
            return all.get(random.nextInt(all.size()));
        }

        private void cut() {
            Tablet parent = rig.cell.tablet(anyTablet());
            TreeMap<String, Long> parts = new TreeMap<>();
            parts.put(parent.range().from().utf8(), ++lastId);
            for (int cuts = random.nextInt(1, 4); cuts > 0; cuts--) {
                String key = "%03d".formatted(random.nextInt(1000));
                if (parent.range().contains(Bytes.utf8(key)) && !parts.containsKey(key)) {
                    parts.put(key, ++lastId);
                }
            }
            List<TabletSpec> specs = new ArrayList<>();
            for (Map.Entry<String, Long> part : parts.entrySet()) {
                String next = parts.higherKey(part.getKey());
                Bytes to = next == null ? parent.range().to() : Bytes.utf8(next);
                specs.add(
                        new TabletSpec(
                                part.getValue(), 100, new KeyRange(Bytes.utf8(part.getKey()), to)));
            }
            rig.cell.structure().split(parent.id(), specs);
            tablets.putAll(parts);
        }

        private void merge() {
            int count = Math.min(tablets.size(), random.nextInt(2, 5));
            int first = random.nextInt(tablets.size() - count + 1);
            List<Map.Entry<String, Long>> neighbours =
                    List.copyOf(tablets.entrySet()).subList(first, first + count);
            if (count < 2) {
                return;
            }
            Bytes to = rig.cell.tablet(neighbours.getLast().getValue()).range().to();
            var range = new KeyRange(Bytes.utf8(neighbours.getFirst().getKey()), to);
            rig.cell
                    .structure()
                    .merge(
                            neighbours.stream().map(Map.Entry::getValue).toList(),
                            new TabletSpec(++lastId, 100, range));
            neighbours.forEach(neighbour -> tablets.remove(neighbour.getKey()));
            tablets.put(range.from().utf8(), lastId);
        }

        private void check() {
            Map<String, String> found = new TreeMap<>();
            int rows = 0;
            for (long tabletId : tablets.values()) {
                Map<String, String> part = rig.rows(tabletId);
                rows += part.size();
                found.putAll(part);
            }
            assertThat(found).as("-Dseed=%d", seed).isEqualTo(model);
            assertThat(rows).as("-Dseed=%d", seed).isEqualTo(model.size());
            assertThat(rig.cell.tablets()).as("-Dseed=%d", seed).hasSize(tablets.size());
        }
    }

    /// Into the tablets 2 and 3.
    private static List<Route> split(CellRig rig, long tabletId, String key) {
        return rig.cell
                .structure()
                .split(
                        tabletId,
                        List.of(
                                new TabletSpec(2, 100, range("", key)).inEpoch(2),
                                new TabletSpec(3, 100, range(key, null)).inEpoch(2)));
    }

    private static TabletWrites writes(long tabletId, String key, String value) {
        return new TabletWrites(tabletId, List.of(change(key, value)));
    }

    private static KeyedChange change(String key, String value) {
        return new KeyedChange(Bytes.utf8(key), CellRig.change(value));
    }

    private static KeyRange range(String from, @Nullable String to) {
        return new KeyRange(Bytes.utf8(from), to == null ? null : Bytes.utf8(to));
    }
}
