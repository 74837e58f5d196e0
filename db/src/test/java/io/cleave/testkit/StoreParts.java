package io.cleave.testkit;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Policy;
import io.cleave.balance.PolicyPerTable;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Env;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletBalancer;
import io.cleave.control.action.TabletActions;
import io.cleave.index.IndexBuilds;
import io.cleave.node.Store;
import io.cleave.tree.Indexes;
import io.cleave.tree.SchemeTree;
import io.cleave.txn.ColumnRows;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.yt.table.query.MetricExpressions;

import java.util.Map;

/// What a node builds on its store, up to the tree of tables.
public record StoreParts(
        Tablets tablets,
        Resharding resharding,
        Indexes indexes,
        OptimisticTransactions transactions,
        IndexBuilds builds,
        SchemeTree tree) {
    /// The actions of the store. Nobody carries them out yet.
    public TabletActions actions(Store store, Env env) {
        return new TabletActions(tablets, resharding, store.catalog().actions(), env);
    }

    /// A balancer of the store that changes nothing by YDB's rules, and no tablet is too small for
    /// YTsaurus' rules. It is not started.
    public TabletBalancer balancer(Store store, Env env) {
        Policy nothing = (_, _, _) -> Map.of();
        return new TabletBalancer(
                tablets,
                resharding,
                store.catalog().decisions(),
                store.catalog().rounds(),
                actions(store, env),
                new PolicyPerTable(
                        nothing,
                        new YtPolicy(new ReshardOptions(0, false, true), new MetricExpressions())),
                BalanceSettings.DEFAULT,
                env);
    }

    public static StoreParts of(Store store, Env env) {
        Tablets tablets = store.tablets();
        var resharding = new Resharding(tablets, env);
        var indexes = new Indexes(tablets, env);
        var transactions = new OptimisticTransactions(tablets, env);
        var builds = new IndexBuilds(tablets, resharding, indexes, transactions, env);
        var columnWork = new ColumnRows(tablets, transactions, env);
        var tree = new SchemeTree(tablets, indexes, builds, columnWork, env);
        return new StoreParts(tablets, resharding, indexes, transactions, builds, tree);
    }
}
