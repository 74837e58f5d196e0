package io.cleave.balance;

import io.cleave.base.Check;
import io.cleave.schema.Balancer;

import java.util.List;
import java.util.Map;

/// The policies of all balancers. Each policy sees all tables, because the tablets of all tables
/// load the cells, but decides only about its own ([TableState#balancer]). So no table is changed
/// by two policies.
///
/// The policies are asked one at a time, because they are asked at different times.
public final class PolicyPerTable {
    private final Policy ydb;
    private final Policy yt;

    public PolicyPerTable(Policy ydb, Policy yt) {
        this.ydb = ydb;
        this.yt = yt;
    }

    /// What the balancer's policy decides, by table id. Fails if it names a table of another one.
    public Map<Long, List<Decision>> decide(
            Balancer balancer, ClusterState state, KeyFacts facts, BalanceSettings settings) {
        Policy policy =
                switch (balancer) {
                    case YDB -> ydb;
                    case YT -> yt;
                };
        Map<Long, List<Decision>> decisions = policy.decide(state, facts, settings);
        checkOwn(balancer, state, decisions);
        return decisions;
    }

    /// What keeps groups of YTsaurus' policy that are due from being balanced, by bundle.
    public Map<String, List<String>> problems(ClusterState state) {
        return yt.problems(state);
    }

    /// What YTsaurus' policy plans because a user asks for it. Fails if it names a table of another
    /// one.
    public Map<Long, List<Decision>> decide(
            BalanceCommand command, ClusterState state, KeyFacts facts) {
        Map<Long, List<Decision>> decisions = yt.decide(command, state, facts);
        checkOwn(Balancer.YT, state, decisions);
        return decisions;
    }

    private static void checkOwn(
            Balancer balancer, ClusterState state, Map<Long, List<Decision>> decisions) {
        int ownCount = 0;
        for (TableState table : state.tables()) {
            if (decisions.containsKey(table.table().id())) {
                Check.that(
                        table.balancer() == balancer,
                        "the policy %s has decided about %s",
                        balancer.text(),
                        table.table().path());
                ownCount++;
            }
        }
        Check.that(
                ownCount == decisions.size(),
                "the policy %s has decided about tables that are not there",
                balancer.text());
    }
}
