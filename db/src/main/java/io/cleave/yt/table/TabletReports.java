package io.cleave.yt.table;

import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.YtTimestamps;
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
        long barrier = tables.transactions().visible();
        for (YsonNode index : indexes) {
            infos.add(info(tablet(path, tablets, index.bare()), barrier));
        }
        return YsonNode.map().with("tablets", YsonNode.list(infos)).build();
    }

    private TabletInfo tablet(String path, List<TabletInfo> tablets, YsonNode index) {
        long number =
                switch (index) {
                    case YsonNode.Int64(long signed) -> signed;
                    case YsonNode.Uint64(long unsigned) -> unsigned;
                    default ->
                            throw new YtException(
                                    YtCodes.GENERIC,
                                    "Cannot parse parameter /tablet_indexes: expected \"int64\", got \"%s\""
                                            .formatted(CommandParameters.typeName(index)));
                };
        if (number < 0 || number >= tablets.size()) {
            throw new YtException(
                    YtCodes.NO_SUCH_TABLET,
                    "Invalid tablet index for table %s: expected in range [0,%d], got %d"
                            .formatted(
                                    tables.ypath(tables.table(path)), tablets.size() - 1, number));
        }
        return tablets.get((int) number);
    }

    /// As in YTsaurus, row counts are those of ordered tables, and 0 for other tables. The barrier
    /// is a timestamp. All commits up to it have reached their tablets.
    private static YsonNode info(TabletInfo tablet, long barrier) {
        return YsonNode.map()
                .with("total_row_count", 0)
                .with("trimmed_row_count", 0)
                .with("delayed_lockless_row_count", 0)
                .with("barrier_timestamp", timestamp(barrier))
                .with("last_write_timestamp", timestamp(tablet.health().lastCommit()))
                .with("tablet_id", MountGate.tabletId(tablet.tabletId()))
                .build();
    }

    private static YsonNode timestamp(long micros) {
        return micros == 0 ? new YsonNode.Uint64(0) : YtTimestamps.node(micros);
    }

    /// The tablets whose background work fails, as far as the server knows. A failed compaction is
    /// retried, and is reported only in the server's log.
    YsonNode errors(String path) {
        var errors = YsonNode.map();
        for (TabletInfo tablet : tables.tablets(tables.table(path))) {
            tablet.health()
                    .flushFailure()
                    .ifPresent(
                            why ->
                                    errors.with(
                                            MountGate.tabletId(tablet.tabletId()),
                                            YsonNode.list(List.of(flushFailure(tablet, why)))));
        }
        return YsonNode.map()
                .with("tablet_errors", errors.build())
                .with("replication_errors", YsonNode.Members.EMPTY)
                .build();
    }

    private static YsonNode flushFailure(TabletInfo tablet, String why) {
        return YsonNode.map()
                .with("code", YtCodes.GENERIC)
                .with("message", "Error flushing tablet store: " + why)
                .with(
                        "attributes",
                        YsonNode.map()
                                .with("background_activity", "flush")
                                .with("tablet_id", MountGate.tabletId(tablet.tabletId()))
                                .build())
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
