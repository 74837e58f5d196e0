package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.End;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.Helped;
import io.cleave.schema.KeyRange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/// Checks some time after a split, merge or move whether it helped, and records the verdict. The
/// check is due after two load windows; after a split ahead of growing keys it is due when the keys
/// should have reached the new tablet.
///
/// Threads: any.
final class Verdicts {
    /// A split helped if no piece has more than this share of the original.
    private static final double LESS = 0.8;

    /// Limit of pending verdicts. Beyond it the oldest are dropped.
    private static final int MOST = 200;

    private final DecisionLog log;
    private final BalanceSettings settings;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Expected> expected = new ArrayList<>();

    /// @param before the tablets that were changed
    /// @param cellCores CPU time of the cell of the first of them
    /// @param cellBytes size of the cell of the first of them
    /// @param made the resulting tablets, in key order
    private record Expected(
            long number,
            long tableId,
            Decision decision,
            List<TabletState> before,
            double cellCores,
            long cellBytes,
            List<TabletInfo> made,
            long dueMicros) {
        KeyRange range() {
            return new KeyRange(before.getFirst().range().from(), before.getLast().range().to());
        }

        double coresBefore() {
            return cores(before);
        }
    }

    private record Verdict(Helped helped, String why) {}

    Verdicts(DecisionLog log, BalanceSettings settings) {
        this.log = log;
        this.settings = settings;
    }

    /// Schedules a verdict about a change that made these tablets.
    void expect(
            long number,
            TableReview review,
            Decision decision,
            List<TabletInfo> made,
            long nowMicros) {
        Duration window = settings.loadWindow();
        Duration wait =
                decision.rule() == Rule.SPLIT_AHEAD
                        ? settings.tailHorizon().plus(window)
                        : window.multipliedBy(2);
        List<TabletState> before = review.tablets(decision);
        long cellId = before.getFirst().cellId();
        var awaited =
                new Expected(
                        number,
                        review.table().id(),
                        decision,
                        before,
                        cores(review.cluster().tabletsIn(cellId)),
                        bytes(review.cluster().tabletsIn(cellId)),
                        List.copyOf(made),
                        nowMicros + wait.toNanos() / 1000);
        lock.lock();
        try {
            if (expected.size() == MOST) {
                expected.removeFirst();
            }
            expected.add(awaited);
        } finally {
            lock.unlock();
        }
    }

    /// Gives the verdicts that are due, from the current state of the table.
    void look(ClusterState cluster, TableState state, long nowMicros) {
        long tableId = state.table().id();
        List<Expected> due = new ArrayList<>();
        lock.lock();
        try {
            expected.removeIf(
                    each ->
                            each.tableId == tableId
                                    && each.dueMicros <= nowMicros
                                    && due.add(each));
        } finally {
            lock.unlock();
        }
        for (Expected each : due) {
            KeyRange range = each.range();
            List<TabletState> now =
                    state.tablets().stream()
                            .filter(tablet -> tablet.range().intersects(range))
                            .toList();
            Verdict verdict = judge(each, cluster, now);
            log.change(each.number, entry -> entry.judged(verdict.helped, verdict.why));
        }
    }

    private Verdict judge(Expected each, ClusterState cluster, List<TabletState> now) {
        return switch (each.decision.rule()) {
            case SPLIT_BY_LOAD, SPLIT_UNEVEN -> byLoad(each, now);
            case SPLIT_BY_SATURATION -> bySaturation(each, now);
            case SPLIT_AHEAD -> ahead(each, now);
            case SPLIT_BY_SIZE, SPLIT_BY_FORCE -> bySize(each, now);
            case MOVE_BY_LOAD, MOVE_BY_SIZE -> ofMove(each, cluster);
            default ->
                    verdict(
                            now.size() == 1,
                            "tablets in their range now: %d; the hottest has %s"
                                    .formatted(now.size(), percent(hottest(now))));
        };
    }

    private static Verdict byLoad(Expected each, List<TabletState> now) {
        return verdict(
                hottest(now) <= each.coresBefore() * LESS,
                "the hottest of %d tablets has %s; before: %s"
                        .formatted(now.size(), percent(hottest(now)), percent(each.coresBefore())));
    }

    private static double hottest(List<TabletState> tablets) {
        return tablets.stream().mapToDouble(TabletState::cores).max().orElse(0);
    }

    /// Compares waiting commits, not CPU time: when commits no longer wait, there are more of them,
    /// and they use more CPU time than before.
    private Verdict bySaturation(Expected each, List<TabletState> now) {
        String why =
                String.format(
                        Locale.ROOT,
                        "at most %.2f commits wait for one of %d tablets, and at most %.2f are"
                                + " refused per second; before: %.2f and %.2f",
                        queue(now),
                        now.size(),
                        rejects(now),
                        queue(each.before),
                        rejects(each.before));
        return verdict(saturation(now) <= saturation(each.before) * LESS, why);
    }

    private double saturation(List<TabletState> tablets) {
        return Math.max(
                queue(tablets) / settings.splitQueue(), rejects(tablets) / settings.splitRejects());
    }

    private static double queue(List<TabletState> tablets) {
        return tablets.stream().mapToDouble(TabletState::queue).max().orElse(0);
    }

    private static double rejects(List<TabletState> tablets) {
        return tablets.stream().mapToDouble(TabletState::rejects).max().orElse(0);
    }

    /// Whether new keys go to the tablet that was opened for them. Unknown if the load has gone or
    /// the tablet was merged.
    private static Verdict ahead(Expected each, List<TabletState> now) {
        TabletInfo opened = opened(each);
        List<TabletState> there = new ArrayList<>();
        List<TabletState> behind = new ArrayList<>();
        for (TabletState tablet : now) {
            KeyRange part = tablet.range().intersection(opened.range());
            if (!part.isEmpty() && !part.equals(tablet.range())) {
                return new Verdict(
                        Helped.NOT_KNOWN, "the tablet that was opened has been merged since");
            }
            (part.isEmpty() ? behind : there).add(tablet);
        }
        long newRows = there.stream().mapToLong(TabletState::rows).sum() - opened.rows();
        double loadThere = cores(there);
        double loadBehind = cores(behind);
        String seen =
                ("%d new rows are in the tablet that was opened, which has %s; the other tablets"
                                + " have %s; before: %s")
                        .formatted(
                                Math.max(0, newRows),
                                percent(loadThere),
                                percent(loadBehind),
                                percent(each.coresBefore()));
        // Existing rows may be rewritten in key order, which adds load but no rows.
        if (newRows > 0 || loadThere > loadBehind) {
            return new Verdict(Helped.YES, seen);
        }
        return new Verdict(
                loadBehind > each.coresBefore() * LESS ? Helped.NO : Helped.NOT_KNOWN, seen);
    }

    private static TabletInfo opened(Expected each) {
        boolean isFirst =
                ((Split) each.decision)
                        .opening()
                        .filter(opening -> opening.end() == End.FIRST)
                        .isPresent();
        return isFirst ? each.made.getFirst() : each.made.getLast();
    }

    private static Verdict bySize(Expected each, List<TabletState> now) {
        long largest = now.stream().mapToLong(TabletState::bytes).max().orElse(0);
        long before = bytes(each.before);
        return verdict(
                largest < before * LESS,
                "the largest of %d tablets has %s; before: %s"
                        .formatted(now.size(), megabytes(largest), megabytes(before)));
    }

    /// Whether the cell has less than before of what the tablet was moved for.
    private static Verdict ofMove(Expected each, ClusterState cluster) {
        var move = (Move) each.decision;
        double cores = cores(cluster.tabletsIn(move.fromCellId()));
        long bytes = bytes(cluster.tabletsIn(move.fromCellId()));
        return verdict(
                move.rule() == Rule.MOVE_BY_LOAD ? cores < each.cellCores : bytes < each.cellBytes,
                "cell %d has %s and %s; before: %s and %s"
                        .formatted(
                                move.fromCellId(),
                                percent(cores),
                                megabytes(bytes),
                                percent(each.cellCores),
                                megabytes(each.cellBytes)));
    }

    private static double cores(List<TabletState> tablets) {
        return tablets.stream().mapToDouble(TabletState::cores).sum();
    }

    private static long bytes(List<TabletState> tablets) {
        return tablets.stream().mapToLong(TabletState::bytes).sum();
    }

    private static Verdict verdict(boolean helped, String why) {
        return new Verdict(helped ? Helped.YES : Helped.NO, why);
    }

    private static String percent(double cores) {
        return String.format(Locale.ROOT, "%.1f %% of a core", cores * 100);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / (double) (1 << 20));
    }
}
