package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;
import io.cleave.balance.yt.settings.TableSettings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/// Reshards a table by the sizes of its tablets and by a metric of their load.
///
/// A tablet that has too much of either is split. One that has too little of either is merged with
/// its neighbors, as long as the result has not too much. Merges come before splits. A tablet is in
/// one action only.
public final class MetricReshard {
    private final ReshardTable table;
    private final MetricBounds bounds;
    private final long[] sizes;
    private final boolean[] isTouched;
    private final @Nullable LeaveReason[] reasons;
    private final List<Action> actions = new ArrayList<>();

    /// How many tablets the table has after the merges so far, without splits.
    private int countAfterMerges;

    /// Adjacent tablets `[from, to)`, and what comes of them.
    private record Action(int from, int to, int newCount) {
        boolean isMerge() {
            return newCount == 1;
        }
    }

    private MetricReshard(ReshardTable table, MetricBounds bounds) {
        this.table = table;
        this.bounds = bounds;
        sizes = table.sizes();
        isTouched = new boolean[sizes.length];
        reasons = new LeaveReason[sizes.length];
        countAfterMerges = sizes.length;
    }

    /// The reshards of a table.
    ///
    /// @param isEnabledAtGroup whether the group reshards by its metric
    public static ReshardDecisions plan(
            ReshardTable table, boolean isEnabledAtGroup, Trigger trigger) {
        TableSettings settings = table.settings();
        if (!table.isSorted()) {
            return ReshardDecisions.leaveAll(table, LeaveReason.NOT_SORTED);
        }
        if (trigger == Trigger.ROUND && !settings.enableAutoReshard()) {
            return ReshardDecisions.leaveAll(table, LeaveReason.SWITCHED_OFF_AT_TABLE);
        }
        if (trigger == Trigger.ROUND && !isEnabledAtGroup) {
            return ReshardDecisions.leaveAll(table, LeaveReason.SWITCHED_OFF_AT_GROUP);
        }
        OptionalInt count = settings.desiredTabletCount();
        if (count.isEmpty() && !(settings.desiredTabletMetric().orElse(0) > 0)) {
            return ReshardDecisions.leaveAll(table, LeaveReason.NOT_WANTED);
        }
        if (count.orElse(1) <= 0) {
            return ReshardDecisions.leaveAll(
                    table,
                    LeaveReason.BAD_COUNT,
                    Figure.count("desired_tablet_count", count.getAsInt()));
        }
        double bytes = 0;
        double metric = 0;
        for (ReshardTablet tablet : table.tablets()) {
            if (!(tablet.metric() >= 0) || Double.isInfinite(tablet.metric())) {
                String name = "metric of tablet " + tablet.tabletId();
                Figure figure = Figure.count(name, tablet.metric());
                return ReshardDecisions.leaveAll(table, LeaveReason.BAD_METRIC, figure);
            }
            bytes += tablet.bytes(table.inMemoryMode());
            metric += tablet.metric();
        }
        return new MetricReshard(table, MetricBounds.of(settings, bytes, metric)).decide();
    }

    private ReshardDecisions decide() {
        for (int index = 0; index < sizes.length; index++) {
            if (!isTouched[index]) {
                reasons[index] = decide(index);
            }
        }
        // What merges and splits most goes first.
        actions.sort(
                Comparator.comparing(Action::isMerge)
                        .reversed()
                        .thenComparing(Comparator.comparingInt(Action::newCount).reversed()));
        limitCount();
        List<Reshard> reshards = new ArrayList<>(actions.size());
        for (Action action : actions) {
            reshards.add(reshard(action));
        }
        return new ReshardDecisions(reshards, left());
    }

    /// Why the tablet is left alone; null if it is in an action now.
    private @Nullable LeaveReason decide(int index) {
        ReshardTablet tablet = table.tablets().get(index);
        if (!tablet.isCandidate()) {
            return tablet.stateReason().orElseThrow();
        }
        if (bounds.isTooLarge((double) sizes[index], tablet.metric())) {
            return split(index);
        }
        return bounds.fits((double) sizes[index], tablet.metric())
                ? LeaveReason.FITS
                : merge(index);
    }

    private @Nullable LeaveReason split(int index) {
        if (sizes[index] == 0) {
            return LeaveReason.NO_DATA;
        }
        double pieces = bounds.pieces((double) sizes[index], metric(index));
        if (pieces > ReshardOptions.MAX_TABLETS) {
            return LeaveReason.COUNT_LIMIT;
        }
        if (pieces < 2) {
            return LeaveReason.NO_CUT_FITS;
        }
        isTouched[index] = true;
        actions.add(new Action(index, index + 1, (int) pieces));
        return null;
    }

    private @Nullable LeaveReason merge(int index) {
        if (sizes.length == 1) {
            return LeaveReason.ONLY_TABLET;
        }
        int from = index;
        int to = index + 1;
        int spare = countAfterMerges - table.settings().minTabletCount().orElse(1);
        double bytes = sizes[index];
        double metric = metric(index);
        while (to - from <= spare && takes(bytes, metric, from - 1)) {
            from--;
            bytes += sizes[from];
            metric += metric(from);
        }
        while (to - from <= spare && takes(bytes, metric, to)) {
            bytes += sizes[to];
            metric += metric(to);
            to++;
        }
        if (to - from == 1) {
            return spare <= 0 ? LeaveReason.AT_MINIMUM_COUNT : LeaveReason.NO_NEIGHBOR;
        }
        for (int each = from; each < to; each++) {
            isTouched[each] = true;
        }
        countAfterMerges -= to - from - 1;
        actions.add(new Action(from, to, 1));
        return null;
    }

    /// Whether tablets with this much are merged with the neighbor, too.
    private boolean takes(double bytes, double metric, int neighbor) {
        return bounds.wantsMore(bytes, metric)
                && neighbor >= 0
                && neighbor < sizes.length
                && !isTouched[neighbor]
                && table.tablets().get(neighbor).isCandidate()
                && !bounds.isTooLarge(bytes + sizes[neighbor], metric + metric(neighbor));
    }

    private double metric(int index) {
        return table.tablets().get(index).metric();
    }

    /// Drops the splits that would exceed the limit even if they were carried out before all
    /// merges.
    private void limitCount() {
        int count = sizes.length;
        for (int at = 0; at < actions.size(); at++) {
            Action action = actions.get(at);
            if (!action.isMerge()) {
                count += action.newCount() - 1;
                if (count > ReshardOptions.MAX_TABLETS) {
                    drop(actions.subList(at, actions.size()));
                    return;
                }
            }
        }
    }

    private void drop(List<Action> dropped) {
        for (Action action : dropped) {
            isTouched[action.from()] = false;
            reasons[action.from()] = LeaveReason.COUNT_LIMIT;
        }
        dropped.clear();
    }

    private Reshard reshard(Action action) {
        long bytes = 0;
        double metric = 0;
        List<Long> ids = new ArrayList<>(action.to() - action.from());
        for (int index = action.from(); index < action.to(); index++) {
            ids.add(table.tablets().get(index).tabletId());
            bytes += sizes[index];
            metric += metric(index);
        }
        List<Figure> figures =
                List.of(
                        Figure.bytes("total size", bytes, (long) bounds.maxBytes()),
                        Figure.bytes("desired", (long) bounds.desiredBytes()),
                        Figure.count("total metric", metric, bounds.maxMetric()),
                        Figure.count("desired metric", bounds.desiredMetric()));
        var cause = action.isMerge() ? Reshard.Cause.TOO_SMALL : Reshard.Cause.TOO_LARGE;
        return new Reshard(ids, action.newCount(), cause, figures);
    }

    private List<LeftTablet> left() {
        return LeftTablets.of(
                isTouched, index -> leftTablet(index, Objects.requireNonNull(reasons[index])));
    }

    private LeftTablet leftTablet(int index, LeaveReason reason) {
        List<Figure> figures = bounds.figures(sizes[index], metric(index));
        return new LeftTablet(table.tablets().get(index).tabletId(), reason, figures);
    }
}
