package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.Decision;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.catalog.ActionRows;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.State;
import io.cleave.control.action.ActionDecisions;
import io.cleave.control.action.TabletAction;
import io.cleave.control.action.TabletActions;
import io.cleave.schema.ObjectId;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// The decision log as actions need it: the decisions that became actions, and their ends.
///
/// Threads: any.
final class ActionLog implements ActionDecisions {
    private final DecisionLog log;
    private final Verdicts verdicts;
    private final Env env;

    private final ReentrantLock lock = new ReentrantLock();

    /// What was known when the decision was made, by the decision's number. There are as many as
    /// there are unfinished actions.
    @GuardedBy("lock")
    private final Map<Long, Reviewed> reviewed = new HashMap<>();

    private record Reviewed(TableReview review, Decision decision) {}

    ActionLog(DecisionLog log, Verdicts verdicts, Env env) {
        this.log = log;
        this.verdicts = verdicts;
        this.env = env;
    }

    /// The decisions whose actions are not finished.
    static Set<Long> goingOn(TabletActions actions) {
        return actions.unfinished().stream()
                .map(action -> action.content().decision())
                .filter(number -> number != 0)
                .collect(Collectors.toSet());
    }

    /// Adds a decision that the action with this id carries out; returns its number.
    long add(TableReview review, Decision decision, ObjectId actionId) {
        long number =
                log.add(
                        TabletDecision.of(
                                        review.table(),
                                        review.range(decision),
                                        decision,
                                        State.RUNNING,
                                        env.wallMicros())
                                .by(actionId));
        lock.lock();
        try {
            reviewed.put(number, new Reviewed(review, decision));
        } finally {
            lock.unlock();
        }
        return number;
    }

    /// Adds a decision whose action was not allowed to begin.
    void refused(TableReview review, Decision decision, StatusException e) {
        long number =
                log.add(
                        TabletDecision.of(
                                review.table(),
                                review.range(decision),
                                decision,
                                State.RUNNING,
                                env.wallMicros()));
        log.failed(
                number,
                0,
                e.issues().isEmpty() ? "" + e.status() : e.issues().getFirst().message());
    }

    @Override
    public void save(ActionRows.Change change) {
        log.save(env.wallMicros(), change);
    }

    @Override
    public void ended(TabletAction action, long tookMicros, List<TabletInfo> tablets) {
        long number = action.content().decision();
        if (number == 0) {
            return;
        }
        if (action.state() == TabletAction.State.COMPLETED) {
            log.done(number, tookMicros, DecisionRun.text(tablets));
        } else {
            log.failed(number, tookMicros, action.error());
        }
        Reviewed before = take(number);
        if (before != null && !tablets.isEmpty()) {
            verdicts.expect(number, before.review, before.decision, tablets, env.wallMicros());
        }
    }

    private @Nullable Reviewed take(long number) {
        lock.lock();
        try {
            return reviewed.remove(number);
        } finally {
            lock.unlock();
        }
    }
}
