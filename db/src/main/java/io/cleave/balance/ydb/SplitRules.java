package io.cleave.balance.ydb;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.schema.Partitioning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/// Decides which tablets to split and into how many pieces, and which ones to leave although they
/// are large or hot. Does not choose keys.
final class SplitRules {
    private final TableState table;
    private final BalanceSettings settings;
    private final long splitBytes;

    /// The mean load of the busy tablets.
    private final double meanCores;

    /// The number of tablets that may still be added.
    private long room;

    /// A tablet that is over a threshold.
    ///
    /// @param ways the number of tablets it should become
    /// @param blocked why it is not split; empty if it is to be split
    record Wish(TabletState tablet, Rule rule, int ways, List<Figure> figures, String blocked) {
        Wish {
            figures = List.copyOf(figures);
        }

        boolean isBlocked() {
            return !blocked.isEmpty();
        }

        /// Whether only the maximum number of tablets prevents the split.
        boolean isFull() {
            return isBlocked() && ways == 1;
        }
    }

    SplitRules(TableState table, BalanceSettings settings) {
        this.table = table;
        this.settings = settings;
        splitBytes = table.splitBytes(settings);
        room = table.partitioning().maxTablets() - table.tablets().size();
        double least = settings.splitCores() * Thresholds.BUSY_SHARE;
        meanCores =
                table.tablets().stream()
                        .mapToDouble(TabletState::cores)
                        .filter(cores -> cores >= least)
                        .average()
                        .orElse(0);
    }

    /// Requests splits one after the other, the most urgent first: by force, by load, by uneven
    /// load, by size. There is one request for each tablet, and a second one by size for a large
    /// tablet that could not be split by load. Room that `cut` does not use is left for the next
    /// request.
    ///
    /// @param cut returns the number of additional tablets; 0 if the tablet stays as it is
    void ask(ToIntFunction<Wish> cut) {
        for (TabletState tablet : by(Comparator.comparingLong(TabletState::bytes))) {
            if (tablet.bytes() >= settings.forceSplitBytes()) {
                grant(bySize(tablet, Rule.SPLIT_BY_FORCE), cut);
            }
        }
        for (TabletState tablet : by(Comparator.comparingDouble(this::pressure))) {
            if (pressure(tablet) >= 1 && tablet.bytes() < settings.forceSplitBytes()) {
                askByLoad(byLoad(tablet), cut);
            }
        }
        Set<Long> evened = new HashSet<>();
        for (TabletState tablet : by(Comparator.comparingDouble(this::pressure))) {
            if (isUneven(tablet) && tablet.bytes() < settings.forceSplitBytes()) {
                askByLoad(uneven(tablet), cut);
                evened.add(tablet.tabletId());
            }
        }
        for (TabletState tablet : by(Comparator.comparingLong(TabletState::bytes))) {
            boolean isHot = pressure(tablet) >= 1 && table.partitioning().byLoad();
            if (tablet.bytes() >= sizeWanted()
                    && tablet.bytes() < settings.forceSplitBytes()
                    && !isHot
                    && !evened.contains(tablet.tabletId())) {
                grant(bySize(tablet, Rule.SPLIT_BY_SIZE), cut);
            }
        }
    }

    private void askByLoad(Wish wish, ToIntFunction<Wish> cut) {
        if (!grant(wish, cut)) {
            bySizeInstead(wish).ifPresent(instead -> grant(instead, cut));
        }
    }

    /// Whether the tablet is split.
    @CanIgnoreReturnValue
    private boolean grant(Wish wish, ToIntFunction<Wish> cut) {
        int more = cut.applyAsInt(wish);
        room -= more;
        return more > 0;
    }

    /// A split by size for a large tablet that was not split by load. Empty while the tablet only
    /// waits for its load to be known.
    private Optional<Wish> bySizeInstead(Wish refused) {
        boolean isWaiting = refused.isBlocked() && !refused.isFull();
        if (!table.partitioning().byLoad()
                || isWaiting
                || !table.partitioning().bySize()
                || refused.tablet().bytes() < sizeWanted()) {
            return Optional.empty();
        }
        Wish wish = bySize(refused.tablet(), Rule.SPLIT_BY_SIZE);
        return wish.isFull() && refused.isFull() ? Optional.empty() : Optional.of(wish);
    }

    /// The size limit that the table sets, even if its splits by size are disabled.
    private long sizeWanted() {
        long megabytes = table.partitioning().sizeMegabytes();
        return megabytes == 0 || megabytes >= settings.forceSplitBytes() >> 20
                ? settings.forceSplitBytes()
                : megabytes << 20;
    }

    private List<TabletState> by(Comparator<TabletState> order) {
        return table.tablets().stream().sorted(order.reversed()).toList();
    }

    /// The load relative to the thresholds; from 1 on it is too high.
    private double pressure(TabletState tablet) {
        return Math.max(
                tablet.cores() / settings.splitCores(),
                Math.max(
                        tablet.queue() / settings.splitQueue(),
                        tablet.rejects() / settings.splitRejects()));
    }

    private boolean isSaturated(TabletState tablet) {
        return tablet.queue() >= settings.splitQueue()
                || tablet.rejects() >= settings.splitRejects();
    }

    private Wish bySize(TabletState tablet, Rule rule) {
        Partitioning wanted = table.partitioning();
        boolean isForced = rule == Rule.SPLIT_BY_FORCE;
        List<Figure> figures = new ArrayList<>();
        figures.add(
                Figure.bytes(
                        "size",
                        tablet.bytes(),
                        isForced ? settings.forceSplitBytes() : sizeWanted()));
        if (!isForced && !wanted.bySize()) {
            return blocked(tablet, rule, figures, "AUTO_PARTITIONING_BY_SIZE is DISABLED");
        }
        // If there is no room, only into as many pieces as the size requires.
        boolean isOver = isForced && room < 1;
        double piece = (isOver ? settings.forceSplitBytes() : splitBytes) / 2.0;
        int ways = ways(tablet.bytes() / piece, isOver ? settings.maxWays() : room);
        if (ways < 2) {
            return new Wish(tablet, rule, 1, figures, atMaximum());
        }
        return new Wish(tablet, rule, ways, figures, "");
    }

    private Wish byLoad(TabletState tablet) {
        boolean isBusy = tablet.cores() >= settings.splitCores();
        Rule rule = isBusy ? Rule.SPLIT_BY_LOAD : Rule.SPLIT_BY_SATURATION;
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.cores("CPU time", tablet.cores(), settings.splitCores()));
        if (!isBusy) {
            figures.add(Figure.count("waiting commits", tablet.queue(), settings.splitQueue()));
            figures.add(
                    Figure.count(
                            "refused commits in a second",
                            tablet.rejects(),
                            settings.splitRejects()));
        }
        if (!table.partitioning().byLoad()) {
            return blocked(tablet, rule, figures, "AUTO_PARTITIONING_BY_LOAD is DISABLED");
        }
        if (tablet.ageMillis() < settings.loadWindow().toMillis()) {
            figures.add(
                    Figure.seconds(
                            "age",
                            tablet.ageMillis() / 1000.0,
                            settings.loadWindow().toMillis() / 1000.0));
            return blocked(tablet, rule, figures, "it is too young for its load to be known");
        }
        // A saturated tablet is split at once, even if its load still rises.
        if (!isSaturated(tablet) && isRising(tablet)) {
            figures.add(
                    Figure.cores(
                            "CPU time in the later half of the load window",
                            tablet.lateCores(),
                            tablet.cores() * Thresholds.RISING));
            return blocked(tablet, rule, figures, "its load is still rising");
        }
        int ways = ways(isBusy ? tablet.cores() / (settings.splitCores() / 2) : 2, room);
        if (ways < 2) {
            return new Wish(tablet, rule, 1, figures, atMaximum());
        }
        return new Wish(tablet, rule, ways, figures, "");
    }

    /// A split may leave tablets just around the load threshold. Those above it are split again.
    /// Those just below it would then have far more load than all others.
    private boolean isUneven(TabletState tablet) {
        return table.partitioning().byLoad()
                && tablet.parentCores() > 0
                && pressure(tablet) < 1
                && tablet.cores() >= settings.splitCores() * Thresholds.UNEVEN_SHARE
                && tablet.cores() > Thresholds.UNEVEN * meanCores
                && tablet.ageMillis() >= settings.loadWindow().toMillis()
                && !isRising(tablet)
                && room > 0;
    }

    private Wish uneven(TabletState tablet) {
        return new Wish(
                tablet,
                Rule.SPLIT_UNEVEN,
                2,
                List.of(
                        Figure.cores(
                                "CPU time",
                                tablet.cores(),
                                settings.splitCores() * Thresholds.UNEVEN_SHARE),
                        Figure.count(
                                "ratio to the mean of busy tablets",
                                tablet.cores() / meanCores,
                                Thresholds.UNEVEN)),
                "");
    }

    private static boolean isRising(TabletState tablet) {
        return tablet.lateCores() >= tablet.cores() * Thresholds.RISING;
    }

    /// Each piece has at least half of the split threshold, so that two of them are above the merge
    /// threshold.
    private int ways(double halves, long room) {
        long ways = Math.min((long) halves, settings.maxWays());
        return (int) Math.min(Math.max(ways, 2), room + 1);
    }

    private static Wish blocked(TabletState tablet, Rule rule, List<Figure> figures, String why) {
        return new Wish(tablet, rule, 0, figures, why);
    }

    private String atMaximum() {
        return "the table may have no more than %d tablets"
                .formatted(table.partitioning().maxTablets());
    }
}
