package io.cleave.control;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Carries out the decisions about a table, and records their outcome in the decision log.
///
/// Threads: any; one at a time for each table.
final class DecisionRun {
    private static final System.Logger LOGGER = System.getLogger(DecisionRun.class.getName());
    private static final double MICROS_PER_SECOND = 1e6;

    private final Tablets tablets;
    private final Resharding resharding;
    private final DecisionLog log;
    private final Verdicts verdicts;
    private final Env env;

    DecisionRun(
            Tablets tablets, Resharding resharding, DecisionLog log, Verdicts verdicts, Env env) {
        this.tablets = tablets;
        this.resharding = resharding;
        this.log = log;
        this.verdicts = verdicts;
        this.env = env;
    }

    /// The result of a change.
    ///
    /// @param tablets in key order
    /// @param trouble a part of the change that was not done, in words; empty if all was done
    private record Made(List<TabletInfo> tablets, String trouble) {
        String text() {
            List<String> ids = tablets.stream().map(tablet -> "" + tablet.tabletId()).toList();
            return (ids.size() == 1 ? "tablet " : "tablets ")
                    + String.join(", ", ids)
                    + (trouble.isEmpty() ? "" : "; " + trouble);
        }
    }

    /// Returns the tablets that the change made, in key order; none if it failed.
    List<TabletInfo> run(TableReview review, Decision decision) {
        Table table = review.table();
        long number =
                log.add(
                        TabletDecision.of(
                                table,
                                review.range(decision),
                                decision,
                                State.RUNNING,
                                env.wallMicros()));
        // Saved before the change, so that its reason is known even after a crash.
        log.save(env.wallMicros());
        long began = env.nanoTime();
        List<TabletInfo> changed = List.of();
        String outcome;
        try {
            Made made = change(table, decision);
            changed = made.tablets();
            outcome = made.text();
            log.done(number, micros(began), outcome);
            verdicts.expect(number, review, decision, changed, env.wallMicros());
        } catch (StatusException e) {
            outcome = String.valueOf(e.getMessage());
            log.failed(number, micros(began), outcome);
        } catch (RuntimeException e) {
            // No caller waits for this; without an outcome the decision would be shown as running
            // for ever.
            outcome = String.valueOf(e);
            log.failed(number, micros(began), outcome);
            LOGGER.log(System.Logger.Level.WARNING, table.path() + " could not be partitioned", e);
        }
        String said = outcome;
        LOGGER.log(
                System.Logger.Level.INFO,
                () ->
                        "%s: %s; %s after %.3f s"
                                .formatted(
                                        table.path(),
                                        decision.text(key -> KeyText.of(table, key)),
                                        said,
                                        micros(began) / MICROS_PER_SECOND));
        return changed;
    }

    private long micros(long sinceNanos) {
        return (env.nanoTime() - sinceNanos) / 1000;
    }

    private Made change(Table table, Decision decision) {
        return switch (decision) {
            case Split split -> {
                List<TabletInfo> made = resharding.split(table, split.keys());
                yield switch (split.placement()) {
                    case STAY -> new Made(made, "");
                    case LAST_ELSEWHERE -> spread(table, made, made.size() - 1);
                    case FIRST_ELSEWHERE -> spread(table, made, 0);
                };
            }
            // A tablet id belongs to one table, so another table at this path is refused.
            case Merge merge ->
                    new Made(List.of(resharding.merge(table.path(), merge.tabletIds())), "");
            case Leave _, Warn _ -> new Made(List.of(), "");
        };
    }

    /// Moves one of the new tablets to the cell of the table's bundle with the fewest tablets of
    /// this table. A failed move does not undo the split.
    private Made spread(Table table, List<TabletInfo> made, int index) {
        TabletInfo moved = made.get(index);
        try {
            Optional<Long> target = emptiest(table, moved.cellId());
            if (target.isEmpty()) {
                return new Made(made, "");
            }
            List<TabletInfo> spread = new ArrayList<>(made);
            spread.set(index, resharding.move(table.path(), moved.tabletId(), target.get()));
            return new Made(spread, "");
        } catch (StatusException e) {
            return new Made(made, notMoved(moved, String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a tablet of " + table.path() + " could not be moved",
                    e);
            return new Made(made, notMoved(moved, e.toString()));
        }
    }

    private static String notMoved(TabletInfo tablet, String why) {
        return "tablet %d could not be moved: %s".formatted(tablet.tabletId(), why);
    }

    private Optional<Long> emptiest(Table table, long exceptCellId) {
        Map<Long, Long> counts = new HashMap<>();
        for (long cellId : tablets.bundle(table)) {
            if (cellId != exceptCellId) {
                counts.put(cellId, 0L);
            }
        }
        for (TabletInfo tablet : tablets.infos(table)) {
            counts.computeIfPresent(tablet.cellId(), (_, count) -> count + 1);
        }
        return counts.entrySet().stream()
                .min(
                        Map.Entry.<Long, Long>comparingByValue()
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey);
    }
}
