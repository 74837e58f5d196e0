package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision.End;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Opening;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.TabletBench;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.Helped;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Balancer;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Table;
import io.cleave.schema.TabletCounters;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Whether what was done has helped.
class VerdictsTest {
    private static final Optional<Opening> OPENS_LAST =
            Optional.of(new Opening(End.LAST, OptionalLong.of(2)));
    private static final Optional<Opening> OPENS_FIRST =
            Optional.of(new Opening(End.FIRST, OptionalLong.of(2)));
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private final TabletBench bench = new TabletBench(1);
    private DecisionLog log;
    private Verdicts verdicts;
    private Table table;

    /// Cut at 50.
    private List<TabletInfo> made;

    @BeforeEach
    void open() {
        bench.create(TabletBench.PATH, 50);
        table = bench.store.tablets().table(TabletBench.PATH);
        made = bench.store.tablets().infos(table);
        log =
                new DecisionLog(
                        bench.store.catalog().decisions(),
                        DecisionLimits.keeping(Duration.ofDays(7)),
                        NOW,
                        Set.of());
        verdicts = new Verdicts(log, BalanceSettings.DEFAULT);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private Bytes key(long number) {
        return KeyText.parse(table, Long.toString(number));
    }

    private static TabletState tablet(
            long tabletId, KeyRange range, double cores, double queue, long rows) {
        return new TabletState(
                tabletId,
                1,
                range,
                1 << 20,
                rows,
                cores,
                cores,
                cores,
                queue,
                queue,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                MountState.MOUNTED,
                TabletCounters.NONE);
    }

    private static ClusterState cluster(TableState state) {
        return new ClusterState(List.of(state), List.of(), List.of());
    }

    /// The first and the second piece.
    private TableState pieces(TabletState first, TabletState second) {
        return new TableState(table, "default", Balancer.YDB, List.of(first, second));
    }

    private TabletState first(double cores, double queue, long rows) {
        return tablet(1, made.getFirst().range(), cores, queue, rows);
    }

    private TabletState second(double cores, double queue, long rows) {
        return tablet(2, made.getLast().range(), cores, queue, rows);
    }

    private void split(Rule rule, Optional<Opening> opening, double cores, double queue) {
        TabletState parent = tablet(7, KeyRange.ALL, cores, queue, 100);
        var split = new Split(7, List.of(key(50)), rule, List.of(), opening, List.of());
        var state = new TableState(table, "default", Balancer.YDB, List.of(parent));
        var looked = new TableReview(cluster(state), state, List.of(split));
        long number = log.add(TabletDecision.of(table, KeyRange.ALL, split, State.RUNNING, NOW));
        log.done(number, 1, "tablets 1, 2");
        verdicts.expect(number, looked, split, made, NOW);
    }

    private Helped after(int seconds, TableState state) {
        verdicts.look(cluster(state), state, NOW + seconds * SECOND);
        return log.latest().getLast().helped();
    }

    private String verdict() {
        return log.latest().getLast().verdict();
    }

    @Test
    void aSplitByLoadIsJudgedByTheHottestPieceAfterTwoWindows() {
        split(Rule.SPLIT_BY_LOAD, Optional.empty(), 0.8, 0);
        assertThat(after(19, pieces(first(0.4, 0, 10), second(0.4, 0, 10))))
                .isEqualTo(Helped.NOT_KNOWN);
        assertThat(after(20, pieces(first(0.4, 0, 10), second(0.5, 0, 10)))).isEqualTo(Helped.YES);
        assertThat(verdict())
                .isEqualTo(
                        "the hottest of 2 tablets has 50.0 % of a core; before: 80.0 % of a core");
        split(Rule.SPLIT_BY_LOAD, Optional.empty(), 0.8, 0);
        assertThat(after(20, pieces(first(0.7, 0, 10), second(0.1, 0, 10)))).isEqualTo(Helped.NO);
    }

    @Test
    void aMoveIsJudgedByWhatIsLeftInTheCell() {
        TabletState first = first(0.8, 0, 10);
        TabletState second = second(0.6, 0, 10);
        TableState state = pieces(first, second);
        var move = new Move(2, 1, 2, Rule.MOVE_BY_LOAD, List.of());
        var review = new TableReview(cluster(state), state, List.of(move));
        long number = log.add(TabletDecision.of(table, KeyRange.ALL, move, State.RUNNING, NOW));
        log.done(number, 1, "tablet 2");
        verdicts.expect(number, review, move, made.subList(1, 2), NOW);
        assertThat(after(20, new TableState(table, "default", Balancer.YDB, List.of(first))))
                .isEqualTo(Helped.YES);
        assertThat(verdict())
                .isEqualTo(
                        "cell 1 has 80.0 % of a core and 1.0 MB; before: 140.0 % of a core and 2.0"
                                + " MB");
    }

    /// What waited before does more now.
    @Test
    void aSplitBySaturationIsJudgedByWhatWaits() {
        split(Rule.SPLIT_BY_SATURATION, Optional.empty(), 0.2, 5);
        assertThat(after(20, pieces(first(0.3, 1, 10), second(0.3, 0.5, 10))))
                .isEqualTo(Helped.YES);
        assertThat(verdict()).contains("at most 1.00 commits wait for one of 2 tablets");
        split(Rule.SPLIT_BY_SATURATION, Optional.empty(), 0.2, 5);
        assertThat(after(20, pieces(first(0.1, 4.5, 10), second(0.1, 0, 10)))).isEqualTo(Helped.NO);
    }

    @Test
    void aCutAheadIsJudgedOnceTheKeysShouldHaveComeThere() {
        split(Rule.SPLIT_AHEAD, OPENS_LAST, 0.6, 0);
        assertThat(after(129, pieces(first(0.6, 0, 100), second(0, 0, 0))))
                .isEqualTo(Helped.NOT_KNOWN);
        assertThat(verdict()).isEmpty();
        assertThat(after(130, pieces(first(0.5, 0, 100), second(0.1, 0, 7)))).isEqualTo(Helped.YES);
        assertThat(verdict()).startsWith("7 new rows are in the tablet that was opened");
    }

    @Test
    void ofKeysThatFallItIsTheFirstPiece() {
        split(Rule.SPLIT_AHEAD, OPENS_FIRST, 0.6, 0);
        assertThat(after(130, pieces(first(0.1, 0, 7), second(0.5, 0, 0)))).isEqualTo(Helped.YES);
    }

    @Test
    void aCutThatTheKeysDoNotComeToHasNotHelped() {
        split(Rule.SPLIT_AHEAD, OPENS_LAST, 0.6, 0);
        assertThat(after(130, pieces(first(0.6, 0, 900), second(0, 0, 0)))).isEqualTo(Helped.NO);
    }

    @Test
    void ifTheLoadHasGoneNobodyKnowsWhetherACutAheadWouldHaveHelped() {
        split(Rule.SPLIT_AHEAD, OPENS_LAST, 0.6, 0);
        assertThat(after(130, pieces(first(0.1, 0, 100), second(0, 0, 0))))
                .isEqualTo(Helped.NOT_KNOWN);
        assertThat(verdict()).startsWith("0 new rows are in the tablet that was opened");
    }

    @Test
    void norIfItsTabletsWereMerged() {
        split(Rule.SPLIT_AHEAD, OPENS_LAST, 0.6, 0);
        var merged =
                new TableState(
                        table,
                        "default",
                        Balancer.YDB,
                        List.of(tablet(3, KeyRange.ALL, 0.6, 0, 900)));
        assertThat(after(130, merged)).isEqualTo(Helped.NOT_KNOWN);
        assertThat(verdict()).contains("merged");
    }

    /// Rows that are there are written again in the order of their keys.
    @Test
    void loadThatHasComeToTheOpenedTabletIsEnough() {
        split(Rule.SPLIT_AHEAD, OPENS_LAST, 0.6, 0);
        assertThat(after(130, pieces(first(0, 0, 100), second(0.6, 0, 0)))).isEqualTo(Helped.YES);
    }
}
