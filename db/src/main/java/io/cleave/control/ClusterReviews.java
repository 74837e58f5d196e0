package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellRemoval;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.PolicyPerTable;
import io.cleave.balance.TableState;
import io.cleave.base.Env;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Balancer;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Measures the cluster and asks the policies. The balancer asks them to act, and [BalancePlans] to
/// show what would be done.
///
/// Threads: any. While one measures, the others wait.
final class ClusterReviews {
    private final PolicyPerTable policies;
    private final BalanceSettings settings;
    private final Env env;

    /// Fair: the balancer waits for no more than what was asked before.
    private final ReentrantLock lock = new ReentrantLock(true);

    @GuardedBy("lock")
    private final ClusterWatch watch;

    ClusterReviews(Tablets tablets, PolicyPerTable policies, BalanceSettings settings, Env env) {
        this.policies = policies;
        this.settings = settings;
        this.env = env;
        watch = new ClusterWatch(tablets, settings);
    }

    /// What a policy decides about the cluster as it is.
    interface Question<T> {
        /// Answers from what was measured now.
        ///
        /// @param facts good only for the tables of the state
        T answer(ClusterState state, KeyFacts facts, PolicyPerTable policies);
    }

    /// Measures every table, and asks the policy of a balancer.
    List<TableReview> review(Balancer asked) {
        return ask(
                asked,
                (state, facts, _) -> {
                    Map<Long, List<Decision>> decisions =
                            policies.decide(asked, state, facts, settings);
                    // These moves are shown once, and not with the plans of each policy.
                    Map<Long, List<Decision>> leaving =
                            asked == Balancer.YDB ? CellRemoval.decide(state) : Map.of();
                    return state.tables().stream()
                            .map(
                                    table ->
                                            new TableReview(state, table, of(table, decisions))
                                                    .leaving(of(table, leaving)))
                            .toList();
                });
    }

    private static List<Decision> of(TableState table, Map<Long, List<Decision>> decisions) {
        return decisions.getOrDefault(table.table().id(), List.of());
    }

    /// Measures every table. Nothing else is measured until the question is answered.
    <T> T ask(Balancer asked, Question<T> question) {
        lock.lock();
        try {
            if (asked == Balancer.YT) {
                watch.forgetFigures();
            }
            return question.answer(watch.look(env.nanoTime()), watch, policies);
        } finally {
            lock.unlock();
        }
    }

    /// The current state of a table's tablets, with the locks counted since the previous call.
    List<TopTablets.Sample> samples(TableState table, long micros) {
        lock.lock();
        try {
            return watch.samples(table, micros);
        } finally {
            lock.unlock();
        }
    }

    /// Records that these tablets came from a tablet with this load that was split by load.
    void cutByLoad(long tableId, Collection<Long> children, double cores) {
        lock.lock();
        try {
            watch.cutByLoad(tableId, children, cores);
        } finally {
            lock.unlock();
        }
    }
}
