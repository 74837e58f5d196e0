package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.End;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Opening;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.ydb.SplitRules.Wish;
import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Decides which tablets of a table are split and merged.
///
/// The decisions are in this order: splits, the most urgent first; at most one merge, if there is
/// no split; tablets that were left alone, with the reason; warnings. Each split is of a different
/// tablet, and there is room for all of them.
final class TableDecisions {
    private final ClusterState cluster;
    private final TableState table;
    private final KeyFacts facts;
    private final BalanceSettings settings;
    private final KeyColumns columns;

    /// The samples requested so far, by tablet id.
    private final Map<Long, List<KeySample>> samples = new HashMap<>();

    private final List<Decision> splits = new ArrayList<>();
    private final List<Decision> left = new ArrayList<>();
    private final List<Decision> warnings = new ArrayList<>();

    /// The hottest key of all busy tablets, once it was requested.
    private Optional<HottestKey> hottestKey = Optional.empty();

    private boolean soughtHottestKey;

    /// The number of tablets after all splits so far.
    private long tabletCount;

    private TableDecisions(
            ClusterState cluster, TableState table, KeyFacts facts, BalanceSettings settings) {
        this.cluster = cluster;
        this.table = table;
        this.facts = facts;
        this.settings = settings;
        columns = new KeyColumns(table.keyTypes());
        tabletCount = table.tablets().size();
    }

    static List<Decision> decide(
            ClusterState cluster, TableState table, KeyFacts facts, BalanceSettings settings) {
        return new TableDecisions(cluster, table, facts, settings).decide();
    }

    private List<Decision> decide() {
        new SplitRules(table, settings).ask(this::cut);
        for (TabletState tablet : table.tablets()) {
            warnings.addAll(Warnings.ofRows(tablet));
            if (isBusy(tablet)) {
                warnings.addAll(ofSamples(tablet));
            }
        }
        List<Decision> all = new ArrayList<>(splits);
        if (splits.isEmpty()) {
            new MergeRules(table, settings).merge().ifPresent(all::add);
        }
        all.addAll(left);
        all.addAll(warnings);
        return all;
    }

    /// Splits the tablet if suitable keys are found; returns the number of additional tablets.
    private int cut(Wish wish) {
        int before = splits.size();
        follow(wish);
        if (splits.size() == before) {
            return 0;
        }
        int more = splits.getLast().keys().size();
        tabletCount += more;
        if (tabletCount > table.partitioning().maxTablets()) {
            warnings.add(Warnings.beyondMaximum(table, wish.tablet(), wish.figures(), tabletCount));
        }
        return more;
    }

    private void follow(Wish wish) {
        if (wish.isBlocked()) {
            left.add(leave(wish, wish.figures(), List.of(), wish.blocked()));
            if (wish.isFull()) {
                warnings.add(Warnings.maximum(table, wish.tablet(), wish.figures()));
            }
            return;
        }
        switch (wish.rule()) {
            case SPLIT_BY_LOAD, SPLIT_BY_SATURATION, SPLIT_UNEVEN -> byLoad(wish);
            default -> bySize(wish);
        }
    }

    private void bySize(Wish wish) {
        long tabletId = wish.tablet().tabletId();
        KeyChoice choice =
                SizeKeys.choose(
                        columns,
                        facts.sizes(tabletId, SizeKeys.pointsFor(wish.ways())),
                        wish.ways());
        take(wish, choice);
    }

    private void byLoad(Wish wish) {
        TabletState tablet = wish.tablet();
        List<KeySample> own = samples(tablet);
        if (own.size() < Thresholds.MIN_SAMPLES) {
            List<Figure> figures = new ArrayList<>(wish.figures());
            figures.add(Figure.count("sampled keys", own.size(), Thresholds.MIN_SAMPLES));
            left.add(leave(wish, figures, List.of(), "too few keys were sampled"));
            return;
        }
        Optional<GrowingKeys> growing = growing(own);
        if (growing.isPresent()) {
            ahead(wish, growing.get());
            return;
        }
        int ways = HottestKey.ways(wish, hottestKey(), busyLoads(), settings);
        if (ways < 2) {
            besideHottestKey(wish, hottestKey().orElseThrow());
            return;
        }
        var weights = new KeyWeights(own);
        KeyChoice choice = LoadKeys.choose(columns, weights, ways);
        if (choice.isEmpty() && weights.hottest().isHot()) {
            List<Figure> figures = new ArrayList<>(wish.figures());
            figures.add(
                    Figure.share(
                            "share of one key",
                            weights.hottest().share(),
                            Thresholds.HOT_KEY_SHARE));
            left.add(
                    leave(
                            wish,
                            figures,
                            List.of(weights.hottest().key()),
                            choice.why() + "; a split cannot divide the load of a single key"));
        } else {
            take(wish, choice);
        }
    }

    private void besideHottestKey(Wish wish, HottestKey hottest) {
        List<Figure> figures = new ArrayList<>(wish.figures());
        figures.add(hottest.figure(wish.tablet().cores() / 2));
        left.add(
                leave(
                        wish,
                        figures,
                        List.of(hottest.key()),
                        ("its pieces would have much less load than one key of tablet %d, which"
                                        + " would make the table more uneven")
                                .formatted(hottest.tabletId())));
    }

    /// The hottest key of all busy tablets.
    private Optional<HottestKey> hottestKey() {
        if (!soughtHottestKey) {
            soughtHottestKey = true;
            hottestKey =
                    HottestKey.of(table.tablets().stream().filter(this::isBusy), this::samples);
        }
        return hottestKey;
    }

    private DoubleSummaryStatistics busyLoads() {
        return table.tablets().stream()
                .filter(this::isBusy)
                .mapToDouble(TabletState::cores)
                .summaryStatistics();
    }

    private boolean isBusy(TabletState tablet) {
        return tablet.cores() >= settings.splitCores() * Thresholds.BUSY_SHARE;
    }

    /// Splits a tablet with growing keys. A cut behind the writes would leave all of them on one
    /// side, so the cut is where the writes will be soon, and the new tablet is opened in another
    /// cell.
    private void ahead(Wish wish, GrowingKeys growing) {
        var ahead = new Wish(wish.tablet(), Rule.SPLIT_AHEAD, 2, wish.figures(), "");
        List<Figure> figures = new ArrayList<>(wish.figures());
        figures.add(growing.figure());
        List<Bytes> frontier = List.of(growing.frontier());
        String verb = growing.way().verb();
        Optional<TabletState> next = next(wish.tablet(), growing.way());
        if (next.isPresent() && next.get().rows() == 0) {
            left.add(
                    leave(
                            ahead,
                            figures,
                            frontier,
                            "its keys %s towards tablet %d, which is empty; the current key is"
                                    .formatted(verb, next.get().tabletId())));
            return;
        }
        TabletState tablet = wish.tablet();
        if (tablet.parentCores() > 0 && tablet.ageMillis() < settings.tailHorizon().toMillis()) {
            figures.add(
                    Figure.seconds(
                            "age",
                            tablet.ageMillis() / 1000.0,
                            settings.tailHorizon().toMillis() / 1000.0));
            left.add(leave(ahead, figures, frontier, "it was split recently; the current key is"));
            return;
        }
        Optional<Bytes> key = growing.ahead().filter(bound -> isInside(tablet.range(), bound));
        if (key.isEmpty()) {
            String why =
                    growing.ahead().isPresent()
                            ? "its keys will soon %s out of its range; the current key is"
                            : "its keys %s, but cannot be predicted; the current key is";
            left.add(leave(ahead, figures, frontier, why.formatted(verb)));
            return;
        }
        splits.add(
                new Split(
                        wish.tablet().tabletId(),
                        List.of(key.get()),
                        Rule.SPLIT_AHEAD,
                        figures,
                        Optional.of(opening(tablet, growing.way())),
                        List.of("any key behind the writes: all writes would go to one tablet")));
    }

    /// The new tablet goes to the other cell of the bundle that has the fewest tablets of the
    /// table.
    private Opening opening(TabletState tablet, GrowingKeys.Way way) {
        Comparator<CellMembership> byTablets = Comparator.comparingLong(cell -> tabletsIn(cell));
        Optional<CellMembership> target =
                cluster.bundle(table.bundle()).stream()
                        .filter(cell -> cell.cellId() != tablet.cellId())
                        .min(byTablets.thenComparingLong(CellMembership::cellId));
        return new Opening(
                switch (way) {
                    case UP -> End.LAST;
                    case DOWN -> End.FIRST;
                },
                target.isPresent() ? OptionalLong.of(target.get().cellId()) : OptionalLong.empty());
    }

    private long tabletsIn(CellMembership cell) {
        return table.tablets().stream().filter(each -> each.cellId() == cell.cellId()).count();
    }

    /// The adjacent tablet that the keys will reach next.
    private Optional<TabletState> next(TabletState tablet, GrowingKeys.Way way) {
        int index =
                table.tablets().indexOf(tablet)
                        + switch (way) {
                            case UP -> 1;
                            case DOWN -> -1;
                        };
        return index >= 0 && index < table.tablets().size()
                ? Optional.of(table.tablets().get(index))
                : Optional.empty();
    }

    private void take(Wish wish, KeyChoice choice) {
        if (choice.isEmpty()) {
            left.add(leave(wish, wish.figures(), List.of(), choice.why()));
            return;
        }
        KeyRange range = wish.tablet().range();
        if (!choice.keys().stream().allMatch(key -> isInside(range, key))) {
            left.add(
                    leave(
                            wish,
                            wish.figures(),
                            choice.keys(),
                            "the keys chosen for the split are outside its range"));
            return;
        }
        List<Figure> figures = new ArrayList<>(wish.figures());
        figures.addAll(choice.figures());
        splits.add(
                new Split(
                        wish.tablet().tabletId(),
                        choice.keys(),
                        wish.rule(),
                        figures,
                        Optional.empty(),
                        choice.rejected()));
    }

    private static boolean isInside(KeyRange range, Bytes key) {
        return range.contains(key) && !range.from().equals(key);
    }

    private List<Warn> ofSamples(TabletState tablet) {
        List<KeySample> own = samples(tablet);
        return own.size() < Thresholds.MIN_SAMPLES
                ? List.of()
                : Warnings.ofSamples(tablet, columns, own, growing(own));
    }

    private Optional<GrowingKeys> growing(List<KeySample> own) {
        return GrowingKeys.find(columns.types(), own, settings);
    }

    private List<KeySample> samples(TabletState tablet) {
        return samples.computeIfAbsent(
                tablet.tabletId(),
                id ->
                        facts.samples(id).stream()
                                .filter(sample -> tablet.range().contains(sample.key()))
                                .toList());
    }

    private static Leave leave(Wish wish, List<Figure> figures, List<Bytes> keys, String why) {
        return new Leave(wish.tablet().tabletId(), wish.rule(), figures, keys, why);
    }
}
