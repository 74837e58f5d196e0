package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.cluster.PartitionDecision.Helped;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/// Looks again at what was done, after two load windows, and says whether it has helped.
///
/// Threads: any.
final class Verdicts {
    /// Of the load that was cut, the most that one piece may have.
    private static final double LESS = 0.8;

    /// More than that many are not waited for.
    private static final int MOST = 200;

    private final DecisionLog log;
    private final BalanceSettings settings;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Expected> expected = new ArrayList<>();

    private record Expected(
            long number,
            long tableId,
            KeyRange range,
            Decision decision,
            double cores,
            long dueMicros) {}

    private record Verdict(Helped helped, String why) {}

    Verdicts(DecisionLog log, BalanceSettings settings) {
        this.log = log;
        this.settings = settings;
    }

    /// It was done; the tablets had so much load before.
    void expect(
            long number,
            long tableId,
            KeyRange range,
            Decision decision,
            double cores,
            long nowMicros) {
        lock.lock();
        try {
            if (expected.size() == MOST) {
                expected.removeFirst();
            }
            long due = nowMicros + 2 * settings.loadWindow().toNanos() / 1000;
            expected.add(new Expected(number, tableId, range, decision, cores, due));
        } finally {
            lock.unlock();
        }
    }

    /// The table is so now.
    void look(long tableId, TableState state, long nowMicros) {
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
            List<TabletState> now =
                    state.tablets().stream()
                            .filter(tablet -> tablet.range().intersects(each.range))
                            .toList();
            Verdict verdict = judge(each, now);
            log.change(each.number, entry -> entry.judged(verdict.helped, verdict.why));
        }
    }

    private static Verdict judge(Expected each, List<TabletState> now) {
        double hottest = now.stream().mapToDouble(TabletState::cores).max().orElse(0);
        return switch (each.decision.rule()) {
            case SPLIT_BY_LOAD, SPLIT_UNEVEN, SPLIT_BY_SATURATION, SPLIT_AHEAD ->
                    verdict(
                            hottest <= each.cores * LESS,
                            "the hottest of %d tablets has %s; it was %s"
                                    .formatted(now.size(), percent(hottest), percent(each.cores)));
            case SPLIT_BY_SIZE, SPLIT_BY_FORCE -> {
                long largest =
                        now.stream()
                                .map(TabletState::bytes)
                                .max(Comparator.naturalOrder())
                                .orElse(0L);
                double before = each.decision.figures().getFirst().value();
                yield verdict(
                        largest < before * LESS,
                        "the largest of %d tablets has %s; it was %s"
                                .formatted(
                                        now.size(),
                                        megabytes((double) largest),
                                        megabytes(before)));
            }
            default ->
                    verdict(
                            now.size() == 1,
                            "of them there are now %d, the hottest with %s"
                                    .formatted(now.size(), percent(hottest)));
        };
    }

    private static Verdict verdict(boolean helped, String why) {
        return new Verdict(helped ? Helped.YES : Helped.NO, why);
    }

    private static String percent(double cores) {
        return String.format(Locale.ROOT, "%.1f %% of a core", cores * 100);
    }

    private static String megabytes(double bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / (1 << 20));
    }
}
