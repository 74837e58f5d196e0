package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.catalog.RoundRows;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Balancer;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableOptions;
import io.cleave.schema.YtTable;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which policy decides about a table, and whose decisions are carried out.
class BalancerOfTableTest {
    private static final Partitioning SMALL = new Partitioning(true, 1, false, 1, 0);
    private static final TableOptions OPTIONS = TableOptions.DEFAULT.with(SMALL);
    private static final Index BY_V =
            new Index("by_v", Index.Kind.SYNC, List.of("v"), List.of(), Index.State.READY);

    /// A round in every iteration, three times a minute.
    private static final String OFTEN = "{schedule=\"1\";period=20000}";

    /// What YTsaurus' API has made, with this config.
    private static YtTable made(String config, MountState state) {
        SortedMap<String, Bytes> settings = new TreeMap<>();
        settings.put("tablet_balancer_config", BalancerRig.yson(config));
        return new YtTable(true, Map.of(), settings, MountStates.of(state));
    }

    private static void set(BalancerRig rig, Optional<Balancer> balancer) {
        rig.parts()
                .tree()
                .alterTable(BalancerRig.PATH, List.of(new TableChange.SetBalancer(balancer)));
    }

    private static void set(BalancerRig rig, String config) {
        YtTable yt = rig.table().options().yt().orElseThrow();
        SortedMap<String, Bytes> settings = new TreeMap<>(yt.settings());
        settings.put("tablet_balancer_config", BalancerRig.yson(config));
        rig.parts()
                .tree()
                .alterTable(
                        BalancerRig.PATH,
                        List.of(new TableChange.SetYt(yt.withSettings(settings))));
    }

    private static List<Rule> rules(List<TabletDecision> plan) {
        return plan.stream().map(entry -> entry.content().rule()).toList();
    }

    @Test
    void aTableWithTheBalancerYtIsReshardedByARound() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure("{schedule=\"1\"}");
                    YtTable yt = made("{desired_tablet_count=2}", MountState.MOUNTED);
                    rig.create(OPTIONS.with(yt).withBalancer(Optional.of(Balancer.YT)));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.balancer().decisions()).isEmpty();
                    TabletDecision planned = rig.plan().getFirst();
                    assertThat(planned.kind()).isEqualTo("RESHARD");
                    assertThat(planned.state()).isEqualTo(State.PLANNED);
                    assertThat(Long.parseLong(planned.keys().getFirst())).isBetween(400L, 600L);
                    assertThat(rig.tablets()).isEqualTo(1);
                    rig.pass(Duration.ofMinutes(2));
                    assertThat(rig.tablets()).isEqualTo(2);
                    TabletDecision done = rig.only(Rule.RESHARD_BY_SIZE, State.DONE);
                    assertThat(done.text()).isEqualTo(planned.text());
                    assertThat(ObjectId.parse(done.action()).flatMap(ObjectId::type))
                            .contains(ObjectType.TABLET_ACTION);
                    assertThat(rig.balancer().decisions()).containsExactly(done);
                    // It is balanced now.
                    rig.pass(Duration.ofMinutes(10));
                    assertThat(rig.balancer().decisions()).hasSize(1);
                });
    }

    @Test
    void aReshardMergesAndCutsAtOtherKeys() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure(OFTEN);
                    YtTable yt = made("{desired_tablet_count=3}", MountState.MOUNTED);
                    rig.create(OPTIONS.with(yt));
                    rig.write(0, 1000, "x".repeat(5000));
                    List<Bytes> keys =
                            List.of(BalancerRig.key(10), BalancerRig.key(20), BalancerRig.key(900));
                    rig.parts().resharding().split(BalancerRig.PATH, keys);
                    rig.pass(Duration.ofMinutes(2));
                    assertThat(rig.tablets()).isEqualTo(3);
                    for (TabletInfo tablet : rig.infos()) {
                        assertThat(tablet.rows()).isBetween(250L, 420L);
                    }
                    assertThat(rig.rules()).containsOnly(Rule.RESHARD_BY_SIZE);
                });
    }

    @Test
    void rowsThatAreNotFlushedCountForTheSizeOfFiles() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure(OFTEN);
                    String sizes =
                            "{min_tablet_size=60000;desired_tablet_size=200000;"
                                    + "max_tablet_size=600000}";
                    YtTable yt = made(sizes, MountState.MOUNTED);
                    SortedMap<String, Bytes> settings = new TreeMap<>(yt.settings());
                    settings.put("in_memory_mode", BalancerRig.yson("compressed"));
                    rig.create(OPTIONS.with(yt.withSettings(settings)));
                    rig.parts()
                            .resharding()
                            .split(
                                    BalancerRig.PATH,
                                    List.of(BalancerRig.key(100), BalancerRig.key(200)));
                    rig.write(0, 300, "x".repeat(2000));
                    assertThat(rig.fileBytes()).isZero();
                    rig.pass(Duration.ofMinutes(3));
                    assertThat(rig.fileBytes()).isZero();
                    assertThat(rig.tablets()).isEqualTo(3);
                    assertThat(rig.rules()).isEmpty();
                });
    }

    @Test
    void tabletsAreMovedByTheIterationAfterTheRound() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure("{schedule=\"1\"}");
                    rig.configureBundle("{enable_cell_balancer=%true}");
                    YtTable yt = made("{enable_auto_reshard=%false}", MountState.MOUNTED);
                    rig.create(OPTIONS.with(yt));
                    rig.parts().resharding().split(BalancerRig.PATH, List.of(BalancerRig.key(10)));
                    rig.pass(Duration.ofMinutes(3));
                    assertThat(rig.infos().stream().map(TabletInfo::cellId).distinct()).hasSize(1);
                    rig.pass(Duration.ofMinutes(2));
                    assertThat(rig.infos().stream().map(TabletInfo::cellId).distinct()).hasSize(2);
                    assertThat(rig.rules()).containsExactly(Rule.MOVE_BY_COUNT);
                });
    }

    @Test
    void onlyTheMountedTabletsOfATableAreResharded() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure(OFTEN);
                    Bytes middle = BalancerRig.key(500);
                    MountStates halves =
                            MountStates.MOUNTED.with(new KeyRange(middle, null), MountState.FROZEN);
                    YtTable yt = made("{desired_tablet_count=10}", MountState.MOUNTED);
                    rig.create(OPTIONS.with(yt));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.parts().resharding().split(BalancerRig.PATH, List.of(middle));
                    rig.setStates(halves);
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isBetween(5, 7);
                    assertThat(rig.infos().getLast().range().from()).isEqualTo(middle);
                });
    }

    /// The rounds are stored: the balancer that starts knows which minutes were tested.
    @Test
    void aRestartAndAClockThatJumpsLoseNoRound() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    // It is 22:13:20.
                    rig.configure("{schedule=\"minutes == 18\"}");
                    rig.create(OPTIONS.with(made("{desired_tablet_count=2}", MountState.MOUNTED)));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(4).plusSeconds(10));
                    rig.restartBalancer();
                    assertThat(rig.tablets()).isEqualTo(1);
                    rig.jumpWall(Duration.ofMinutes(5));
                    rig.pass(Duration.ofMinutes(2).plusSeconds(10));
                    assertThat(rig.tablets()).isEqualTo(2);
                    // The minute comes again, and is not tested again.
                    Map<RoundRows.Group, RoundRows.Round> stored = rig.catalog().rounds().all();
                    rig.jumpWall(Duration.ofMinutes(-10));
                    rig.restartBalancer();
                    set(rig, "{desired_tablet_count=1}");
                    rig.pass(Duration.ofMinutes(7));
                    assertThat(rig.tablets()).isEqualTo(2);
                    assertThat(rig.catalog().rounds().all().keySet()).isEqualTo(stored.keySet());
                });
    }

    @Test
    void missedRoundsAreNoted() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure("{schedule=\"minutes == 18\"}");
                    rig.create(OPTIONS.with(made("{desired_tablet_count=2}", MountState.MOUNTED)));
                    rig.pass(Duration.ofMinutes(3));
                    rig.jumpWall(Duration.ofMinutes(20));
                    rig.pass(Duration.ofMinutes(2));
                    TabletDecision note = rig.only(Rule.WARN_MISSED_ROUND, State.NOTED);
                    assertThat(note.text())
                            .contains("missed round")
                            .contains("the schedule was true at 2023-11-14T22:18");
                    assertThat(rig.decisions(77)).containsExactly(note);
                    assertThat(rig.balancer().bundleErrors().of("default"))
                            .singleElement()
                            .satisfies(
                                    error ->
                                            assertThat(error.text())
                                                    .startsWith("Rounds of group \"legacy\""));
                });
    }

    @Test
    void aMetricWithoutAValueIsAnErrorOfTheBundle() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure(OFTEN);
                    rig.configureBundle("{groups={g={parameterized={metric=\"x + 1\"}}}}");
                    rig.create(OPTIONS.with(made("{group=g}", MountState.MOUNTED)));
                    rig.pass(Duration.ofMinutes(3));
                    assertThat(rig.balancer().bundleErrors().of("default"))
                            .singleElement()
                            .satisfies(
                                    error ->
                                            assertThat(error.text())
                                                    .isEqualTo(
                                                            "group 'g': metric: Undefined"
                                                                    + " reference \"x\""));
                });
    }

    @Test
    void aClusterThatIsSwitchedOffBalancesNothing() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.configure("{enable=%false;schedule=\"1\";period=20000}");
                    rig.create(OPTIONS.with(made("{desired_tablet_count=2}", MountState.MOUNTED)));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(10));
                    assertThat(rig.tablets()).isEqualTo(1);
                    rig.configure(OFTEN);
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isEqualTo(2);
                });
    }

    @Test
    void aBalancerThatOnlyPlansNotesItsRounds() {
        BalancerRig.run(
                BalanceSettings.DEFAULT.withEnabled(false),
                rig -> {
                    rig.configure(OFTEN);
                    rig.create(OPTIONS.with(made("{desired_tablet_count=2}", MountState.MOUNTED)));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.only(Rule.RESHARD_BY_SIZE, State.PLANNED).kind())
                            .isEqualTo("RESHARD");
                });
    }

    /// YDB's policy cuts it at 1 MB.
    @Test
    void aTableWithTheBalancerYdbIsCutAlsoIfYtHasMadeIt() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    YtTable yt = made("{desired_tablet_count=2}", MountState.MOUNTED);
                    rig.create(OPTIONS.with(yt).withBalancer(Optional.of(Balancer.YT)));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isEqualTo(1);
                    set(rig, Optional.of(Balancer.YDB));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.tablets()).isBetween(5, 12);
                    assertThat(rules(rig.plan())).doesNotContain(Rule.RESHARD_BY_SIZE);
                    // From now on it has what its config says.
                    set(rig, Optional.of(Balancer.YT));
                    rig.write(1000, 2000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(20));
                    assertThat(rig.tablets()).isEqualTo(2);
                    assertThat(rig.rules()).containsOnly(Rule.SPLIT_BY_SIZE, Rule.RESHARD_BY_SIZE);
                });
    }

    @Test
    void aTableOfYtWhoseBalancerWasNotSetIsNotCutByYdbsRules() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.create(OPTIONS.with(made("{desired_tablet_count=1}", MountState.MOUNTED)));
                    assertThat(rig.table().balancer()).isEqualTo(Balancer.YT);
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(10));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.balancer().decisions()).isEmpty();
                    assertThat(rules(rig.plan()))
                            .containsOnly(Rule.RESHARD_BY_SIZE, Rule.MOVE_BY_COUNT);
                });
    }

    @Test
    void anIndexTableFollowsItsTable() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.create(OPTIONS, List.of(BY_V));
                    Table index =
                            rig.parts().tablets().table(Index.path(BalancerRig.PATH, BY_V.name()));
                    assertThat(rig.balancer().plans().of(index)).isEmpty();
                    set(rig, Optional.of(Balancer.YT));
                    assertThat(rules(rig.balancer().plans().of(index)))
                            .containsExactly(Rule.RESHARD_BY_SIZE, Rule.MOVE_BY_COUNT);
                    set(rig, Optional.empty());
                    assertThat(rig.balancer().plans().of(index)).isEmpty();
                });
    }

    @Test
    void thePlanKnowsWhatIsMounted() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    YtTable yt = made("{desired_tablet_count=2}", MountState.FROZEN);
                    rig.create(OPTIONS.with(yt).withBalancer(Optional.of(Balancer.YT)));
                    assertThat(rig.plan().getFirst().text())
                            .contains("frozen, and only mounted tablets are resharded");
                });
    }
}
