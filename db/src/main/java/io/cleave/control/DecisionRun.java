package io.cleave.control;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.End;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Opening;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;

/// Carries out the decisions about a table, and records their outcome in the decision log.
///
/// Threads: any; one at a time for each table.
final class DecisionRun {
    private static final System.Logger LOGGER = System.getLogger(DecisionRun.class.getName());
    private static final double MICROS_PER_SECOND = 1e6;

    private final Resharding resharding;
    private final DecisionLog log;
    private final Verdicts verdicts;
    private final Env env;

    DecisionRun(Resharding resharding, DecisionLog log, Verdicts verdicts, Env env) {
        this.resharding = resharding;
        this.log = log;
        this.verdicts = verdicts;
        this.env = env;
    }

    /// The result of a change.
    ///
    /// @param tablets in key order
    /// @param trouble a part of the change that was not done, in words; empty if all was done
    private record Outcome(List<TabletInfo> tablets, String trouble) {
        String text() {
            return DecisionRun.text(tablets) + (trouble.isEmpty() ? "" : "; " + trouble);
        }
    }

    /// The tablets that a change has made, in words.
    static String text(List<TabletInfo> tablets) {
        List<String> ids = tablets.stream().map(tablet -> "" + tablet.tabletId()).toList();
        return (ids.size() == 1 ? "tablet " : "tablets ") + String.join(", ", ids);
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
            Outcome made = change(review, decision);
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
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the tablets of " + table.path() + " could not be changed",
                    e);
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

    private Outcome change(TableReview review, Decision decision) {
        Table table = review.table();
        return switch (decision) {
            case Split split -> {
                List<TabletInfo> made = resharding.split(table, split.keys());
                yield split.opening()
                        .map(opening -> open(table, made, opening))
                        .orElse(new Outcome(made, ""));
            }
            // A tablet id belongs to one table, so another table at this path is refused.
            case Merge merge ->
                    new Outcome(List.of(resharding.merge(table.path(), merge.tabletIds())), "");
            case Move move ->
                    new Outcome(
                            List.of(
                                    resharding.move(
                                            table.path(), move.tabletId(), move.toCellId())),
                            "");
            case Reshard _ -> throw new IllegalStateException("a reshard is an action");
            case Leave _, Warn _ -> new Outcome(List.of(), "");
        };
    }

    /// Moves the tablet that was opened for growing keys to its cell. A failed move does not undo
    /// the split.
    private Outcome open(Table table, List<TabletInfo> made, Opening opening) {
        if (opening.cellId().isEmpty()) {
            return new Outcome(made, "");
        }
        int index = opening.end() == End.FIRST ? 0 : made.size() - 1;
        TabletInfo opened = made.get(index);
        try {
            List<TabletInfo> moved = new ArrayList<>(made);
            long cellId = opening.cellId().getAsLong();
            moved.set(index, resharding.move(table.path(), opened.tabletId(), cellId));
            return new Outcome(moved, "");
        } catch (StatusException e) {
            return new Outcome(made, notMoved(opened, String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a tablet of " + table.path() + " could not be moved",
                    e);
            return new Outcome(made, notMoved(opened, e.toString()));
        }
    }

    private static String notMoved(TabletInfo tablet, String why) {
        return "tablet %d could not be moved: %s".formatted(tablet.tabletId(), why);
    }
}
