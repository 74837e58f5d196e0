package io.cleave.yt;

import io.cleave.base.Env;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletBalancer;
import io.cleave.query.Database;
import io.cleave.tree.CypressTree;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.table.StoredTableNodes;
import io.cleave.yt.table.TableCommands;
import io.cleave.yt.table.TypedComputedColumns;
import io.cleave.yt.table.YtTables;
import io.cleave.yt.table.query.QueryCommands;
import io.cleave.yt.table.row.RowCommands;
import io.cleave.yt.table.row.RowTransactions;
import io.cleave.yt.tree.BundleOutlook;
import io.cleave.yt.tree.TreeCommands;
import io.cleave.yt.tree.TreeService;

import java.util.ArrayList;
import java.util.List;

/// The commands of all packages on a store.
///
/// @param all all commands except `execute_batch`, which needs the others
/// @param expire aborts the transactions whose clients no longer ping them; to be called
///   periodically
public record YtCommands(List<Command> all, Runnable expire) {
    /// The parts of a store that commands work on.
    public record Store(
            Env env,
            Database database,
            Tablets tablets,
            Resharding resharding,
            OptimisticTransactions transactions,
            TabletBalancer balancer,
            BundleOutlook outlook) {}

    static YtCommands of(Store store) {
        Env env = store.env();
        var tables =
                new YtTables(
                        store.database(),
                        store.tablets(),
                        store.resharding(),
                        store.transactions(),
                        new TypedComputedColumns(),
                        store.balancer());
        var tree =
                new TreeService(
                        new CypressTree(store.tablets(), env),
                        new StoredTableNodes(tables),
                        new BundleCells(store.tablets().cellLifecycle()),
                        store.outlook(),
                        store.database().memory().transactions());
        var rowTransactions = new RowTransactions(store.database(), env);
        List<Command> all = new ArrayList<>();
        all.addAll(SystemCommands.all(store.transactions()::timestamp));
        all.addAll(RefusedCommands.all());
        all.addAll(TreeCommands.all(tree, rowTransactions));
        all.addAll(
                TableCommands.all(
                        tables, (call, path) -> resolved(tree, call, path), tree::checkUse));
        all.addAll(
                RowCommands.all(
                        store.database(),
                        (call, path) -> resolved(tree, call, path),
                        rowTransactions));
        all.addAll(
                QueryCommands.all(
                        store.database(),
                        (call, path) -> resolved(tree, call, path),
                        new TransactionSnapshots(store.database(), rowTransactions)));
        return new YtCommands(
                all,
                () -> {
                    // The tree comes last, because its transactions cannot be aborted when the log
                    // has failed.
                    rowTransactions.expire();
                    tree.expire();
                });
    }

    /// The path of a table in the database.
    private static String resolved(TreeService tree, CommandCall call, String path) {
        return tree.tablePath(call, path);
    }
}
