package io.cleave.balance.yt.whatif;

import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Balancer;
import io.cleave.schema.CellStage;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableOptions;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The part of a cluster that a bundle's decisions depend on, with the supposed settings and cells.
final class SupposedCluster {
    private static final String CONFIG = "tablet_balancer_config";

    /// It is no option of the balancer, but it says which sizes of the bundle hold for a table.
    private static final String IN_MEMORY_MODE = "in_memory_mode";

    private static final Set<String> MODES = Set.of("none", "compressed", "uncompressed");

    private SupposedCluster() {}

    /// The bundle, the tables that use it, and those that have tablets in its cells.
    static ClusterState part(ClusterState state, String bundle) {
        List<BundleState> bundles =
                state.bundles().stream().filter(each -> each.name().equals(bundle)).toList();
        boolean hasCells = state.cells().stream().anyMatch(cell -> cell.bundle().equals(bundle));
        if (bundles.isEmpty() || !hasCells) {
            throw new StatusException(
                    Status.NOT_FOUND,
                    "there is no bundle '%s' with cells; there are: %s"
                            .formatted(
                                    bundle,
                                    state.bundles().stream()
                                            .map(BundleState::name)
                                            .collect(Collectors.joining(", "))));
        }
        List<CellMembership> cells =
                state.cells().stream().filter(cell -> cell.bundle().equals(bundle)).toList();
        Set<Long> cellIds = new HashSet<>();
        cells.forEach(cell -> cellIds.add(cell.cellId()));
        List<TableState> tables =
                state.tables().stream()
                        .filter(
                                table ->
                                        table.bundle().equals(bundle)
                                                || table.tablets().stream()
                                                        .anyMatch(
                                                                tablet ->
                                                                        cellIds.contains(
                                                                                tablet.cellId())))
                        .toList();
        return state.with(tables, cells, bundles);
    }

    /// The part with other settings.
    static ClusterState withSettings(ClusterState part, WhatIf question) {
        BundleState bundle = part.bundles().getFirst();
        List<SupposedSetting> ofBundle = new ArrayList<>();
        Map<String, List<SupposedSetting>> ofTables = new TreeMap<>();
        for (SupposedSetting setting : question.settings()) {
            setting.table()
                    .map(path -> ofTables.computeIfAbsent(path, _ -> new ArrayList<>()))
                    .orElse(ofBundle)
                    .add(setting);
        }
        List<TableState> tables = new ArrayList<>();
        for (TableState table : part.tables()) {
            List<SupposedSetting> settings = ofTables.remove(table.table().path());
            tables.add(settings == null ? table : with(table, bundle.name(), settings));
        }
        if (!ofTables.isEmpty()) {
            throw refused(
                    "table '%s' is not in the bundle '%s'"
                            .formatted(ofTables.keySet().iterator().next(), bundle.name()));
        }
        YsonNode attributes = parsed(bundle.attributes());
        YsonNode config =
                SupposedConfig.ofBundle(
                        bundle.name(),
                        attributes.member(CONFIG).orElse(YsonNode.Members.EMPTY),
                        ofBundle);
        YsonNode changed =
                YsonNode.map()
                        .withAll((YsonNode.Members) attributes.bare())
                        .with(CONFIG, config)
                        .build();
        BundleState supposed =
                ofBundle.isEmpty()
                        ? bundle
                        : new BundleState(bundle.name(), SupposedConfig.binary(changed));
        return part.with(tables, part.cells(), List.of(supposed));
    }

    private static TableState with(
            TableState state, String bundle, List<SupposedSetting> settings) {
        String path = state.table().path();
        if (!state.bundle().equals(bundle)) {
            throw refused(
                    "table '%s' is in the bundle '%s', not in '%s'"
                            .formatted(path, state.bundle(), bundle));
        }
        if (state.balancer() != Balancer.YT) {
            throw refused(
                    ("the settings of table '%s' have no effect, because YDB's rules balance it;"
                                    + " set its @balancer to yt first")
                            .formatted(path));
        }
        TableOptions options = state.table().options();
        YtTable yt = options.yt().orElse(YtTable.OTHER);
        var stored = new TreeMap<>(yt.settings());
        List<SupposedSetting> balancing = new ArrayList<>();
        List<TabletState> tablets = state.tablets();
        for (SupposedSetting setting : settings) {
            if (setting.key().equals(IN_MEMORY_MODE)) {
                String mode = mode(setting);
                stored.put(IN_MEMORY_MODE, SupposedConfig.binary(YsonNode.text(mode)));
                tablets = tablets.stream().map(tablet -> inMemory(tablet, mode)).toList();
            } else {
                balancing.add(setting);
            }
        }
        if (!balancing.isEmpty()) {
            YsonNode config = parsed(stored.getOrDefault(CONFIG, Bytes.EMPTY));
            stored.put(
                    CONFIG, SupposedConfig.binary(SupposedConfig.ofTable(path, config, balancing)));
        }
        Table table =
                TableAlteration.withOptions(state.table(), options.with(yt.withSettings(stored)));
        return new TableState(table, state.bundle(), state.balancer(), tablets);
    }

    private static String mode(SupposedSetting setting) {
        String mode =
                setting.value().isEmpty() ? "none" : setting.value().get().string().orElse("");
        if (!MODES.contains(mode)) {
            throw refused(
                    "'%s': in_memory_mode must be none, compressed or uncompressed"
                            .formatted(setting.text()));
        }
        return mode;
    }

    /// What a tablet keeps in memory when all of it is there.
    private static TabletState inMemory(TabletState tablet, String mode) {
        return PredictedStates.withPinned(
                tablet,
                switch (mode) {
                    case "compressed" -> tablet.fileBytes();
                    case "uncompressed" -> tablet.bytes();
                    default -> 0;
                });
    }

    private static YsonNode parsed(Bytes stored) {
        YsonNode node =
                stored.isEmpty()
                        ? YsonNode.Members.EMPTY
                        : YsonNode.parse(stored).orElse(YsonNode.Members.EMPTY);
        return node.bare() instanceof YsonNode.Members ? node : YsonNode.Members.EMPTY;
    }

    /// The part with another number of running cells. Those with the highest ids are removed; new
    /// ones have ids that no cell has.
    static ClusterState withCells(ClusterState part, int count) {
        List<CellMembership> cells = new ArrayList<>(part.running());
        cells.sort(Comparator.comparingLong(CellMembership::cellId));
        List<CellMembership> removed = new ArrayList<>(part.cells());
        removed.removeAll(cells);
        while (cells.size() > count) {
            CellMembership last = cells.removeLast();
            removed.add(
                    new CellMembership(
                            last.cellId(),
                            last.bundle(),
                            last.nodeId(),
                            CellStage.DECOMMISSIONING));
        }
        BundleState bundle = part.bundles().getFirst();
        int nodeId = part.cells().getFirst().nodeId();
        long maxId = part.cells().stream().mapToLong(CellMembership::cellId).max().orElse(0);
        for (TableState table : part.tables()) {
            for (TabletState tablet : table.tablets()) {
                maxId = Math.max(maxId, tablet.cellId());
            }
        }
        while (cells.size() < count) {
            maxId++;
            cells.add(new CellMembership(maxId, bundle.name(), nodeId));
        }
        cells.addAll(removed);
        return part.with(part.tables(), cells, part.bundles());
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }
}
