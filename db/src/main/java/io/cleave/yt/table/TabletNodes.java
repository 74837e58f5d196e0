package io.cleave.yt.table;

import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.tree.SystemObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tablets as clients see them: in `@tablets`, and as objects such as `#id/@state`.
record TabletNodes(YtTables tables) {
    static ObjectId id(TabletInfo tablet) {
        return ObjectId.of(ObjectType.TABLET, tablet.tabletId());
    }

    /// The cell of a tablet; empty if the tablet is not mounted.
    static Optional<String> cellId(Table table, TabletInfo tablet) {
        return YtTables.state(table, tablet) == MountState.UNMOUNTED
                ? Optional.empty()
                : Optional.of(ObjectId.of(ObjectType.TABLET_CELL, tablet.cellId()).text());
    }

    /// The value of `@tablets`.
    YsonNode list(Table table) {
        List<YsonNode> nodes = new ArrayList<>();
        List<TabletInfo> tablets = tables.tablets(table);
        for (int index = 0; index < tablets.size(); index++) {
            nodes.add(node(table, tablets.get(index), index));
        }
        return YsonNode.list(nodes);
    }

    private static YsonNode node(Table table, TabletInfo tablet, int index) {
        MountState state = YtTables.state(table, tablet);
        var node =
                YsonNode.map()
                        .with("index", index)
                        .with("performance_counters", counters(tablet))
                        .with("state", state.text())
                        .with("expected_state", state.finished().text())
                        .with("statistics", TabletSizes.of(tablet).statistics(false))
                        .with("tablet_id", id(tablet).text())
                        .with("pivot_key", PivotKeys.node(table, tablet.range().from()))
                        .with("error_count", 0)
                        .with("replication_error_count", 0);
        cellId(table, tablet).ifPresent(cell -> node.with("cell_id", cell));
        return node.build();
    }

    private static YsonNode counters(TabletInfo tablet) {
        return YsonNode.map()
                .with("dynamic_row_lookup_count", tablet.traffic().rowReads())
                .with("dynamic_row_lookup_rate", YsonNode.real(tablet.load().readsPerSecond()))
                .with("dynamic_row_write_count", tablet.traffic().rowUpdates())
                .with("dynamic_row_write_rate", YsonNode.real(tablet.load().writesPerSecond()))
                .build();
    }

    List<ObjectId> ids() {
        return tables.tablets().tables().stream()
                .filter(table -> !table.isIndexTable())
                .flatMap(table -> tables.tablets(table).stream())
                .map(TabletNodes::id)
                .toList();
    }

    Optional<SystemObject> find(ObjectId id) {
        if (id.typeCode() != ObjectType.TABLET.code()) {
            return Optional.empty();
        }
        for (Table table : tables.tablets().tables()) {
            boolean isThere =
                    tables.tablets().held().view().tablets(table.id()).stream()
                            .anyMatch(place -> place.tabletId() == id.number());
            if (isThere) {
                List<TabletInfo> tablets = tables.tablets(table);
                for (int index = 0; index < tablets.size(); index++) {
                    if (id(tablets.get(index)).equals(id)) {
                        return Optional.of(object(table, tablets.get(index), index));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private SystemObject object(Table table, TabletInfo tablet, int index) {
        MountState state = YtTables.state(table, tablet);
        SystemObject object =
                SystemObject.of(id(tablet), ObjectType.TABLET)
                        .with("state", YsonNode.text(state.text()))
                        .with("expected_state", YsonNode.text(state.finished().text()))
                        .with("index", YsonNode.of(index))
                        .with("table_path", YsonNode.text(tables.ypath(table)))
                        .with("pivot_key", PivotKeys.node(table, tablet.range().from()))
                        .with("statistics", () -> TabletSizes.of(tablet).statistics(false))
                        .with("performance_counters", () -> counters(tablet))
                        .with("mount_revision", YsonNode.of(table.version()))
                        .with("settings_revision", YsonNode.of(table.version()))
                        .with("in_memory_mode", YsonNode.text(YtSettings.of(table).inMemoryMode()))
                        .with("tablet_cell_bundle", YsonNode.text(Bundles.of(table)))
                        .with("error_count", YsonNode.of(0))
                        .with("errors", YsonNode.list())
                        .with("replication_error_count", YsonNode.of(0));
        Optional<String> cell = cellId(table, tablet);
        return cell.isPresent() ? object.with("cell_id", YsonNode.text(cell.get())) : object;
    }
}
