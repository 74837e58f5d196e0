package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The changes that give neighbouring tablets new first keys. The splits are made first, then the
/// merges. Pure.
///
/// @param splits the new first keys, at which no tablet begins yet, ascending
/// @param removed the old first keys, at which no tablet will begin any more, ascending
public record ReshardPlan(List<Bytes> splits, List<Bytes> removed) {
    public static final int MAX_TABLETS = 10_000;

    public ReshardPlan {
        splits = List.copyOf(splits);
        removed = List.copyOf(removed);
    }

    /// Throws BAD_REQUEST if the keys cannot be the first keys of the tablets.
    ///
    /// @param span the tablets that are replaced: neighbours, in key order
    /// @param tableTablets the number of all tablets of the table
    public static ReshardPlan of(List<TabletInfo> span, int tableTablets, List<Bytes> pivots) {
        if (pivots.isEmpty() || !pivots.getFirst().equals(span.getFirst().range().from())) {
            throw refused(
                    "First pivot key must match that of the first tablet in the resharded range");
        }
        Bytes to = span.getLast().range().to();
        if (to != null && pivots.getLast().compareTo(to) >= 0) {
            throw refused(
                    "Last pivot key must be strictly less than that of the tablet which follows the"
                            + " resharded range");
        }
        checkIncreasing(pivots);
        checkCount((long) tableTablets - span.size() + pivots.size());
        return of(span.stream().map(tablet -> tablet.range().from()).toList(), pivots);
    }

    /// The changes from tablets that begin at the keys `there` to tablets that begin at the keys
    /// `wanted`.
    static ReshardPlan of(List<Bytes> there, List<Bytes> wanted) {
        List<Bytes> removed = new ArrayList<>(new TreeSet<>(there));
        removed.removeIf(new HashSet<>(wanted)::contains);
        List<Bytes> splits = new ArrayList<>(wanted);
        splits.removeIf(new HashSet<>(there)::contains);
        return new ReshardPlan(splits, removed);
    }

    /// Throws BAD_REQUEST if the keys are not strictly increasing.
    public static void checkIncreasing(List<Bytes> keys) {
        for (int index = 1; index < keys.size(); index++) {
            if (keys.get(index - 1).compareTo(keys.get(index)) >= 0) {
                throw refused("Pivot keys must be strictly increasing");
            }
        }
    }

    /// Throws BAD_REQUEST if a table cannot have this number of tablets.
    public static void checkCount(long tablets) {
        if (tablets > MAX_TABLETS) {
            throw refused("Tablet count cannot exceed the limit of " + MAX_TABLETS);
        }
    }

    /// Groups of neighbours. The tablets of a group are to be merged into one.
    public List<List<Long>> merges(List<TabletInfo> tablets) {
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

    private static StatusException refused(String message) {
        return new StatusException(Status.BAD_REQUEST, message);
    }
}
