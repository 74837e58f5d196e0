package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.State;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.faults.QuietUpkeep;
import io.cleave.log.LogException;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/// The power goes off at one point of an action after the other. The next start finishes the
/// action, if it had begun, and no row is lost.
///
/// `-Dall` takes every point, `-Dseed` repeats a run, `-Dpoint` with it goes to one point.
@ExtendWith(QuietUpkeep.class)
class ActionCrashTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int SAMPLE = System.getProperty("all") == null ? 25 : Integer.MAX_VALUE;
    private static final int TABLETS = 4;
    private static final int ROWS = 60;
    private static final long NEVER = Long.MAX_VALUE;

    /// What is asked for, and what it comes to.
    private enum Change {
        SPLIT("-  01 02 10 20 30"),
        MERGE("- 10"),
        RECUT("- 08 18 30"),
        MOVE("- 10 20 30");

        /// Where tablets begin, in hexadecimal.
        private final List<String> layout;

        Change(String layout) {
            this.layout = List.of(layout.split(" +"));
        }

        ActionRequest request(Table table, List<TabletInfo> tablets) {
            return switch (this) {
                case SPLIT ->
                        reshard(
                                table,
                                tablets.subList(0, 1),
                                List.of(),
                                Bytes.EMPTY,
                                ActionRig.key(1),
                                ActionRig.key(2));
                case MERGE -> reshard(table, tablets.subList(1, 4), List.of(), ActionRig.key(0x10));
                case RECUT ->
                        reshard(
                                table,
                                tablets.subList(0, 3),
                                List.of(3L, 3L, 1L),
                                Bytes.EMPTY,
                                ActionRig.key(8),
                                ActionRig.key(0x18));
                case MOVE ->
                        new ActionRequest(
                                Kind.MOVE,
                                table,
                                List.of(tablets.get(1).tabletId(), tablets.get(3).tabletId()),
                                List.of(
                                        other(tablets.get(1).cellId()),
                                        other(tablets.get(3).cellId())),
                                List.of(),
                                OptionalInt.empty(),
                                false,
                                Keeping.FOREVER,
                                Origin.BALANCER);
            };
        }

        private static long other(long cellId) {
            return cellId % ActionRig.CELLS + 1;
        }

        private static ActionRequest reshard(
                Table table, List<TabletInfo> tablets, List<Long> cells, Bytes... keys) {
            return new ActionRequest(
                    Kind.RESHARD,
                    table,
                    tablets.stream().map(TabletInfo::tabletId).toList(),
                    cells,
                    List.of(keys),
                    OptionalInt.empty(),
                    false,
                    Keeping.FOREVER,
                    Origin.BALANCER);
        }

        Decision decision(ActionRequest request) {
            return request.kind() == Kind.MOVE
                    ? new Move(request.tabletIds().getFirst(), 1, 2, Rule.values()[0], List.of())
                    : new Reshard(
                            request.tabletIds(),
                            request.pivotKeys().subList(1, request.pivotKeys().size()),
                            Rule.values()[0],
                            List.of(),
                            "for a test");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCrashAtAnyPointIsRepaired(Change change) {
        Long only = Long.getLong("point");
        if (only != null) {
            new Run(change, only).runAndCheck();
            return;
        }
        var whole = new Run(change, NEVER);
        whole.runAndCheck();
        long step = Math.max(1, (whole.points - whole.began) / SAMPLE);
        assertThat(whole.points - whole.began).isGreaterThan(5);
        for (long point = whole.began + SEED % step; point < whole.points; point += step) {
            new Run(change, point).runAndCheck();
        }
    }

    private static final class Run {
        private final SimulatedDisk disk = new SimulatedDisk();
        private final Change change;
        private final long point;
        private final String when;
        private final Random random;
        private final SortedMap<Long, String> rows = new TreeMap<>(Long::compareUnsigned);

        /// The points of the disk before the action and after it.
        private long began;

        private long points;
        private boolean isBegun;
        private List<String> layout = List.of();

        Run(Change change, long point) {
            this.change = change;
            this.point = point;
            when = "-Dseed=%d -Dpoint=%d %s".formatted(SEED, point, change);
            random = new Random(SEED + point);
        }

        void runAndCheck() {
            try {
                var env = new SimEnv(SEED);
                env.run(() -> work(env));
                reopen(disk.crash(random), NEVER);
                SimulatedDisk found = disk.crash(random);
                reopen(found, random.nextInt(40));
                reopen(found.crash(random), NEVER);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(when, e);
            }
        }

        private void work(Env env) {
            try (var rig = new ActionRig(disk, env)) {
                rig.store.createTable(ActionRig.TABLE, TABLETS);
                for (int row = 0; row < ROWS; row++) {
                    String text = "v".repeat(random(row) % 300) + row;
                    rows.put(ActionRig.id(row), text);
                    rig.store.commit(ActionRig.TABLE, Map.of(ActionRig.id(row), text));
                }
                layout = rig.layout();
                rig.start();
                began = disk.trace().size();
                disk.powerOffAt(point);
                begin(rig);
                rig.awaitRest(disk);
                points = disk.trace().size();
            } catch (UncheckedIOException | LogException | StatusException e) {
                assertThat(disk.isOff()).as(when).isTrue();
            }
        }

        private static int random(int row) {
            return row * 7919 & 0xFFF;
        }

        private void begin(ActionRig rig) {
            ActionRequest request = change.request(rig.table(), rig.tablets());
            Decision decision = change.decision(request);
            var _ =
                    rig.actions.begin(
                            request,
                            id ->
                                    rig.log.add(
                                            TabletDecision.of(
                                                            rig.table(),
                                                            KeyRange.ALL,
                                                            decision,
                                                            State.RUNNING,
                                                            1)
                                                    .by(id)));
            isBegun = true;
        }

        private void reopen(SimulatedDisk found, long offAt) {
            var after = new SimEnv(random.nextLong());
            after.run(
                    () -> {
                        found.powerOffAt(offAt);
                        try (var rig = new ActionRig(found, after)) {
                            List<TabletAction> known = rig.actions.list();
                            rig.start();
                            rig.awaitRest(found);
                            if (!found.isOff()) {
                                check(rig, known);
                            }
                        } catch (UncheckedIOException | LogException | StatusException e) {
                            assertThat(found.isOff()).as(when).isTrue();
                        }
                    });
        }

        private void check(ActionRig rig, List<TabletAction> known) {
            assertThat(rig.store.readAll(ActionRig.TABLE)).as(when).isEqualTo(rows);
            if (known.isEmpty()) {
                assertThat(isBegun).as(when).isFalse();
                assertThat(rig.layout()).as(when).isEqualTo(layout);
                return;
            }
            TabletAction action = rig.actions.list().getFirst();
            assertThat(action.error()).as(when).isEmpty();
            assertThat(action.state()).as(when).isEqualTo(TabletAction.State.COMPLETED);
            assertThat(rig.layout()).as(when).isEqualTo(change.layout);
            List<Long> ids = rig.tablets().stream().map(TabletInfo::tabletId).toList();
            assertThat(ids).as(when).containsAll(action.tabletIds());
            checkCells(rig, action);
            TabletDecision decision = rig.log.latest().getFirst();
            assertThat(decision.state()).as(when).isEqualTo(State.DONE);
            assertThat(decision.action()).as(when).isEqualTo(action.id().text());
        }

        private void checkCells(ActionRig rig, TabletAction action) {
            for (int index = 0; index < action.content().cellIds().size(); index++) {
                long tabletId = action.tabletIds().get(index);
                assertThat(rig.tablets())
                        .as(when)
                        .filteredOn(tablet -> tablet.tabletId() == tabletId)
                        .extracting(TabletInfo::cellId)
                        .containsExactly(action.content().cellIds().get(index));
            }
        }
    }
}
