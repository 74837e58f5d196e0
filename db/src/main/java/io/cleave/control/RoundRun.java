package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.schedule.MinuteCheck.Missed;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletDecision.State;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletActions;
import io.cleave.control.round.RoundActions;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Makes the changes that rounds decide actions, and notes everything else. A change that fails is
/// not tried again; the next round decides anew.
///
/// Threads: any.
final class RoundRun implements RoundActions {
    private final Tablets tablets;
    private final TabletActions actions;
    private final ActionLog actionLog;
    private final DecisionLog log;
    private final BalanceSettings settings;
    private final Env env;

    RoundRun(
            Tablets tablets,
            TabletActions actions,
            ActionLog actionLog,
            DecisionLog log,
            BalanceSettings settings,
            Env env) {
        this.tablets = tablets;
        this.actions = actions;
        this.actionLog = actionLog;
        this.log = log;
        this.settings = settings;
        this.env = env;
    }

    @Override
    public boolean isBusy(String bundle) {
        return !actions.unfinished(bundle).isEmpty();
    }

    @Override
    public void begin(ClusterState cluster, TableState table, List<Decision> decisions) {
        var review = new TableReview(cluster, table, decisions);
        List<Leave> left = new ArrayList<>();
        for (Decision decision : decisions) {
            switch (decision) {
                case Leave leave -> {
                    left.add(leave);
                    if (left.size() <= VerboseLog.MOST_LINES) {
                        note(review, decision, State.NOTED);
                    }
                }
                case Warn _ -> note(review, decision, State.NOTED);
                case Split _, Merge _, Move _, Reshard _ -> {
                    if (settings.enabled()) {
                        begin(review, decision);
                    } else {
                        note(review, decision, State.PLANNED);
                    }
                }
            }
        }
        VerboseLog.log(pathInTree(table), table.bundle(), left);
    }

    private String pathInTree(TableState table) {
        return "/" + table.table().path().substring(tablets.database().length());
    }

    private void begin(TableReview review, Decision decision) {
        var isDecided = new AtomicBoolean();
        try {
            var _ =
                    actions.begin(
                            request(review, decision),
                            id -> {
                                isDecided.set(true);
                                return actionLog.add(review, decision, id);
                            });
        } catch (StatusException e) {
            // The tablets have changed since they were measured, there are too many actions, or the
            // catalog takes no writes.
            if (!isDecided.get()) {
                actionLog.refused(review, decision, e);
            }
        }
    }

    private static ActionRequest request(TableReview review, Decision decision) {
        Table table = review.table();
        if (decision instanceof Move move) {
            return ActionRequest.move(
                    table, move.tabletId(), move.toCellId(), Origin.BALANCER, Keeping.BALANCER);
        }
        List<Bytes> keys = new ArrayList<>();
        keys.add(review.range(decision).from());
        keys.addAll(decision.keys());
        return ActionRequest.reshard(
                table, decision.tabletIds(), keys, Origin.BALANCER, Keeping.BALANCER);
    }

    private void note(TableReview review, Decision decision, State state) {
        note(
                TabletDecision.of(
                        review.table(), review.range(decision), decision, state, env.wallMicros()));
    }

    private void note(TabletDecision entry) {
        boolean _ = log.say(entry);
    }

    @Override
    public void missed(Table table, Missed missed) {
        var warning =
                new Warn(
                        tablets.map(table).routes().getFirst().tabletId(),
                        Rule.WARN_MISSED_ROUND,
                        List.of(Figure.count("minutes", missed.count())),
                        List.of(),
                        missed.text());
        note(TabletDecision.of(table, KeyRange.ALL, warning, State.NOTED, env.wallMicros()));
    }
}
