package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/// Reshards a table by the sizes of its tablets.
///
/// The tablets are looked at in key order. One that is too small or too large absorbs neighbors,
/// first to the left and then to the right, until what it has can be cut into tablets that fit. A
/// tablet is in one action only, so the actions can be carried out at the same time.
///
/// In three things this is stricter than YTsaurus. A table never gets fewer tablets than
/// `min_tablet_count`, also if a tablet that is too large absorbs its neighbors. The limit of
/// 10,000 tablets holds for all actions together. And tablets that a cut cannot make more even are
/// not cut again, so that a table comes to rest whatever its sizes are.
public final class SizeReshard {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final ReshardTable table;
    private final ReshardOptions options;
    private final SizeBounds bounds;
    private final OptionalInt minCount;
    private final long[] sizes;

    /// What is left of the merge budget of each tablet; counts only if `minCount` is set.
    private final int[] budget;

    private final boolean[] isTouched;
    private final @Nullable LeaveReason[] reasons;
    private final List<Reshard> actions = new ArrayList<>();

    /// How many tablets the table has after the actions so far.
    private int count;

    private SizeReshard(ReshardTable table, ReshardOptions options) {
        this.table = table;
        this.options = options;
        bounds = SizeBounds.of(table, options);
        minCount = table.settings().minTabletCount();
        sizes = table.sizes();
        count = sizes.length;
        budget =
                minCount.isPresent()
                        ? MergeBudget.spread(sizes, bounds.min(), minCount.getAsInt())
                        : new int[0];
        isTouched = new boolean[sizes.length];
        reasons = new LeaveReason[sizes.length];
    }

    public static ReshardDecisions plan(
            ReshardTable table, ReshardOptions options, Trigger trigger) {
        if (!table.isSorted()) {
            return ReshardDecisions.leaveAll(table, LeaveReason.NOT_SORTED);
        }
        if (trigger == Trigger.ROUND && !table.settings().enableAutoReshard()) {
            return ReshardDecisions.leaveAll(table, LeaveReason.SWITCHED_OFF_AT_TABLE);
        }
        if (trigger == Trigger.ROUND && !table.bundle().enableTabletSizeBalancer()) {
            return ReshardDecisions.leaveAll(table, LeaveReason.SWITCHED_OFF_AT_BUNDLE);
        }
        return new SizeReshard(table, options).decide();
    }

    private ReshardDecisions decide() {
        for (int index = 0; index < sizes.length; index++) {
            if (!isTouched[index]) {
                reasons[index] = decide(index);
            }
        }
        return new ReshardDecisions(actions, left());
    }

    /// Why the tablet is left alone; null if it is in an action now.
    private @Nullable LeaveReason decide(int index) {
        Optional<LeaveReason> state = table.tablets().get(index).stateReason();
        if (state.isPresent()) {
            return state.get();
        }
        if (bounds.fits(sizes[index])) {
            return LeaveReason.FITS;
        }
        if (isSmall(index) && sizes.length == 1) {
            return LeaveReason.ONLY_TABLET;
        }
        if (isSmall(index) && sizes.length <= minCount.orElse(0)) {
            return LeaveReason.AT_MINIMUM_COUNT;
        }
        var range = new Range(index);
        range.grow();
        LeaveReason reason = refusal(range, index);
        if (reason == null) {
            carryOut(range, index);
        }
        return reason;
    }

    private boolean isSmall(int index) {
        return sizes[index] < bounds.min();
    }

    /// Adjacent tablets that are cut together, `[from, to)`.
    private final class Range {
        private int from;
        private int to;
        private long bytes;

        /// How many tablets may still be absorbed.
        private int budgetLeft;

        Range(int index) {
            from = index;
            to = index + 1;
            bytes = sizes[index];
            budgetLeft = minCount.isPresent() && isSmall(index) ? takeBudget(index) : UNLIMITED;
        }

        /// Absorbs neighbors until the tablets that come of it fit.
        void grow() {
            while (!bounds.isGood(bytes) && canAbsorb(from - 1)) {
                bytes += sizes[--from];
            }
            while (!bounds.isGood(bytes) && canAbsorb(to)) {
                bytes += sizes[to++];
            }
        }

        /// Takes one of the budget if the neighbor can be absorbed.
        private boolean canAbsorb(int index) {
            boolean isFree =
                    index >= 0
                            && index < sizes.length
                            && !isTouched[index]
                            && table.tablets().get(index).isCandidate();
            if (!isFree || budgetLeft == UNLIMITED) {
                return isFree;
            }
            budgetLeft += takeBudget(index);
            if (budgetLeft == 0) {
                return false;
            }
            budgetLeft--;
            return true;
        }

        int size() {
            return to - from;
        }

        /// Whether a cut into as many tablets as there are would make the sizes more even.
        boolean isUneven() {
            double mean = bytes / (double) size();
            for (int index = from; index < to; index++) {
                if (sizes[index] > mean * SizeBounds.TOLERANCE
                        || sizes[index] * SizeBounds.TOLERANCE < mean) {
                    return true;
                }
            }
            return false;
        }
    }

    private int takeBudget(int index) {
        int taken = budget[index];
        budget[index] = 0;
        return taken;
    }

    /// Why the tablets are not cut again; null if they are.
    private @Nullable LeaveReason refusal(Range range, int index) {
        int newCount = bounds.count(range.bytes);
        if (range.size() == 1 && isSmall(index)) {
            return range.budgetLeft == 0 ? LeaveReason.NO_MERGE_BUDGET : LeaveReason.NO_NEIGHBOR;
        }
        if (range.size() == 1 && newCount == 1) {
            return LeaveReason.NO_CUT_FITS;
        }
        if (range.size() == 1
                && table.tablets().get(index).partitionCount() == 1
                && !options.pickReshardPivotKeys()) {
            return LeaveReason.ONE_PARTITION;
        }
        if (newCount == range.size() && !allFit(range.bytes, newCount) && !range.isUneven()) {
            return LeaveReason.NO_CUT_FITS;
        }
        int after = count + newCount - range.size();
        if (newCount < range.size() && after < minCount.orElse(0)) {
            return LeaveReason.AT_MINIMUM_COUNT;
        }
        if (newCount >= range.size() && after >= ReshardOptions.MAX_TABLETS) {
            return LeaveReason.COUNT_LIMIT;
        }
        return null;
    }

    /// Whether all tablets fit that an even cut makes, also those that get a byte of the rest.
    private boolean allFit(long bytes, int newCount) {
        return bounds.fits(bytes / newCount) && bounds.fits(Math.ceilDiv(bytes, newCount));
    }

    private void carryOut(Range range, int index) {
        List<Long> ids = new ArrayList<>(range.size());
        for (int each = range.from; each < range.to; each++) {
            isTouched[each] = true;
            ids.add(table.tablets().get(each).tabletId());
        }
        int newCount = bounds.count(range.bytes);
        count += newCount - range.size();
        boolean isSmall = isSmall(index);
        String name = "size of tablet " + table.tablets().get(index).tabletId();
        List<Figure> figures =
                List.of(
                        Figure.bytes(name, sizes[index], isSmall ? bounds.min() : bounds.max()),
                        Figure.bytes("total size", range.bytes),
                        Figure.bytes("desired", bounds.desired()));
        var cause = isSmall ? Reshard.Cause.TOO_SMALL : Reshard.Cause.TOO_LARGE;
        actions.add(new Reshard(ids, newCount, cause, figures));
    }

    /// The tablets that no action has touched in the end.
    private List<LeftTablet> left() {
        List<Figure> limits = bounds.figures();
        return LeftTablets.of(
                isTouched,
                index -> leftTablet(index, Objects.requireNonNull(reasons[index]), limits));
    }

    private LeftTablet leftTablet(int index, LeaveReason reason, List<Figure> limits) {
        long tabletId = table.tablets().get(index).tabletId();
        return new LeftTablet(tabletId, reason, figures(index, reason, limits));
    }

    private List<Figure> figures(int index, LeaveReason reason, List<Figure> limits) {
        Figure size = Figure.bytes("size", sizes[index]);
        return switch (reason) {
            case AT_MINIMUM_COUNT, NO_MERGE_BUDGET ->
                    List.of(
                            size,
                            limits.getFirst(),
                            Figure.count("tablets", count, minCount.orElse(0)));
            case COUNT_LIMIT ->
                    List.of(
                            size,
                            limits.getLast(),
                            Figure.count("tablets", count, ReshardOptions.MAX_TABLETS));
            default -> List.of(size, limits.get(0), limits.get(1), limits.get(2));
        };
    }
}
