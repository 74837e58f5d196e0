package io.cleave.yt.table;

import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Window;
import io.cleave.value.YsonNode;
import io.cleave.yt.tree.SystemObject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Tablets as clients see them: in `@tablets`, and as objects such as `#id/@state`.
record TabletNodes(YtTables tables) {
    static ObjectId id(TabletInfo tablet) {
        return ObjectId.of(ObjectType.TABLET, tablet.tabletId());
    }

    /// The cell of a tablet; empty if the tablet is not mounted.
    static Optional<String> cellId(Table table, TabletInfo tablet) {
        return YtTables.state(table, tablet) == MountState.UNMOUNTED
                ? Optional.empty()
                : Optional.of(cellText(tablet.cellId()));
    }

    private static String cellText(long cellId) {
        return ObjectId.of(ObjectType.TABLET_CELL, cellId).text();
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
                        .with("statistics", TabletSizes.of(table, tablet).ofTablet())
                        .with("tablet_id", id(tablet).text())
                        .with("pivot_key", PivotKeys.node(table, tablet.range().from()))
                        .with("error_count", 0)
                        .with("replication_error_count", 0);
        cellId(table, tablet).ifPresent(cell -> node.with("cell_id", cell));
        return node.build();
    }

    private static YsonNode counters(TabletInfo tablet) {
        TabletCounters counters = tablet.counters();
        var node = YsonNode.map();
        for (TabletCounter counter : TabletCounter.values()) {
            node.with(counter.text() + "_count", counters.count(counter));
            for (Window window : Window.values()) {
                double perSecond = counters.perSecond(counter, window);
                node.with(counter.text() + "_" + window.text(), YsonNode.real(perSecond));
            }
        }
        return node.build();
    }

    List<ObjectId> ids() {
        return shown().flatMap(table -> places(table).stream())
                .map(place -> ObjectId.of(ObjectType.TABLET, place.tabletId()))
                .toList();
    }

    /// The tables that clients see.
    private Stream<Table> shown() {
        return tables.tablets().tables().stream().filter(table -> !table.isIndexTable());
    }

    private List<TabletPlace> places(Table table) {
        return tables.tablets().held().view().tablets(table.id());
    }

    List<SystemObject> all() {
        List<SystemObject> all = new ArrayList<>();
        shown().forEach(
                        table -> {
                            var figures = new TableFigures(tables, table);
                            List<TabletPlace> places = places(table);
                            for (int index = 0; index < places.size(); index++) {
                                all.add(object(table, places.get(index), index, figures));
                            }
                        });
        return all;
    }

    Optional<SystemObject> find(ObjectId id) {
        if (id.typeCode() != ObjectType.TABLET.code()) {
            return Optional.empty();
        }
        for (Table table : tables.tablets().tables()) {
            List<TabletPlace> places = places(table);
            for (int index = 0; index < places.size(); index++) {
                TabletPlace place = places.get(index);
                if (ObjectId.of(ObjectType.TABLET, place.tabletId()).equals(id)) {
                    var figures = new TableFigures(tables, table);
                    return Optional.of(object(table, place, index, figures));
                }
            }
        }
        return Optional.empty();
    }

    /// What the tablets of a table are measured at, when somebody asks for one of them.
    private static final class TableFigures {
        private final YtTables tables;
        private final Table table;
        private Optional<Map<Long, TabletInfo>> byId = Optional.empty();

        TableFigures(YtTables tables, Table table) {
            this.tables = tables;
            this.table = table;
        }

        /// `#` if the tablet was split, merged or dropped meanwhile.
        YsonNode of(TabletPlace place, Function<TabletInfo, YsonNode> figures) {
            if (byId.isEmpty()) {
                Map<Long, TabletInfo> found = new HashMap<>();
                tables.tablets(table).forEach(tablet -> found.put(tablet.tabletId(), tablet));
                byId = Optional.of(found);
            }
            return Optional.ofNullable(byId.get().get(place.tabletId()))
                    .map(figures)
                    .orElseGet(YsonNode::entity);
        }
    }

    /// The unfinished action that changes the tablet.
    private Optional<YsonNode> actionId(Table table, TabletPlace place) {
        return tables.balancer()
                .actions()
                .holder(table.id(), place.tabletId(), place.range())
                .map(action -> YsonNode.text(action.id().text()));
    }

    private SystemObject object(Table table, TabletPlace place, int index, TableFigures figures) {
        MountState state = YtTables.states(table).at(place.range().from());
        Optional<YsonNode> cell =
                state == MountState.UNMOUNTED
                        ? Optional.empty()
                        : Optional.of(YsonNode.text(cellText(place.cellId())));
        return SystemObject.of(ObjectId.of(ObjectType.TABLET, place.tabletId()), ObjectType.TABLET)
                .with("state", YsonNode.text(state.text()))
                .with("expected_state", YsonNode.text(state.finished().text()))
                .with("index", YsonNode.of(index))
                .with("table_path", YsonNode.text(tables.ypath(table)))
                .with("pivot_key", () -> PivotKeys.node(table, place.range().from()))
                .with("cell_id", cell)
                .with("action_id", actionId(table, place))
                .withOpaque(
                        "statistics",
                        () -> figures.of(place, tablet -> TabletSizes.of(table, tablet).ofTablet()))
                .withOpaque("performance_counters", () -> figures.of(place, TabletNodes::counters))
                .with("mount_revision", YsonNode.of(table.version()))
                .with("settings_revision", YsonNode.of(table.version()))
                .with("in_memory_mode", YsonNode.text(YtSettings.of(table).inMemoryMode()))
                .with("tablet_cell_bundle", YsonNode.text(Bundles.of(table)))
                .with("error_count", YsonNode.of(0))
                .with("errors", YsonNode.list())
                .with("replication_error_count", YsonNode.of(0))
                .build();
    }
}
