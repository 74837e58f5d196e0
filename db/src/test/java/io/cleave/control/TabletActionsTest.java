package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.catalog.ActionRows;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.action.ActionDecisions;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletAction.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.YtTable;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Actions begin, are carried out and are forgotten; a user who changes their tablets wins.
class TabletActionsTest {
    private static final long SEED = Long.getLong("seed", 1);

    private final SimEnv env = new SimEnv(SEED);
    private final SimulatedDisk disk = new SimulatedDisk();

    /// What happens after an action was allowed to begin, and before its row is stored.
    private Runnable beforeSave = () -> {};

    /// What happens when an action ends, before the decision log knows of it.
    private Runnable beforeEnded = () -> {};

    private Optional<TabletAction> ended = Optional.empty();

    /// A table of four tablets.
    private void run(Consumer<ActionRig> test) {
        env.run(
                () -> {
                    try (var rig = new ActionRig(disk, env)) {
                        rig.store.createTable(ActionRig.TABLE, 4);
                        rig.actions.start(decisions(rig));
                        test.accept(rig);
                    }
                });
    }

    private ActionDecisions decisions(ActionRig rig) {
        return new ActionDecisions() {
            @Override
            public void save(ActionRows.Change change) {
                Runnable once = beforeSave;
                beforeSave = () -> {};
                once.run();
                rig.actionLog.save(change);
            }

            @Override
            public void ended(TabletAction action, long tookMicros, List<TabletInfo> tablets) {
                ended = Optional.of(action);
                beforeEnded.run();
                rig.actionLog.ended(action, tookMicros, tablets);
            }
        };
    }

    private static ActionRequest reshard(
            ActionRig rig, int from, int to, Keeping keeping, Bytes... keys) {
        return new ActionRequest(
                Kind.RESHARD,
                rig.table(),
                rig.tablets().subList(from, to).stream().map(TabletInfo::tabletId).toList(),
                List.of(),
                Arrays.asList(keys),
                OptionalInt.empty(),
                false,
                keeping,
                Origin.CLIENT);
    }

    private static ActionRequest move(ActionRig rig, int index) {
        TabletInfo tablet = rig.tablets().get(index);
        return ActionRequest.move(
                rig.table(),
                tablet.tabletId(),
                tablet.cellId() % ActionRig.CELLS + 1,
                Origin.CLIENT,
                Keeping.FOREVER);
    }

    private TabletAction carriedOut(ActionRig rig, ActionRequest request) {
        TabletAction begun = rig.actions.begin(request);
        rig.awaitRest(disk);
        return rig.actions.find(begun.id()).orElseThrow();
    }

    private void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aReshardThatIsCompletedHasTheNewTablets() {
        run(
                rig -> {
                    TabletAction action =
                            carriedOut(
                                    rig,
                                    reshard(
                                            rig,
                                            1,
                                            3,
                                            Keeping.FOREVER,
                                            ActionRig.key(0x10),
                                            ActionRig.key(0x18),
                                            ActionRig.key(0x28)));
                    assertThat(action.state()).isEqualTo(State.COMPLETED);
                    assertThat(rig.layout()).containsExactly("-", "10", "18", "28", "30");
                    assertThat(action.tabletIds())
                            .isEqualTo(
                                    rig.tablets().subList(1, 4).stream()
                                            .map(TabletInfo::tabletId)
                                            .toList());
                });
    }

    @Test
    void aMoveWithoutCellsChoosesTheEmptiest() {
        run(
                rig -> {
                    List<Long> all = rig.tablets().stream().map(TabletInfo::tabletId).toList();
                    for (long tabletId : all) {
                        var _ = rig.store.resharding().move(ActionRig.TABLE, tabletId, 1);
                    }
                    TabletAction action =
                            carriedOut(
                                    rig,
                                    new ActionRequest(
                                            Kind.MOVE,
                                            rig.table(),
                                            all.subList(0, 2),
                                            List.of(),
                                            List.of(),
                                            OptionalInt.empty(),
                                            true,
                                            Keeping.FOREVER,
                                            Origin.CLIENT));
                    assertThat(action.state()).isEqualTo(State.COMPLETED);
                    assertThat(rig.tablets())
                            .extracting(TabletInfo::cellId)
                            .containsExactly(2L, 3L, 1L, 1L);
                });
    }

    @Test
    void aTabletIsInOneUnfinishedActionAtMost() {
        run(
                rig -> {
                    long tabletId = rig.tablets().get(1).tabletId();
                    beforeSave =
                            () -> {
                                TabletAction first = rig.actions.unfinished().getFirst();
                                assertThatThrownBy(() -> rig.actions.begin(move(rig, 1)))
                                        .hasMessageContaining("already participating in action")
                                        .hasMessageContaining(first.id().text());
                                assertThat(rig.actions.begin(move(rig, 3)).isFinished()).isFalse();
                                KeyRange range = rig.tablets().get(1).range();
                                assertThat(rig.actions.holder(rig.table().id(), tabletId, range))
                                        .contains(first);
                            };
                    TabletAction action =
                            carriedOut(rig, reshard(rig, 0, 3, Keeping.FOREVER, Bytes.EMPTY));
                    assertThat(action.state()).isEqualTo(State.COMPLETED);
                    assertThat(rig.actions.unfinished()).isEmpty();
                    assertThat(rig.actions.list()).hasSize(2);
                });
    }

    /// What the user does before the first step of a move; the action then fails with this error.
    private void userWins(Consumer<ActionRig> user, String error) {
        run(
                rig -> {
                    long cellId = rig.tablets().get(1).cellId();
                    beforeSave = () -> user.accept(rig);
                    TabletAction action = carriedOut(rig, move(rig, 1));
                    assertThat(action.state()).isEqualTo(State.FAILED);
                    assertThat(action.error()).isEqualTo(error);
                    if (rig.store.hasTable(ActionRig.TABLE) && rig.tablets().size() == 4) {
                        assertThat(rig.tablets().get(1).cellId()).isEqualTo(cellId);
                    }
                });
    }

    private static void become(ActionRig rig, MountState state) {
        KeyRange range = rig.tablets().get(1).range();
        rig.store
                .tablets()
                .states()
                .change(
                        ActionRig.TABLE,
                        (table, _) ->
                                table.options()
                                        .yt()
                                        .map(YtTable::states)
                                        .orElse(MountStates.MOUNTED)
                                        .with(range, state));
    }

    @Test
    void aUserWhoUnmountsWins() {
        userWins(
                rig -> become(rig, MountState.UNMOUNTING),
                "User request \"unmount_table\" interfered with the action");
    }

    @Test
    void aUserWhoFreezesWins() {
        userWins(
                rig -> become(rig, MountState.FREEZING),
                "User request \"freeze_table\" interfered with the action");
    }

    @Test
    void aUserWhoReshardsWins() {
        userWins(
                rig -> {
                    var _ =
                            rig.store
                                    .resharding()
                                    .split(ActionRig.TABLE, List.of(ActionRig.key(0x18)));
                },
                "User request \"reshard_table\" interfered with the action");
    }

    @Test
    void aUserWhoRemovesTheTableWins() {
        run(
                rig -> {
                    beforeSave = () -> rig.store.dropTable(ActionRig.TABLE);
                    TabletAction action = carriedOut(rig, move(rig, 1));
                    assertThat(action.state()).isEqualTo(State.FAILED);
                    assertThat(action.error()).endsWith("was removed");
                });
    }

    @Test
    void aCellThatIsTakenAwayFailsTheMove() {
        run(
                rig -> {
                    beforeSave =
                            () -> rig.store.resharding().putBundle("other", List.of(other(rig)));
                    // The cell must be empty to leave its bundle.
                    rig.tablets()
                            .forEach(
                                    tablet -> {
                                        var _ =
                                                rig.store
                                                        .resharding()
                                                        .move(
                                                                ActionRig.TABLE,
                                                                tablet.tabletId(),
                                                                1);
                                    });
                    TabletAction action = carriedOut(rig, move(rig, 1));
                    assertThat(action.state()).isEqualTo(State.FAILED);
                    assertThat(action.error()).contains("cell 2 is not in the bundle 'default'");
                });
    }

    @Test
    void aMoveWaitsUntilACellRuns() {
        run(
                rig -> {
                    var cells = rig.store.tablets().cellLifecycle();
                    List.copyOf(rig.store.tablets().held().view().cells().keySet())
                            .forEach(cells::remove);
                    TabletAction action =
                            rig.actions.begin(
                                    new ActionRequest(
                                            Kind.MOVE,
                                            rig.table(),
                                            List.of(rig.tablets().getFirst().tabletId()),
                                            List.of(),
                                            List.of(),
                                            OptionalInt.empty(),
                                            true,
                                            Keeping.FOREVER,
                                            Origin.CLIENT));
                    // Longer than between two looks at the cells of bundles.
                    pass(Duration.ofSeconds(10));
                    assertThat(rig.actions.find(action.id()).orElseThrow().state())
                            .isEqualTo(State.ORPHANED);
                    long cellId = cells.create("default");
                    pass(Duration.ofSeconds(10));
                    assertThat(rig.actions.find(action.id()).orElseThrow().state())
                            .isEqualTo(State.COMPLETED);
                    assertThat(rig.tablets().getFirst().cellId()).isEqualTo(cellId);
                });
    }

    private static long other(ActionRig rig) {
        return rig.tablets().get(1).cellId() % ActionRig.CELLS + 1;
    }

    @Test
    void frozenTabletsStayFrozen() {
        run(
                rig -> {
                    become(rig, MountState.FREEZING);
                    TabletAction action = carriedOut(rig, move(rig, 1));
                    assertThat(action.state()).isEqualTo(State.COMPLETED);
                    assertThat(action.content().mounted()).isEqualTo(MountState.FROZEN);
                });
    }

    @Test
    void finishedActionsAreForgottenInTime() {
        run(
                rig -> {
                    long until = env.wallMicros() + 5_000_000;
                    List<Keeping> said =
                            List.of(
                                    Keeping.of(
                                            Optional.empty(),
                                            OptionalLong.of(until),
                                            OptionalLong.empty()),
                                    Keeping.of(
                                            Optional.empty(),
                                            OptionalLong.empty(),
                                            OptionalLong.of(5_000_000)),
                                    Keeping.of(
                                            Optional.of(false),
                                            OptionalLong.empty(),
                                            OptionalLong.empty()),
                                    Keeping.FOREVER);
                    for (Keeping keeping : said) {
                        var _ = carriedOut(rig, reshard(rig, 0, 1, keeping, Bytes.EMPTY));
                    }
                    assertThat(rig.actions.list()).hasSize(4);
                    pass(Duration.ofSeconds(10));
                    assertThat(rig.actions.list()).hasSize(2);
                    pass(Duration.ofSeconds(70));
                    assertThat(rig.actions.list())
                            .extracting(action -> action.content().keeping())
                            .containsExactly(Keeping.FOREVER);
                    rig.actions.remove(rig.actions.list().getFirst().id());
                    assertThat(rig.actions.list()).isEmpty();
                });
        env.run(
                () -> {
                    try (var rig = new ActionRig(disk, env)) {
                        assertThat(rig.actions.list()).isEmpty();
                    }
                });
    }

    @Test
    void anActionIsKeptInOneWayOnly() {
        assertThatThrownBy(
                        () ->
                                Keeping.of(
                                        Optional.of(true),
                                        OptionalLong.empty(),
                                        OptionalLong.of(1)))
                .hasMessageContaining(
                        "At most one of \"keep_finished\", \"expiration_time\","
                                + " \"expiration_timeout\" can be specified");
    }

    @Test
    void anUnfinishedActionCannotBeRemoved() {
        run(
                rig -> {
                    beforeSave =
                            () -> {
                                TabletAction action = rig.actions.unfinished().getFirst();
                                assertThatThrownBy(() -> rig.actions.remove(action.id()))
                                        .isInstanceOf(StatusException.class)
                                        .hasMessageContaining("is in state \"preparing\"");
                            };
                    assertThat(carriedOut(rig, move(rig, 0)).isFinished()).isTrue();
                });
    }

    @Test
    void anActionThatCannotBeStoredDoesNotBegin() {
        run(
                rig -> {
                    List<String> layout = rig.layout();
                    beforeSave =
                            () -> {
                                throw new IllegalStateException("the catalog takes no writes");
                            };
                    assertThatThrownBy(
                                    () ->
                                            rig.actions.begin(
                                                    reshard(
                                                            rig,
                                                            0,
                                                            4,
                                                            Keeping.FOREVER,
                                                            Bytes.EMPTY)))
                            .hasMessageContaining("takes no writes");
                    assertThat(rig.actions.list()).isEmpty();
                    assertThat(ended.orElseThrow().state()).isEqualTo(State.FAILED);
                    assertThat(rig.layout()).isEqualTo(layout);
                });
    }

    private static void fail() {
        throw new IllegalStateException("a planted bug");
    }

    @Test
    void anActionEndsAlthoughItsEndCannotBeStoredAtOnce() {
        run(
                rig -> {
                    beforeSave = () -> beforeSave = TabletActionsTest::fail;
                    TabletAction action =
                            carriedOut(rig, reshard(rig, 0, 4, Keeping.FOREVER, Bytes.EMPTY));
                    assertThat(action.state()).isEqualTo(State.COMPLETED);
                    assertThat(rig.actions.unfinished("default")).isEmpty();
                });
    }

    @Test
    void anActionEndsAlthoughItsDecisionCannotBeEnded() {
        run(
                rig -> {
                    beforeEnded = TabletActionsTest::fail;
                    TabletAction action =
                            carriedOut(rig, reshard(rig, 0, 4, Keeping.FOREVER, Bytes.EMPTY));
                    assertThat(action.state()).isEqualTo(State.COMPLETED);
                    assertThat(rig.actions.unfinished("default")).isEmpty();
                });
    }

    @Test
    void actionsGoOnAfterOneCouldNotBeForgotten() {
        run(
                rig -> {
                    var _ = carriedOut(rig, reshard(rig, 0, 2, Keeping.SHORT, Bytes.EMPTY));
                    beforeSave = TabletActionsTest::fail;
                    pass(Duration.ofSeconds(70));
                    assertThat(rig.actions.list()).isEmpty();
                    assertThat(carriedOut(rig, move(rig, 0)).state()).isEqualTo(State.COMPLETED);
                });
    }

    @Test
    void theNextStartGoesOnWithWhatWasNotBegun() {
        run(
                rig -> {
                    beforeSave = () -> env.spawn("close", rig.actions::close);
                    var _ = rig.actions.begin(reshard(rig, 0, 4, Keeping.FOREVER, Bytes.EMPTY));
                });
        env.run(
                () -> {
                    try (var rig = new ActionRig(disk, env)) {
                        assertThat(rig.actions.list()).hasSize(1);
                        rig.actions.start(rig.actionLog);
                        rig.awaitRest(disk);
                        assertThat(rig.actions.list().getFirst().state())
                                .isEqualTo(State.COMPLETED);
                        assertThat(rig.layout()).containsExactly("-");
                    }
                });
    }
}
