package io.cleave.yt.table;

import io.cleave.balance.yt.settings.OldAttributes;
import io.cleave.balance.yt.settings.TableConfig;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.MountState;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.tree.TableNodes.Attribute;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The attributes of tables, computed when they are asked for.
///
/// Threads: any.
final class TableAttributes {
    /// Whose rules split, merge and move the tablets: `yt` or `ydb`. YTsaurus has no such
    /// attribute.
    static final String BALANCER = "balancer";

    private final YtTables tables;
    private final Map<String, Computed> computed = new LinkedHashMap<>();
    private final List<Attribute> all = new ArrayList<>();

    private interface Computed {
        Optional<YsonNode> value(Table table);
    }

    TableAttributes(YtTables tables) {
        this.tables = tables;
        var nodes = new TabletNodes(tables);
        plain("dynamic", _ -> YsonNode.bool(true));
        plain("sorted", _ -> YsonNode.bool(true));
        plain("unique_keys", _ -> YsonNode.bool(true));
        plain("key_columns", TableAttributes::keyColumns);
        plain("sorted_by", TableAttributes::keyColumns);
        plain("schema", table -> TableSchemas.of(table).node());
        plain("schema_mode", _ -> YsonNode.text("strong"));
        plain("tablet_state", table -> YsonNode.text(state(table, TableAttributes::now)));
        plain("actual_tablet_state", table -> YsonNode.text(state(table, TableAttributes::now)));
        plain(
                "expected_tablet_state",
                table -> YsonNode.text(state(table, TableAttributes::expected)));
        plain("tablet_count", table -> YsonNode.of(tables.tablets(table).size()));
        opaque("tablet_count_by_state", table -> counts(table, TableAttributes::now));
        opaque("tablet_count_by_expected_state", table -> counts(table, TableAttributes::expected));
        opaque("tablets", nodes::list);
        opaque("pivot_keys", this::pivotKeys);
        opaque("tablet_statistics", table -> sizes(table).ofTablets());
        plain("tablet_error_count", _ -> YsonNode.of(0));
        opaque("tablet_errors", _ -> YsonNode.list());
        plain("preload_state", TableAttributes::preloadState);
        plain("row_count", table -> YsonNode.of(sizes(table).rows()));
        plain("chunk_row_count", table -> YsonNode.of(sizes(table).rows()));
        plain("chunk_count", table -> YsonNode.of(sizes(table).files()));
        plain("data_weight", table -> YsonNode.of(sizes(table).uncompressedBytes()));
        plain("uncompressed_data_size", table -> YsonNode.of(sizes(table).uncompressedBytes()));
        plain("compressed_data_size", table -> YsonNode.of(sizes(table).compressedBytes()));
        opaque("resource_usage", this::resourceUsage);
        plain("remount_needed_tablet_count", _ -> YsonNode.of(0));
        plain("upstream_replica_id", _ -> YsonNode.text("0-0-0-0"));
        plain("external", _ -> YsonNode.bool(false));
        add(
                new Attribute("tablet_cell_bundle", false, true, false),
                table -> Optional.of(YsonNode.text(Bundles.of(table))));
        add(
                new Attribute(BALANCER, true, true, true),
                table -> Optional.of(YsonNode.text(table.balancer().text())));
        for (YtSetting setting : YtSetting.values()) {
            add(
                    new Attribute(setting.attribute, false, true, true),
                    table -> setting(table, setting));
        }
        for (String name : OldAttributes.NAMES) {
            add(
                    new Attribute(name, false, true, true),
                    table -> OldAttributes.value(name, YtSettings.of(table).balancerConfig()));
        }
    }

    private void plain(String name, Function<Table, YsonNode> value) {
        add(new Attribute(name, false, false, false), table -> Optional.of(value.apply(table)));
    }

    /// Adds an attribute that is shown only if a client asks for it by name.
    private void opaque(String name, Function<Table, YsonNode> value) {
        add(new Attribute(name, true, false, false), table -> Optional.of(value.apply(table)));
    }

    private void add(Attribute attribute, Computed value) {
        all.add(attribute);
        computed.put(attribute.name(), value);
    }

    List<Attribute> all() {
        return all;
    }

    Optional<YsonNode> value(Table table, String name) {
        return Optional.ofNullable(computed.get(name)).flatMap(found -> found.value(table));
    }

    private static Optional<YsonNode> setting(Table table, YtSetting setting) {
        YtSettings settings = YtSettings.of(table);
        if (setting == YtSetting.TABLET_BALANCER_CONFIG) {
            return Optional.of(TableConfig.shown(settings.balancerConfig()));
        }
        if (setting == YtSetting.COMPRESSION_CODEC && !settings.decideStorage()) {
            String compression = table.families().getFirst().compression();
            return Optional.of(
                    YsonNode.text(compression.equals(ColumnFamily.LZ4) ? "lz4" : "none"));
        }
        return settings.value(setting);
    }

    private static YsonNode keyColumns(Table table) {
        return YsonNode.texts(
                TableSchemas.of(table).keyColumns().stream().map(SchemaColumn::name).toList());
    }

    private YsonNode pivotKeys(Table table) {
        return YsonNode.list(
                tables.tablets(table).stream()
                        .map(tablet -> PivotKeys.node(table, tablet.range().from()))
                        .toList());
    }

    private TabletSizes sizes(Table table) {
        return TabletSizes.of(table, tables.tablets(table));
    }

    private static MountState now(MountState state) {
        return state;
    }

    private static MountState expected(MountState state) {
        return state.finished();
    }

    /// The common state of all tablets. It is `transient` if a tablet is changing its state, and
    /// `mixed` if the tablets have different states.
    private String state(Table table, Function<MountState, MountState> which) {
        List<MountState> states =
                tables.tablets(table).stream()
                        .map(tablet -> which.apply(YtTables.state(table, tablet)))
                        .distinct()
                        .toList();
        if (states.stream().anyMatch(MountState::isTransient)) {
            return "transient";
        }
        return states.size() == 1 ? states.getFirst().text() : "mixed";
    }

    private YsonNode counts(Table table, Function<MountState, MountState> which) {
        Map<MountState, Long> counts = new LinkedHashMap<>();
        for (MountState state : MountState.values()) {
            counts.put(state, 0L);
        }
        for (TabletInfo tablet : tables.tablets(table)) {
            counts.merge(which.apply(YtTables.state(table, tablet)), 1L, Long::sum);
        }
        var node = YsonNode.map();
        counts.forEach((state, count) -> node.with(state.text(), count));
        return node.build();
    }

    /// Blocks are loaded when the setting is applied, so preloading is never in progress.
    private static YsonNode preloadState(Table table) {
        boolean kept =
                table.families().stream()
                        .anyMatch(family -> !family.cacheMode().equals(ColumnFamily.REGULAR));
        return YsonNode.text(kept ? "complete" : "none");
    }

    private YsonNode resourceUsage(Table table) {
        TabletSizes sizes = sizes(table);
        return YsonNode.map()
                .with("chunk_count", sizes.files())
                .with("disk_space", sizes.compressedBytes())
                .with(
                        "disk_space_per_medium",
                        YsonNode.map().with("default", sizes.compressedBytes()).build())
                .with("node_count", 1)
                .with("tablet_count", sizes.tablets())
                .with("tablet_static_memory", sizes.pinnedBytes())
                .build();
    }
}
