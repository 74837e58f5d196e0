package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.PolicyPerTable;
import io.cleave.balance.Rule;
import io.cleave.balance.ydb.YdbPolicy;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.cluster.TabletBench;
import io.cleave.control.TabletDecision.State;
import io.cleave.control.action.TabletActions;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.value.Value;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/// The system view of the decisions: those in memory and those that are only stored.
class DecisionViewTest {
    private static final int DECISIONS = 1500;

    private final TabletBench bench = new TabletBench(1);
    private long startMicros;
    private SystemViews views;
    private Table view;

    @BeforeEach
    void decide() {
        bench.create(TabletBench.PATH);
        startMicros = bench.store.env().wallMicros();
        var rows = bench.store.catalog().decisions();
        var limits = DecisionLimits.keeping(BalanceSettings.DEFAULT.keepDecisions());
        var log = new DecisionLog(rows, limits, startMicros, Set.of());
        var split =
                new Split(
                        7,
                        List.of(TabletBench.key(50)),
                        Rule.SPLIT_BY_LOAD,
                        List.of(),
                        Optional.empty(),
                        List.of());
        for (int number = 1; number <= DECISIONS; number++) {
            log.add(
                    TabletDecision.of(
                            bench.table(), KeyRange.ALL, split, State.DONE, startMicros + number));
        }
        log.save(startMicros);
        var balancer =
                new TabletBalancer(
                        bench.store.tablets(),
                        bench.store.resharding(),
                        rows,
                        bench.store.catalog().rounds(),
                        new TabletActions(
                                bench.store.tablets(),
                                bench.store.resharding(),
                                bench.store.catalog().actions(),
                                bench.store.env()),
                        new PolicyPerTable(
                                new YdbPolicy(),
                                new YtPolicy(ReshardOptions.DEFAULT, new MetricExpressions())),
                        BalanceSettings.DEFAULT,
                        bench.store.env());
        assertThat(balancer.decisions()).hasSizeLessThan(DECISIONS);
        views =
                new SystemViews(
                        bench.store.tree(),
                        1,
                        List::of,
                        Optional.empty(),
                        Optional.of(balancer),
                        List.of());
        view = views.find("/local/.sys/partition_decisions").orElseThrow();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private List<Long> numbers(KeyRange range, Direction direction) {
        List<Long> numbers = new ArrayList<>();
        try (RowStream rows = views.scan(range, columns("Number"), direction)) {
            while (rows.next()) {
                numbers.add(((Value.Int) rows.row()[0]).value());
            }
        }
        return numbers;
    }

    private ReadColumns columns(String name) {
        return ReadColumns.of(view, new int[] {view.indexOf(name)});
    }

    private static List<Long> from(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void allDecisionsAreShown() {
        assertThat(numbers(KeyRange.ALL, Direction.FORWARD)).isEqualTo(from(1, DECISIONS));
        assertThat(numbers(KeyRange.ALL, Direction.BACKWARD))
                .isEqualTo(from(1, DECISIONS).reversed());
    }

    @Test
    void aRangeOfNumbersIsRead() {
        Bytes from = TabletBench.key(490);
        Bytes to = TabletBench.key(510);
        assertThat(numbers(new KeyRange(from, to), Direction.FORWARD)).isEqualTo(from(490, 509));
        assertThat(numbers(new KeyRange(from.successor(), to.successor()), Direction.BACKWARD))
                .isEqualTo(from(491, 510).reversed());
        assertThat(numbers(new KeyRange(TabletBench.key(DECISIONS), null), Direction.FORWARD))
                .containsExactly((long) DECISIONS);
        assertThat(numbers(new KeyRange(TabletBench.key(-1), null), Direction.FORWARD)).isEmpty();
        assertThat(numbers(new KeyRange(Bytes.EMPTY, TabletBench.key(2)), Direction.FORWARD))
                .containsExactly(1L);
    }

    @Test
    void aDecisionIsReadByItsNumber() {
        assertThat(views.get(TabletBench.key(3), columns("Number"))).containsExactly(Value.of(3));
        assertThat(views.get(TabletBench.key(DECISIONS + 1), columns("Number"))).isNull();
        assertThat(views.get(TabletBench.key(0), columns("Number"))).isNull();
    }

    @Test
    void everyRowSaysSinceWhenAllAreKnown() {
        Value[] row = views.get(TabletBench.key(3), columns("CompleteSince"));
        assertThat(Objects.requireNonNull(row)).containsExactly(Value.of(startMicros));
    }
}
