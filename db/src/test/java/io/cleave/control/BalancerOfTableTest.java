package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Balancer;
import io.cleave.schema.Index;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableOptions;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

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

    /// What YTsaurus' API has made, with this config.
    private static YtTable made(String config, MountState state) {
        SortedMap<String, Bytes> settings = new TreeMap<>();
        YsonNode node = YsonNode.parse(Bytes.utf8(config)).orElseThrow();
        settings.put("tablet_balancer_config", YsonWriter.write(node, YsonWriter.Format.BINARY));
        return new YtTable(true, Map.of(), settings, MountStates.of(state));
    }

    private static void set(BalancerRig rig, Optional<Balancer> balancer) {
        rig.parts()
                .tree()
                .alterTable(BalancerRig.PATH, List.of(new TableChange.SetBalancer(balancer)));
    }

    private static List<Rule> rules(List<TabletDecision> plan) {
        return plan.stream().map(entry -> entry.content().rule()).toList();
    }

    @Test
    void aTableWithTheBalancerYtIsOnlyPlannedFor() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    YtTable yt = made("{desired_tablet_count=2}", MountState.MOUNTED);
                    rig.create(OPTIONS.with(yt).withBalancer(Optional.of(Balancer.YT)));
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isEqualTo(1);
                    TabletDecision note = rig.only(Rule.WARN_ONLY_PLANNED, State.NOTED);
                    assertThat(rig.balancer().decisions()).containsExactly(note);
                    assertThat(note.text())
                            .contains("AUTO_PARTITIONING settings have no effect")
                            .contains("'./cleave plan'");
                    TabletDecision reshard = rig.plan().getFirst();
                    assertThat(reshard.kind()).isEqualTo("RESHARD");
                    assertThat(reshard.state()).isEqualTo(State.PLANNED);
                    assertThat(reshard.outcome()).startsWith("only planned");
                    assertThat(Long.parseLong(reshard.keys().getFirst())).isBetween(400L, 600L);
                    assertThat(rig.tablets()).isEqualTo(1);
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
                    // From now on no more.
                    set(rig, Optional.of(Balancer.YT));
                    int tablets = rig.tablets();
                    rig.write(1000, 2000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(1));
                    assertThat(rig.tablets()).isEqualTo(tablets);
                });
    }

    /// Until the decisions of YTsaurus' policy are carried out.
    @Test
    void aTableOfYtWhoseBalancerWasNotSetIsCutByYdbsRulesAndHasBothPlans() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.create(OPTIONS.with(made("{desired_tablet_count=1}", MountState.MOUNTED)));
                    assertThat(rig.table().balancer()).isEqualTo(Balancer.YT);
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.tablets()).isBetween(5, 12);
                    assertThat(rules(rig.plan())).contains(Rule.RESHARD_BY_SIZE);
                    rig.write(1000, 1200, "x".repeat(5000));
                    List<TabletDecision> plan = rig.plan();
                    assertThat(rules(plan)).contains(Rule.SPLIT_BY_SIZE, Rule.RESHARD_BY_SIZE);
                    for (TabletDecision entry : plan) {
                        boolean isCarriedOut = entry.content().rule() == Rule.SPLIT_BY_SIZE;
                        assertThat(entry.outcome().isEmpty())
                                .isEqualTo(isCarriedOut || entry.state() == State.NOTED);
                    }
                    // It ends with YDB's rules: nothing was merged in between.
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.rules()).containsOnly(Rule.SPLIT_BY_SIZE);
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
