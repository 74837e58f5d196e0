package io.cleave.yt.table;

import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;

/// Answers the commands that ask about tablets.
record TabletReports(YtTables tables) {
    YsonNode infos(String path, CommandParameters parameters) {
        Table table = tables.table(path);
        List<TabletInfo> tablets = tables.tablets(table);
        if (!(parameters.require("tablet_indexes").bare() instanceof YsonNode.Items(var indexes))) {
            throw new YtException(
                    YtCodes.GENERIC, "Cannot parse parameter /tablet_indexes: expected \"list\"");
        }
        List<YsonNode> infos = new ArrayList<>();
        for (YsonNode index : indexes) {
            infos.add(info(tablet(tablets, index.bare())));
        }
        return YsonNode.map().with("tablets", YsonNode.list(infos)).build();
    }

    private static TabletInfo tablet(List<TabletInfo> tablets, YsonNode index) {
        long number =
                switch (index) {
                    case YsonNode.Int64(long signed) -> signed;
                    case YsonNode.Uint64(long unsigned) -> unsigned;
                    default -> -1;
                };
        if (number < 0 || number >= tablets.size()) {
            throw new YtException(
                    YtCodes.NO_SUCH_TABLET,
                    "Tablet index %s is out of range [0, %d]"
                            .formatted(index.print(), tablets.size() - 1));
        }
        return tablets.get((int) number);
    }

    /// Row counts are those of ordered tables, and 0 for others, as in YTsaurus.
    private static YsonNode info(TabletInfo tablet) {
        return YsonNode.map()
                .with("total_row_count", 0)
                .with("trimmed_row_count", 0)
                .with("delayed_lockless_row_count", 0)
                .withUint("barrier_timestamp", 0)
                .withUint("last_write_timestamp", 0)
                .with("tablet_id", MountGate.tabletId(tablet.tabletId()))
                .build();
    }

    /// Tablets of this server have no errors that clients could clear.
    YsonNode errors(String path) {
        var _ = tables.table(path);
        return YsonNode.map()
                .with("tablet_errors", YsonNode.Members.EMPTY)
                .with("replication_errors", YsonNode.Members.EMPTY)
                .build();
    }

    YsonNode pivotKeys(String path) {
        Table table = tables.table(path);
        return YsonNode.list(
                tables.tablets(table).stream()
                        .map(tablet -> PivotKeys.node(table, tablet.range().from()))
                        .toList());
    }
}
