package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.TabletState;
import io.cleave.lsm.TreeStatistics;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockCounts;
import io.cleave.schema.MountState;
import io.cleave.schema.TabletCounters;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletStatistics;
import io.cleave.tablet.meter.TabletMeter.Totals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToDoubleFunction;

/// The recent load of one tablet, computed from its counters at regular looks.
///
/// Threads: one at a time.
final class TabletWatch {
    /// The number of parts of the merge window; a peak is kept for each.
    private static final int PARTS = 20;

    private static final double NANOS_PER_SECOND = 1e9;

    /// The counters are for rules that go by minutes.
    private static final long COUNTERS_NANOS = 5_000_000_000L;

    private final BalanceSettings settings;
    private final Route route;
    private final TabletStatistics tablet;
    private final long beganNanos;

    /// The counters at earlier looks, oldest first. The first is at least as old as the load
    /// window, unless nothing happened before it.
    private final Deque<Mark> marks = new ArrayDeque<>();

    /// The greatest load in each part of the merge window.
    private final Deque<Peak> peaks = new ArrayDeque<>();

    private long changeCount = -1;
    private TreeStatistics statistics;
    private double cores;
    private double lateCores;
    private double queue;
    private double rejects;
    private TabletCounters counters;
    private long countedNanos;

    /// The lock counts at the last call of `takeLocks`.
    private LockCounts locks = LockCounts.NONE;

    private record Mark(long nanos, Totals totals) {}

    private record Peak(long fromNanos, double cores, double queue) {}

    TabletWatch(Route route, BalanceSettings settings, long nowNanos) {
        this.route = route;
        tablet = route.statistics();
        this.settings = settings;
        beganNanos = nowNanos;
        statistics = tablet.statistics();
        counters = tablet.counters();
        countedNanos = nowNanos;
        marks.add(new Mark(nowNanos, tablet.totals()));
    }

    boolean isOf(Route other) {
        return route.equals(other);
    }

    TabletStatistics tablet() {
        return tablet;
    }

    KeyRange range() {
        return route.range();
    }

    /// The estimated size of its rows.
    long bytes() {
        return statistics.leftBytes();
    }

    TabletCounters counters() {
        return counters;
    }

    /// Continues the rates of the tablets that had its keys before.
    void continueRates(TabletCounters earlier) {
        tablet.continueRates(earlier);
        counters = tablet.counters();
    }

    /// Lets the next measurement compute all figures anew: blocks are pinned without a change of
    /// the tablet's contents.
    void forgetFigures() {
        changeCount = -1;
    }

    /// Takes a new measurement.
    void look(long nowNanos) {
        tablet.look();
        Totals totals = tablet.totals();
        if (tablet.changeCount() != changeCount) {
            changeCount = tablet.changeCount();
            statistics = tablet.statistics();
        }
        if (nowNanos - countedNanos >= COUNTERS_NANOS) {
            counters = tablet.counters();
            countedNanos = nowNanos;
        }
        Mark first = marks.getFirst();
        // If the tablet existed before the first mark, nothing happened in that time.
        long least = Math.min(settings.loadWindow().toNanos(), nowNanos - beganNanos);
        double seconds = Math.max(least, nowNanos - first.nanos) / NANOS_PER_SECOND;
        if (seconds > 0) {
            Totals from = first.totals;
            cores = (totals.cpuNanos() - from.cpuNanos()) / NANOS_PER_SECOND / seconds;
            queue = (totals.waitNanos() - from.waitNanos()) / NANOS_PER_SECOND / seconds;
            rejects = (totals.rejects() - from.rejects()) / seconds;
            lateCores = lateCores(totals, nowNanos);
        }
        if (totals.equals(first.totals)) {
            // An idle tablet needs only one mark.
            marks.clear();
        }
        marks.addLast(new Mark(nowNanos, totals));
        long window = settings.loadWindow().toNanos();
        while (marks.size() > 2 && nowNanos - second(marks).nanos >= window) {
            marks.removeFirst();
        }
        if (nowNanos - beganNanos >= window) {
            peak(nowNanos);
        }
    }

    /// The load over the later half of the load window.
    private double lateCores(Totals totals, long nowNanos) {
        Mark from = marks.getFirst();
        for (Mark mark : marks) {
            if (nowNanos - mark.nanos >= settings.loadWindow().toNanos() / 2) {
                from = mark;
            }
        }
        long half = Math.max(settings.loadWindow().toNanos() / 2, nowNanos - from.nanos);
        return (double) (totals.cpuNanos() - from.totals.cpuNanos()) / half;
    }

    private static Mark second(Deque<Mark> all) {
        var iterator = all.iterator();
        iterator.next();
        return iterator.next();
    }

    private void peak(long nowNanos) {
        long part = settings.mergeWindow().toNanos() / PARTS;
        Peak last = peaks.peekLast();
        if (last == null || nowNanos - last.fromNanos >= part) {
            peaks.addLast(new Peak(nowNanos, cores, queue));
        } else {
            peaks.removeLast();
            peaks.addLast(
                    new Peak(
                            last.fromNanos,
                            Math.max(cores, last.cores),
                            Math.max(queue, last.queue)));
        }
        while (nowNanos - peaks.getFirst().fromNanos > settings.mergeWindow().toNanos() + part) {
            peaks.removeFirst();
        }
    }

    /// The locks counted since the previous call.
    LockCounts takeLocks() {
        LockCounts before = locks;
        locks = tablet.traffic().locks();
        return locks.minus(before);
    }

    /// @param parentCores the load of the tablet that was split by load into this one; 0 if none
    ///   was
    TabletState state(long nowNanos, double parentCores, MountState mountState) {
        Totals totals = tablet.totals();
        return new TabletState(
                route.tabletId(),
                route.cellId(),
                route.range(),
                statistics.leftBytes(),
                statistics.rows(),
                cores,
                lateCores,
                greatest(Peak::cores, cores),
                queue,
                greatest(Peak::queue, queue),
                rejects,
                (nowNanos - beganNanos) / 1_000_000,
                parentCores,
                totals.longestKeyBytes(),
                totals.largestChangeBytes(),
                statistics.tableBytes() + statistics.unflushedBytes(),
                statistics.pinnedBytes(),
                mountState,
                counters);
    }

    /// The greatest figure of the merge window; the present one if the window has no figures yet.
    private double greatest(ToDoubleFunction<Peak> figure, double present) {
        if (peaks.isEmpty()) {
            return present;
        }
        double greatest = Double.NEGATIVE_INFINITY;
        for (Peak peak : peaks) {
            greatest = Math.max(greatest, figure.applyAsDouble(peak));
        }
        return greatest;
    }
}
