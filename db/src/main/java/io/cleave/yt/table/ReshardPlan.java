package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.cluster.TabletInfo;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The changes that give a span of tablets new first keys. The splits are made first, then the
/// merges. Pure.
///
/// @param splits the new first keys, at which no tablet begins yet, ascending
/// @param removed the old first keys, at which no tablet will begin any more, ascending
record ReshardPlan(List<Bytes> splits, List<Bytes> removed) {
    static final int MAX_TABLETS = 10_000;

    /// Throws if the keys cannot be the first keys of the tablets.
    static ReshardPlan of(List<TabletInfo> tablets, TabletSpan span, List<Bytes> pivots) {
        if (pivots.isEmpty()
                || !pivots.getFirst().equals(tablets.get(span.first()).range().from())) {
            throw problem(
                    "First pivot key must match that of the first tablet in the resharded range");
        }
        Bytes to = tablets.get(span.last()).range().to();
        if (to != null && pivots.getLast().compareTo(to) >= 0) {
            throw problem(
                    "Last pivot key must be strictly less than that of the tablet which follows the"
                            + " resharded range");
        }
        PivotKeys.checkIncreasing(pivots);
        checkCount((long) tablets.size() - span.count() + pivots.size());
        Set<Bytes> wanted = new HashSet<>(pivots);
        Set<Bytes> there = new TreeSet<>();
        span.of(tablets).forEach(tablet -> there.add(tablet.range().from()));
        List<Bytes> removed = new ArrayList<>(there);
        removed.removeIf(wanted::contains);
        List<Bytes> splits = new ArrayList<>(pivots);
        splits.removeIf(there::contains);
        return new ReshardPlan(splits, removed);
    }

    static void checkCount(long tablets) {
        if (tablets > MAX_TABLETS) {
            throw problem("Tablet count cannot exceed the limit of " + MAX_TABLETS);
        }
    }

    /// Groups of neighbours. The tablets of a group are to be merged into one.
    List<List<Long>> merges(List<TabletInfo> tablets) {
        List<List<Long>> groups = new ArrayList<>();
        Set<Bytes> ends = new HashSet<>(removed);
        List<Long> group = new ArrayList<>();
        for (TabletInfo tablet : tablets) {
            if (!ends.contains(tablet.range().from())) {
                add(groups, group);
                group = new ArrayList<>();
            }
            group.add(tablet.tabletId());
        }
        add(groups, group);
        return groups;
    }

    private static void add(List<List<Long>> groups, List<Long> group) {
        if (group.size() > 1) {
            groups.add(group);
        }
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
