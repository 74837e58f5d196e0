package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Rule;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.CellLifecycle;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.Helped;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Partitioning;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Tables split and merge by themselves, in time that is simulated.
class TabletBalancerTest {
    private static final Partitioning BY_LOAD = new Partitioning(true, 2048, true, 1, 0);
    private static final Partitioning SMALL = new Partitioning(true, 1, false, 1, 0);
    private static final BalanceSettings DEFAULT = BalanceSettings.DEFAULT;

    /// Little load is much.
    private static final BalanceSettings NERVOUS = DEFAULT.withSplitCores(0.05);

    private static final int ROWS = 30;

    @Test
    void aHotTabletIsCutWithinFifteenSecondsAndItHelps() {
        BalancerRig.run(
                NERVOUS,
                rig -> {
                    rig.create(BY_LOAD);
                    rig.write(0, 1000, "x");
                    rig.pass(Duration.ofSeconds(20));
                    assertThat(rig.tablets()).isEqualTo(1);
                    rig.readFor(Duration.ofSeconds(15), ROWS, random -> random.nextInt(1000));
                    assertThat(rig.tablets()).isGreaterThan(1);
                    TabletDecision cut = rig.only(Rule.SPLIT_BY_LOAD, State.DONE);
                    assertThat(cut.text()).contains("CPU time").contains("threshold 5.0 %");
                    assertThat(cut.outcome()).startsWith("tablets ");
                    assertThat(cut.helped()).isEqualTo(Helped.NOT_KNOWN);
                    rig.readFor(Duration.ofSeconds(25), ROWS, random -> random.nextInt(1000));
                    cut = rig.only(Rule.SPLIT_BY_LOAD, State.DONE);
                    assertThat(cut.helped()).isEqualTo(Helped.YES);
                    assertThat(cut.verdict()).contains("the hottest of");
                });
    }

    /// Also tablets of a table that nobody else would move. Every move has its reason in the log.
    @Test
    void aCellThatIsBeingRemovedIsEmptiedAndGone() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 1000, "x");
                    rig.parts().resharding().split(BalancerRig.PATH, List.of(BalancerRig.key(500)));
                    var lifecycle = rig.parts().tablets().cellLifecycle();
                    lifecycle.remove(1);
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.catalog().view().cells().keySet()).containsExactly(2L);
                    assertThat(rig.parts().tablets().infos(rig.table()))
                            .isNotEmpty()
                            .allSatisfy(tablet -> assertThat(tablet.cellId()).isEqualTo(2));
                    assertThat(rig.balancer().decisions())
                            .filteredOn(each -> each.rule().equals(Rule.MOVE_OUT.text()))
                            .isNotEmpty()
                            .allSatisfy(
                                    move -> {
                                        assertThat(move.state()).isEqualTo(State.DONE);
                                        assertThat(move.text())
                                                .contains("from cell 1 to cell 2")
                                                .contains("cell that is being removed");
                                    });
                });
    }

    /// Nobody looks for another cell, and the log says why the tablet is still there.
    @Test
    void theLastCellOfABundleWaitsForAnother() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 10, "x");
                    var lifecycle = rig.parts().tablets().cellLifecycle();
                    lifecycle.remove(1);
                    lifecycle.remove(2);
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.catalog().view().cells()).hasSize(1);
                    assertThat(rig.only(Rule.MOVE_OUT, State.NOTED).text())
                            .contains("the bundle 'default' has no running cell");
                    long cell = lifecycle.create("default");
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.catalog().view().cells().keySet()).containsExactly(cell);
                    rig.write(0, 10, "y");
                });
    }

    /// The tree takes 2 µs of the 300 that a request costs.
    @Test
    void whatRequestsCostOutsideOfATabletIsItsLoadToo() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(BY_LOAD);
                    rig.write(0, 1000, "x");
                    rig.serveAt(300_000);
                    rig.pass(Duration.ofSeconds(20));
                    rig.readFor(Duration.ofSeconds(15), 2, random -> random.nextInt(1000));
                    assertThat(rig.tablets()).isGreaterThan(1);
                    TabletDecision cut = rig.only(Rule.SPLIT_BY_LOAD, State.DONE);
                    assertThat(cut.text()).contains("(threshold 50.0 % of a core)");
                    assertThat(cut.keys())
                            .allSatisfy(
                                    key -> assertThat(Long.parseLong(key)).isBetween(300L, 700L));
                });
    }

    @Test
    void aHotKeyIsNamedAndNotCut() {
        BalancerRig.run(
                NERVOUS,
                rig -> {
                    rig.create(BY_LOAD);
                    rig.write(0, 1000, "x");
                    rig.readFor(
                            Duration.ofSeconds(20),
                            ROWS,
                            random -> random.nextInt(10) > 0 ? 77 : random.nextInt(1000));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.only(Rule.WARN_HOT_KEY, State.NOTED).keys())
                            .containsExactly("77");
                    assertThat(rig.decisions(77)).isNotEmpty();
                    assertThat(rig.only(Rule.SPLIT_BY_LOAD, State.NOTED).text())
                            .contains("a split cannot divide the load of a single key");
                });
    }

    /// All of them begin at the same key, and none of it is that key's load.
    @Test
    void scansOfAllRowsAreCutInTheirMiddle() {
        BalancerRig.run(
                DEFAULT.withSplitCores(0.001),
                rig -> {
                    rig.create(BY_LOAD);
                    rig.write(0, 6000, "x");
                    rig.pass(Duration.ofSeconds(20));
                    assertThat(rig.scanFor(Duration.ofSeconds(15))).isEqualTo(1500 * 6000);
                    assertThat(rig.rules()).doesNotContain(Rule.WARN_HOT_KEY);
                    TabletDecision cut = rig.only(Rule.SPLIT_BY_LOAD, State.DONE);
                    assertThat(cut.keys())
                            .allSatisfy(
                                    key -> assertThat(Long.parseLong(key)).isBetween(1000L, 5000L));
                    assertThat(rig.infos())
                            .allSatisfy(tablet -> assertThat(tablet.rows()).isGreaterThan(900));
                });
    }

    @Test
    void growingKeysAreCutAheadAndTheNextTabletIsInAnotherCell() {
        BalancerRig.run(
                DEFAULT.withSplitCores(0.0001),
                rig -> {
                    rig.create(BY_LOAD);
                    rig.appendFor(Duration.ofSeconds(15), 70);
                    assertThat(rig.tablets()).isEqualTo(2);
                    TabletDecision cut = rig.only(Rule.SPLIT_AHEAD, State.DONE);
                    assertThat(Long.parseLong(cut.keys().getFirst())).isGreaterThan(rig.lastKey());
                    List<TabletInfo> tablets = rig.infos();
                    assertThat(tablets.getLast().rows()).isZero();
                    assertThat(tablets.getLast().cellId())
                            .isNotEqualTo(tablets.getFirst().cellId());
                    assertThat(rig.rules()).contains(Rule.WARN_GROWING_KEY);
                });
    }

    /// The keys come to where it was cut only when the horizon has passed.
    @Test
    void aCutAheadHelpsIfTheKeysComeToIt() {
        BalancerRig.run(
                DEFAULT.withSplitCores(0.0001)
                        .withTimes(
                                Duration.ofSeconds(10),
                                DEFAULT.mergeWindow(),
                                DEFAULT.mergeAge(),
                                Duration.ofSeconds(20)),
                rig -> {
                    rig.create(BY_LOAD);
                    rig.appendFor(Duration.ofSeconds(32), 50);
                    TabletDecision cut = firstAhead(rig);
                    assertThat(cut.helped()).isEqualTo(Helped.NOT_KNOWN);
                    assertThat(cut.verdict()).isEmpty();
                    rig.appendFor(Duration.ofSeconds(15), 50);
                    cut = firstAhead(rig);
                    assertThat(cut.verdict()).contains("new rows are in the tablet that was");
                    assertThat(cut.helped()).isEqualTo(Helped.YES);
                });
    }

    private static TabletDecision firstAhead(BalancerRig rig) {
        return rig.balancer().decisions().stream()
                .filter(entry -> entry.content().rule() == Rule.SPLIT_AHEAD)
                .filter(entry -> entry.state() == State.DONE)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCutIsDoneAlsoIfItsPieceCannotBeMoved() {
        BalancerRig.run(
                DEFAULT.withSplitCores(0.0001),
                rig -> {
                    rig.create(BY_LOAD);
                    rig.plantBug("attach of a move");
                    rig.appendFor(Duration.ofSeconds(15), 70);
                    assertThat(rig.tablets()).isEqualTo(2);
                    TabletDecision cut = rig.only(Rule.SPLIT_AHEAD, State.DONE);
                    assertThat(cut.outcome())
                            .startsWith("tablets ")
                            .contains("could not be moved")
                            .contains("a planted bug");
                    rig.removeBug();
                    rig.pass(DEFAULT.tailHorizon().plusSeconds(15));
                    assertThat(rig.only(Rule.SPLIT_AHEAD, State.DONE).verdict()).isNotEmpty();
                });
    }

    @Test
    void whatFailsIsTriedAgainLaterAndLaterAndIsOneEntry() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(Partitioning.DEFAULT);
                    rig.write(0, 100, "x");
                    rig.parts().resharding().split(BalancerRig.PATH, List.of(BalancerRig.key(50)));
                    TabletInfo last = rig.infos().getLast();
                    rig.parts()
                            .resharding()
                            .move(BalancerRig.PATH, last.tabletId(), 3 - last.cellId());
                    rig.plantBug("attach of a move");
                    rig.pass(Duration.ofSeconds(595));
                    assertThat(rig.rules()).isEmpty();
                    // Again after 1, 2, 4, 8, 16, 32 and 60 seconds.
                    rig.pass(Duration.ofSeconds(150));
                    TabletDecision failed = rig.only(Rule.MERGE_BY_SIZE, State.FAILED);
                    assertThat(failed.outcome()).contains("a planted bug").endsWith("(8 times)");
                    assertThat(failed.lastMicros() - failed.micros())
                            .isBetween(120_000_000L, 140_000_000L);
                    assertThat(rig.balancer().decisions()).hasSize(1);
                    rig.removeBug();
                    rig.pass(Duration.ofSeconds(61));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.only(Rule.MERGE_BY_SIZE, State.DONE).number())
                            .isEqualTo(failed.number());
                });
    }

    @Test
    void whereLocksWereBrokenIsKnownAMinuteLater() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(Partitioning.DEFAULT);
                    rig.write(0, 100, "x");
                    for (int count = 0; count < 3; count++) {
                        rig.breakLock(count);
                        rig.pass(Duration.ofSeconds(2));
                    }
                    // Whoever asks for a plan takes nothing away.
                    assertThat(rig.plan()).isEmpty();
                    rig.pass(Duration.ofSeconds(62));
                    TopTablets tops = rig.balancer().tops();
                    assertThat(tops.byMinute()).isEmpty();
                    assertThat(tops.brokenByMinute())
                            .extracting(top -> top.tablet().locks().broken())
                            .satisfies(
                                    broken ->
                                            assertThat(
                                                            broken.stream()
                                                                    .mapToLong(Long::longValue)
                                                                    .sum())
                                                    .isEqualTo(3));
                    assertThat(tops.brokenByMinute())
                            .allSatisfy(
                                    top -> {
                                        assertThat(top.rank()).isEqualTo(1);
                                        assertThat(top.tablet().path()).isEqualTo(BalancerRig.PATH);
                                        assertThat(top.tablet().rows()).isEqualTo(100);
                                    });
                });
    }

    @Test
    void aLargeTabletIsCutBySizeAndMergedWhenItsRowsAreGone() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.tablets()).isBetween(5, 12);
                    assertThat(rig.infos())
                            .allSatisfy(t -> assertThat(t.bytes()).isLessThan(1 << 20));
                    rig.pass(Duration.ofMinutes(9));
                    rig.erase(0, 1000);
                    rig.parts().tablets().compact(BalancerRig.PATH);
                    assertThat(rig.tablets()).isGreaterThan(4);
                    rig.pass(Duration.ofMinutes(2));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.rules()).contains(Rule.MERGE_BY_SIZE);
                });
    }

    @Test
    void aGrownTableIsSpreadOverTheCells() {
        BalancerRig.run(
                DEFAULT.withCells(1, 2 << 20),
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(9));
                    assertThat(rig.infos()).extracting(TabletInfo::cellId).containsOnly(1L);
                    rig.pass(Duration.ofMinutes(2));
                    long inFirst = rig.infos().stream().filter(t -> t.cellId() == 1).count();
                    assertThat(inFirst * 1.0 / rig.tablets()).isBetween(0.35, 0.65);
                    assertThat(rig.balancer().decisions())
                            .filteredOn(entry -> entry.content().rule() == Rule.MOVE_BY_SIZE)
                            .isNotEmpty()
                            .allSatisfy(
                                    entry -> {
                                        assertThat(entry.state()).isEqualTo(State.DONE);
                                        assertThat(entry.helped()).isEqualTo(Helped.YES);
                                        assertThat(entry.text()).contains("from cell 1 to cell 2");
                                    });
                    // Then it rests.
                    int decided = rig.balancer().decisions().size();
                    rig.pass(Duration.ofMinutes(5));
                    assertThat(rig.balancer().decisions()).hasSize(decided);
                });
    }

    @Test
    void aSmallTableStaysInItsCell() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 1000, "x".repeat(5000));
                    rig.pass(Duration.ofMinutes(3));
                    assertThat(rig.tablets()).isGreaterThan(4);
                    assertThat(rig.infos()).extracting(TabletInfo::cellId).containsOnly(1L);
                });
    }

    @Test
    void whatAnOperatorHasCutStaysForTenMinutes() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(Partitioning.DEFAULT);
                    rig.write(0, 100, "x");
                    rig.parts().resharding().split(BalancerRig.PATH, List.of(BalancerRig.key(50)));
                    rig.pass(Duration.ofSeconds(595));
                    assertThat(rig.tablets()).isEqualTo(2);
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.tablets()).isEqualTo(1);
                });
    }

    @Test
    void itGoesOnWhateverAStepDiesOf() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    rig.plantBug("catalog");
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(3));
                    assertThat(rig.balancer().decisions())
                            .anySatisfy(
                                    entry -> {
                                        assertThat(entry.state()).isEqualTo(State.FAILED);
                                        assertThat(entry.outcome()).contains("a planted bug");
                                    });
                    rig.removeBug();
                    rig.write(400, 1200, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.balancer().decisions())
                            .anySatisfy(entry -> assertThat(entry.state()).isEqualTo(State.DONE));
                    assertThat(rig.infos())
                            .allSatisfy(t -> assertThat(t.bytes()).isLessThan(1 << 20));
                });
    }

    @Test
    void itGoesOnWhileACellCannotBeRemoved() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    CellLifecycle cells = rig.parts().tablets().cellLifecycle();
                    long cellId = cells.create(Bundles.DEFAULT);
                    rig.plantBug("removing a log");
                    cells.remove(cellId);
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.tablets()).isGreaterThan(1);
                    assertThat(rig.catalog().view().cells()).containsKey(cellId);
                    rig.removeBug();
                    rig.pass(Duration.ofSeconds(3));
                    assertThat(rig.catalog().view().cells()).doesNotContainKey(cellId);
                });
    }

    @Test
    void itGoesOnWhileNothingCanBeSaved() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(SMALL);
                    rig.troubleSaving(
                            () -> {
                                throw new IllegalStateException("a planted bug");
                            });
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.balancer().decisions())
                            .isNotEmpty()
                            .allSatisfy(entry -> assertThat(entry.state()).isEqualTo(State.DONE));
                    assertThat(TroubledRows.numbers(rig.catalog().decisions())).isEmpty();
                    rig.troubleSaving(() -> {});
                    rig.pass(Duration.ofSeconds(3));
                    assertThat(TroubledRows.numbers(rig.catalog().decisions()))
                            .hasSize(rig.balancer().decisions().size());
                });
    }

    @Test
    void oldDecisionsAreErased() {
        BalancerRig.run(
                DEFAULT.withKeepDecisions(Duration.ofMinutes(3)),
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    List<TabletDecision> made = rig.balancer().decisions();
                    List<Long> numbers = made.stream().map(TabletDecision::number).toList();
                    assertThat(numbers).isNotEmpty();
                    rig.pass(Duration.ofMinutes(2));
                    assertThat(rig.balancer().decisions())
                            .extracting(TabletDecision::number)
                            .containsAll(numbers);
                    assertThat(rig.balancer().decisionsSinceMicros())
                            .isLessThanOrEqualTo(made.getFirst().micros());
                    rig.pass(Duration.ofMinutes(2));
                    assertThat(rig.balancer().decisions())
                            .extracting(TabletDecision::number)
                            .doesNotContainAnyElementsOf(numbers);
                    assertThat(TroubledRows.numbers(rig.catalog().decisions()))
                            .doesNotContainAnyElementsOf(numbers);
                    assertThat(rig.balancer().decisionsSinceMicros())
                            .isEqualTo(made.getLast().micros() + 1);
                });
    }

    @Test
    void tablesAreLookedAtAsOftenWhereSavingTakesLong() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(new Partitioning(true, 1, false, 1, 1));
                    rig.troubleSaving(() -> rig.pass(Duration.ofMillis(500)));
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(6));
                    TabletDecision said = rig.only(Rule.WARN_MAXIMUM, State.NOTED);
                    assertThat(said.lastMicros() - said.micros()).isGreaterThan(2_000_000);
                });
    }

    @Test
    void whereItIsOffItIsOnlySaid() {
        BalancerRig.run(
                DEFAULT.withEnabled(false),
                rig -> {
                    rig.create(SMALL);
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(rig.only(Rule.SPLIT_BY_SIZE, State.PLANNED).text())
                            .startsWith("split tablet");
                    assertThat(rig.plan()).anySatisfy(p -> assertThat(p.kind()).isEqualTo("SPLIT"));
                });
    }

    @Test
    void aPlanSaysWhatIsLeftAloneAndWhy() {
        BalancerRig.run(
                DEFAULT,
                rig -> {
                    rig.create(new Partitioning(true, 1, false, 1, 1));
                    rig.write(0, 400, "x".repeat(5000));
                    rig.pass(Duration.ofSeconds(3));
                    assertThat(rig.plan())
                            .anySatisfy(
                                    p -> assertThat(p.text()).contains("no more than 1 tablets"));
                    assertThat(rig.only(Rule.WARN_MAXIMUM, State.NOTED).lastMicros())
                            .isGreaterThan(rig.only(Rule.WARN_MAXIMUM, State.NOTED).micros());
                });
    }

    @Test
    void aRunRepeatsFromItsSeed() {
        assertThat(digest()).isEqualTo(digest());
    }

    private static long digest() {
        return BalancerRig.run(
                NERVOUS,
                rig -> {
                    rig.create(BY_LOAD);
                    rig.write(0, 1000, "x");
                    rig.readFor(Duration.ofSeconds(15), ROWS, random -> random.nextInt(1000));
                    assertThat(rig.tablets()).isGreaterThan(1);
                    DecisionAnswer known = rig.balancer().decisions(rig.table(), Optional.empty());
                    assertThat(known.entries()).isNotEmpty();
                });
    }
}
