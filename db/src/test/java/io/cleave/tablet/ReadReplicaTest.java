package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.ReadReplica.Tables;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.record.TabletSpec;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// A reader that goes behind the leader of a cell.
class ReadReplicaTest {
    private static final CellOptions TINY =
            new CellOptions(8 << 10, 32 << 10, 16 << 10, 24 << 10, 10_000);

    private static void run(CellOptions options, ReplicaRig.Body body) {
        ReplicaRig.run(
                1,
                1,
                options,
                rig -> {
                    rig.cell(1)
                            .structure()
                            .create(List.of(new TabletSpec(1, ReplicaRig.TABLE, KeyRange.ALL)));
                    body.run(rig);
                });
    }

    private static Tablet leader(ReplicaRig rig) {
        Tablet tablet = rig.cell(1).tablet(1);
        if (tablet == null) {
            throw new AssertionError("no tablet");
        }
        return tablet;
    }

    private static Route leaderRoute(ReplicaRig rig) {
        return new Route(rig.cell(1), leader(rig));
    }

    /// The replica's tablets in place of the leader's tablet.
    private static List<Tablet> copies(ReplicaRig rig, ReadReplica replica) {
        return replica.find(new Part(leaderRoute(rig), KeyRange.ALL)).stream()
                .map(part -> part.route().tablet())
                .toList();
    }

    private static void write(ReplicaRig rig, String key, String value) {
        rig.write(leader(rig), 1, key, value);
    }

    private static Map<String, String> rows(ReplicaRig rig, ReadReplica replica) {
        rig.catchUp(replica);
        Tablet tablet = copies(rig, replica).getFirst();
        return ReplicaRig.scan(tablet, KeyRange.ALL, rig.timeline.visible());
    }

    @Test
    void itHasWhatWasWrittenBeforeItBeganAndAfter() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    write(rig, "a", "1");
                    rig.cell(1).structure().flush(List.of(1L));
                    write(rig, "b", "2");
                    ReadReplica replica = rig.begin(1, 1);
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("a", "1", "b", "2"));
                    write(rig, "a", "3");
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("a", "3", "b", "2"));
                });
    }

    /// Nobody looks at its load to cut it.
    @Test
    void itNotesNoKeys() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    rig.env.measureAll();
                    leader(rig).meter().look();
                    ReadReplica replica = rig.begin(1, 1);
                    write(rig, "a", "1");
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("a", "1"));
                    assertThat(leader(rig).meter().keys()).isNotEmpty();
                    Tablet copy = copies(rig, replica).getFirst();
                    assertThat(copy.meter().totals().cpuNanos()).isPositive();
                    assertThat(copy.meter().keys()).isEmpty();
                });
    }

    /// In a simulation only waiting takes time.
    @Test
    void itIsNeverFarBehindWhenNothingHoldsItUp() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    for (int count = 0; count < 2000; count++) {
                        write(rig, "k" + count, "v");
                        rig.pass(Duration.ofMillis(1));
                    }
                    assertThat(replica.info().highLagMicros()).isLessThan(20_000);
                    assertThat(replica.info().appliedRecords()).isGreaterThan(1900);
                    assertThat(replica.info().behindMicros()).isLessThan(20_000);
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(replica.info().behindMicros()).isLessThan(20_000);
                });
    }

    @Test
    void itGoesOnAnsweringWhileTheLeaderIsHeldUp() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    write(rig, "a", "1");
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    CellFreeze freeze = rig.cell(1).freeze(Duration.ofSeconds(60));
                    rig.env.spawn("writer", () -> write(rig, "a", "2"));
                    for (int second = 0; second < 59; second++) {
                        rig.pass(Duration.ofSeconds(1));
                        var taken = rig.moments.take().orElseThrow();
                        assertThat(replica.hasReached(taken.timestamp())).isTrue();
                        assertThat(rig.env.nanoTime() / 1000 - taken.steadyMicros())
                                .isLessThan(20_000);
                        Tablet tablet = copies(rig, replica).getFirst();
                        assertThat(ReplicaRig.scan(tablet, KeyRange.ALL, taken.timestamp()))
                                .isEqualTo(Map.of("a", "1"));
                        rig.moments.release(taken.timestamp());
                    }
                    freeze.end();
                    rig.pass(Duration.ofSeconds(1));
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("a", "2"));
                });
    }

    @Test
    void filesOfRecordsThatItHasNotReadStay() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    rig.log(1).shut(true);
                    for (int round = 0; round < 5; round++) {
                        write(rig, "k", "v" + round);
                        rig.cell(1).structure().flush(List.of(1L));
                        rig.cell(1).structure().compact(List.of(1L));
                    }
                    assertThat(rig.references.retainedBlobs()).isPositive();
                    rig.log(1).shut(false);
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("k", "v4"));
                    rig.pass(Duration.ofMillis(100));
                    assertThat(rig.references.retainedBlobs()).isZero();
                    assertThat(rig.blobs.list()).hasSize(1);
                });
    }

    @Test
    void noFilesAreKeptForOneThatFails() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    write(rig, "k", "v");
                    rig.cell(1).structure().flush(List.of(1L));
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    rig.log(1).breakReading(true);
                    rig.pass(Duration.ofMillis(100));
                    assertThat(copies(rig, replica)).isEmpty();
                    for (int round = 0; round < 5; round++) {
                        write(rig, "k", "v" + round);
                        rig.cell(1).structure().flush(List.of(1L));
                        rig.cell(1).structure().compact(List.of(1L));
                        rig.pass(Duration.ofSeconds(4));
                    }
                    assertThat(rig.references.retainedBlobs()).isZero();
                    assertThat(rig.blobs.list()).hasSize(1);
                    rig.log(1).breakReading(false);
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("k", "v4"));
                });
    }

    @Test
    void itBeginsAnewWhenTheLogIsTrimmedUnderIt() {
        run(
                TINY,
                rig -> {
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    rig.log(1).shut(true);
                    long had = rig.log(1).nextPosition();
                    for (int count = 0; rig.log(1).firstPosition() <= had; count++) {
                        write(rig, "%05d".formatted(count % 100), "v".repeat(200) + count);
                        rig.pass(Duration.ofMillis(10));
                    }
                    rig.log(1).shut(false);
                    assertThat(rows(rig, replica))
                            .isEqualTo(rig.rowsAt(KeyRange.ALL, rig.timeline.visible()));
                    assertThat(replica.info().restarts()).isEqualTo(1);
                });
    }

    @Test
    void itHoldsNoMoreInMemoryThanTheLeader() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    ReadReplica replica = rig.begin(1, 1);
                    for (int count = 0; count < 100; count++) {
                        write(rig, "k" + count, "v".repeat(100));
                    }
                    rig.catchUp(replica);
                    assertThat(replica.info().memtableBytes()).isGreaterThan(10_000);
                    rig.cell(1).structure().flush(List.of(1L));
                    write(rig, "last", "v");
                    rig.catchUp(replica);
                    assertThat(replica.info().memtableBytes()).isLessThan(1000);
                });
    }

    @Test
    void itHasOnlyTheTablesThatAreWanted() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    rig.cell(1).structure().create(List.of(new TabletSpec(2, 7, KeyRange.ALL)));
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    assertThat(replica.tablets(rig.cell(1)))
                            .extracting(Route::tabletId)
                            .containsExactly(1L);
                    // One that is new may be wanted: that is known when it is in the catalog.
                    rig.cell(1).structure().create(List.of(new TabletSpec(3, 8, KeyRange.ALL)));
                    write(rig, "a", "1");
                    rig.catchUp(replica);
                    assertThat(replica.tablets(rig.cell(1)))
                            .extracting(Route::tabletId)
                            .contains(3L);
                    replica.setTables(new Tables(Set.of(ReplicaRig.TABLE), Set.of(8L)));
                    rig.pass(Duration.ofMillis(200));
                    assertThat(replica.tablets(rig.cell(1)))
                            .extracting(Route::tabletId)
                            .containsExactly(1L);
                    replica.setTables(new Tables(Set.of(ReplicaRig.TABLE, 7L), Set.of(8L)));
                    rig.pass(Duration.ofMillis(200));
                    assertThat(replica.tablets(rig.cell(1)))
                            .extracting(Route::tabletId)
                            .containsExactlyInAnyOrder(1L, 2L);
                    write(rig, "b", "2");
                    assertThat(rows(rig, replica)).isEqualTo(Map.of("a", "1", "b", "2"));
                });
    }

    @Test
    void theCommonMomentWaitsForNobodyWhoIsFarBehind() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    write(rig, "a", "1");
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    rig.pass(Duration.ofMillis(20));
                    long before = moment(rig);
                    assertThat(replica.hasReached(before)).isTrue();
                    rig.log(1).shut(true);
                    write(rig, "a", "2");
                    rig.pass(Duration.ofMillis(100));
                    assertThat(moment(rig)).isEqualTo(before);
                    rig.pass(ReplicaMoments.PATIENCE.plusMillis(600));
                    long later = moment(rig);
                    assertThat(later).isGreaterThan(before);
                    assertThat(replica.hasReached(later)).isFalse();
                    rig.log(1).shut(false);
                    rig.catchUp(replica);
                    rig.pass(Duration.ofMillis(20));
                    assertThat(moment(rig)).isGreaterThanOrEqualTo(later);
                    assertThat(replica.hasReached(moment(rig))).isTrue();
                });
    }

    private static long moment(ReplicaRig rig) {
        return rig.moments.newest().orElseThrow();
    }

    @Test
    void whenTheThreadOfTheMomentsFailsAnotherMayBegin() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    var broken = new AtomicBoolean();
                    var moments = new ReplicaMoments(rig.timeline, withClock(rig.env, broken));
                    ReadReplica replica = rig.begin(1, 1);
                    moments.add(replica);
                    var taken = moments.take().orElseThrow();
                    broken.set(true);
                    rig.pass(Duration.ofMillis(20));
                    assertThat(moments.take()).isEmpty();
                    moments.release(taken.timestamp());
                    rig.pass(Duration.ofMillis(20));
                    broken.set(false);
                    moments.remove(replica);
                    moments.add(replica);
                    moments.release(moments.take().orElseThrow().timestamp());
                    broken.set(true);
                    rig.pass(Duration.ofMillis(20));
                    moments.close();
                });
    }

    /// The same with a clock that may be broken.
    private static Env withClock(Env env, AtomicBoolean broken) {
        return (Env)
                Proxy.newProxyInstance(
                        Env.class.getClassLoader(),
                        new Class<?>[] {Env.class},
                        (_, method, arguments) -> {
                            if (broken.get() && method.getName().equals("nanoTime")) {
                                throw new IllegalStateException("broken by a test");
                            }
                            return method.invoke(env, arguments);
                        });
    }

    @Test
    void theVersionsOfAMomentStayWhileItIsRead() {
        run(
                CellOptions.DEFAULT,
                rig -> {
                    write(rig, "a", "old");
                    ReadReplica replica = rig.begin(1, 1);
                    rig.catchUp(replica);
                    rig.pass(Duration.ofMillis(20));
                    var taken = rig.moments.take().orElseThrow();
                    write(rig, "a", "new");
                    rig.catchUp(replica);
                    rig.cell(1).structure().flush(List.of(1L));
                    rig.cell(1).structure().compact(List.of(1L));
                    rig.pass(Duration.ofMillis(100));
                    Route route = replica.find(leaderRoute(rig), Bytes.utf8("a"));
                    assertThat(ReplicaRig.scan(route.tablet(), KeyRange.ALL, taken.timestamp()))
                            .isEqualTo(Map.of("a", "old"));
                    rig.moments.release(taken.timestamp());
                });
    }
}
