package io.cleave.yt.table;

import io.cleave.cluster.Bundles;
import io.cleave.control.action.Keeping;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;

/// The commands that ask the balancer to change tablets at once. They answer with the ids of the
/// actions, which go on in the background.
record BalancingCommands(YtTables tables, TablePaths paths, BundleUse use) {
    /// The command `reshard_table_automatic`.
    ///
    /// @param path of the table, in the catalog
    YsonNode reshard(CommandCall call, String path) {
        Table table = tables.table(path);
        use.check(call, Bundles.of(table));
        return ids(tables.balancer().commands().reshard(table, keeping(call)));
    }

    /// The command `balance_tablet_cells`.
    YsonNode balanceCells(CommandCall call) {
        String bundle = call.parameters().requireText("bundle");
        use.check(call, bundle);
        List<Table> named = new ArrayList<>();
        for (YsonNode path : paths(call.parameters())) {
            String text = path.string().orElseThrow(() -> mismatch("string", path));
            named.add(tables.table(paths.resolve(call, text)));
        }
        return ids(tables.balancer().commands().balanceCells(bundle, named, keeping(call)));
    }

    private static List<YsonNode> paths(CommandParameters parameters) {
        YsonNode given = parameters.find("tables").map(YsonNode::bare).orElseGet(YsonNode::list);
        if (given instanceof YsonNode.Items(List<YsonNode> items)) {
            return items;
        }
        throw mismatch("list", given);
    }

    private static YtException mismatch(String expected, YsonNode given) {
        return new YtException(
                YtCodes.GENERIC,
                "Cannot parse parameter /tables: expected \"%s\", got \"%s\""
                        .formatted(expected, CommandParameters.typeName(given)));
    }

    /// Clients that wait for the actions want them to be kept.
    private static Keeping keeping(CommandCall call) {
        return call.parameters().flag("keep_actions", false) ? Keeping.BALANCER : Keeping.SHORT;
    }

    private static YsonNode ids(List<ObjectId> actions) {
        return YsonNode.texts(actions.stream().map(ObjectId::text).toList());
    }
}
