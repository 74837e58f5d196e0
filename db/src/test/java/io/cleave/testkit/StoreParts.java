package io.cleave.testkit;

import io.cleave.base.Env;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.control.action.TabletActions;
import io.cleave.index.IndexBuilds;
import io.cleave.node.Store;
import io.cleave.tree.Indexes;
import io.cleave.tree.SchemeTree;
import io.cleave.txn.ColumnRows;
import io.cleave.txn.OptimisticTransactions;

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
