package io.cleave.console;

import io.cleave.access.Caller;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/// Remembers what was asked for, and answers with two tablets; or refuses everything.
final class AskedFor implements Operations, OperatorAccess {
    @Override
    public Operations as(Caller caller) {
        return this;
    }

    private static final String BOUND = "'it\\'s',5";
    private static final TabletRow FIRST =
            new TabletRow(1000, 1, 3, null, BOUND, 7, 123_456_789_012L, 0.5, 0, 3700);
    private static final TabletRow SECOND =
            new TabletRow(1001, 2, 1, BOUND, null, 0, 0, 12, 1000, 9);

    private static final DecisionRow CUT =
            new DecisionRow(
                    1_000_000,
                    1_000_000,
                    "SPLIT",
                    "split by size",
                    List.of(1000L),
                    "split tablet 1000 in 2 at (7): size 200.0 MB (threshold 100.0 MB)",
                    List.of(new FigureRow("size", 200 << 20, 100 << 20, "BYTES")),
                    List.of("7"),
                    List.of("no key has 50 %"),
                    "DONE",
                    12_345,
                    "tablets 1001, 1002",
                    "YES",
                    "the largest of 2 tablets has 100.0 MB; before: 200.0 MB",
                    "0-3e9-102c7-1");

    private static final DecisionRow LEFT =
            new DecisionRow(
                    2_000_000,
                    9_000_000,
                    "LEAVE",
                    "split by load",
                    List.of(1001L),
                    "leave tablet 1001: AUTO_PARTITIONING_BY_LOAD is DISABLED",
                    List.of(new FigureRow("load before the cut", 0.5, Double.NaN, "SHARE")),
                    List.of(),
                    List.of(),
                    "NOTED",
                    0,
                    "",
                    "NOT_KNOWN",
                    "",
                    "");

    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile @Nullable StatusException refusal;

    /// Compactions wait for it.
    volatile CountDownLatch gate = new CountDownLatch(0);

    private void note(String call) {
        StatusException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        calls.add(call);
    }

    @Override
    public void compact(String table) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        note("compact " + table);
    }

    @Override
    public List<TabletRow> tablets(String table) {
        return List.of(FIRST, SECOND);
    }

    @Override
    public List<TabletRow> split(String table, List<String> keys, OptionalLong tabletId) {
        note("split %s %s %s".formatted(table, keys, tabletId));
        return List.of(FIRST, SECOND);
    }

    @Override
    public TabletRow merge(String table, List<Stretch> tablets) {
        List<String> texts =
                tablets.stream()
                        .map(stretch -> stretch.firstId() + ".." + stretch.lastId())
                        .toList();
        note("merge %s %s".formatted(table, texts));
        return FIRST;
    }

    @Override
    public Decisions why(String table, Optional<String> key) {
        note("why %s %s".formatted(table, key));
        Optional<Present> present =
                key.isEmpty()
                        ? Optional.of(
                                new Present(List.of("the next round is soon"), List.of(LEFT), 3))
                        : Optional.empty();
        return new Decisions(List.of(CUT, LEFT), key.isEmpty(), 500_001, present);
    }

    @Override
    public RoundList rounds(String bundle) {
        note("rounds " + bundle);
        Instant from = Instant.parse("2026-11-19T22:30:00Z");
        var often =
                new RoundList.Plan(
                        "minutes % 20 == 0 || hours == 1",
                        "cluster",
                        List.of(
                                minute("2026-11-19T22:40:00Z"),
                                minute("2026-11-19T23:00:00Z"),
                                minute("2026-11-19T23:20:00Z"),
                                new RoundList.Range(
                                        Instant.parse("2026-11-20T00:00:00Z"),
                                        Instant.parse("2026-11-20T01:00:00Z")),
                                new RoundList.Range(
                                        Instant.parse("2026-11-20T22:00:00Z"),
                                        Instant.parse("2026-11-20T23:30:00Z"))),
                        Optional.empty(),
                        Optional.empty());
        var never =
                new RoundList.Plan(
                        "1/0",
                        "group",
                        List.of(),
                        Optional.of("the formula fails"),
                        Optional.of("Division by zero"));
        return new RoundList(
                bundle,
                ZoneId.of("Europe/Berlin"),
                from,
                from.plus(Duration.ofDays(1)),
                bundle.equals("off") ? Optional.of("it is switched off") : Optional.empty(),
                bundle.equals("off")
                        ? List.of()
                        : List.of(
                                new RoundList.Group("default", often),
                                new RoundList.Group("party", never),
                                new RoundList.Group("legacy", often)),
                bundle.equals("off") ? List.of("decisions are only noted") : List.of(),
                new LinkedHashMap<>(
                        bundle.equals("off")
                                ? Map.of()
                                : Map.of(
                                        "legacy",
                                        new BundlePlan.Work(1, 2, 5 << 20, 3, 1, 1 << 20))));
    }

    private static RoundList.Range minute(String from) {
        Instant begin = Instant.parse(from);
        return new RoundList.Range(begin, begin.plusSeconds(60));
    }

    @Override
    public List<DecisionRow> plan(String table) {
        note("plan " + table);
        return List.of();
    }

    @Override
    public BundlePlan plan(BundlePlan.Question question) {
        note("plan " + question);
        var load = new BundlePlan.Load(1, 2 << 20, 0, 0.25);
        return new BundlePlan(
                question.bundle(),
                ZoneId.of("Europe/Berlin"),
                Optional.of(Instant.parse("2026-11-20T01:30:00Z")),
                List.of("max_tablet_size = 1"),
                List.of(),
                new LinkedHashMap<>(Map.of("fast", "it is not true")),
                List.of(new BundlePlan.Departure(3, 1, 2 << 20)),
                List.of(
                        new BundlePlan.Round(
                                List.of(
                                        new BundlePlan.Change(
                                                "/local/t",
                                                "RESHARD",
                                                "reshard by size",
                                                List.of(7L, 8L),
                                                "reshard tablets 7, 8 into 1")))),
                true,
                9,
                List.of(
                        new BundlePlan.Table(
                                "/local/t",
                                new BundlePlan.Sizes(2, 1 << 20, 1 << 20, 1 << 20),
                                new BundlePlan.Sizes(1, 2 << 20, 2 << 20, 2 << 20))),
                List.of(new BundlePlan.Cell(1, Optional.of(load), Optional.empty())),
                new BundlePlan.Balance(1, 1, Double.NaN, 1),
                new BundlePlan.Balance(2, 1, Double.NaN, 1),
                new BundlePlan.Work(1, 2, 2 << 20, 1, 0, 0),
                List.of(new BundlePlan.Left("/local/u", "reshard by size", "it fits", 5, 10)));
    }

    @Override
    public TabletRow move(String table, long tabletId, long cellId) {
        note("move %s %d %d".formatted(table, tabletId, cellId));
        return SECOND;
    }

    @Override
    public Map<String, List<Long>> bundles() {
        return Map.of("default", List.of(1L, 2L));
    }

    @Override
    public void putBundle(String name, List<Long> cellIds) {
        note("bundle %s %s".formatted(name, cellIds));
    }

    @Override
    public boolean mayFreeze() {
        return true;
    }

    @Override
    public void freeze(long cellId, long seconds) {
        note("freeze %d %d".formatted(cellId, seconds));
    }
}
