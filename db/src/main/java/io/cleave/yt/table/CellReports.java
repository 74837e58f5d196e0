package io.cleave.yt.table;

import io.cleave.cluster.CellTablet;
import io.cleave.schema.CellHealth;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.tree.CellNodes;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The cells of the process as they are now.
///
/// Threads: one at a time.
final class CellReports implements CellNodes {
    private final YtTables tables;

    /// All tables by id, as of the first question.
    private Optional<Map<Long, Table>> byId = Optional.empty();

    CellReports(YtTables tables) {
        this.tables = tables;
    }

    @Override
    public CellHealth health(long cellId) {
        return tables.tablets().cells().health(cellId);
    }

    @Override
    public List<ObjectId> tablets(long cellId) {
        return mounted(cellId)
                .map(tablet -> ObjectId.of(ObjectType.TABLET, tablet.tabletId()))
                .sorted()
                .toList();
    }

    private Stream<CellTablet> mounted(long cellId) {
        return tables.tablets().tabletsIn(cellId).stream()
                .filter(tablet -> byId().containsKey(tablet.tableId()))
                .filter(
                        tablet ->
                                YtTables.states(table(tablet)).at(tablet.firstKey())
                                        != MountState.UNMOUNTED);
    }

    private Table table(CellTablet tablet) {
        return Objects.requireNonNull(byId().get(tablet.tableId()));
    }

    private Map<Long, Table> byId() {
        if (byId.isEmpty()) {
            Map<Long, Table> found = new HashMap<>();
            tables.tablets().tables().forEach(table -> found.put(table.id(), table));
            byId = Optional.of(found);
        }
        return byId.get();
    }

    @Override
    public YsonNode statistics(Collection<Long> cellIds) {
        return sizes(cellIds).ofTablets();
    }

    @Override
    public YsonNode resourceUsage(Collection<Long> cellIds) {
        TabletSizes sizes = sizes(cellIds);
        return resources(sizes.tablets(), sizes.pinnedBytes());
    }

    private TabletSizes sizes(Collection<Long> cellIds) {
        return TabletSizes.sum(
                cellIds.stream()
                        .flatMap(this::mounted)
                        .map(tablet -> TabletSizes.of(table(tablet), tablet.info()))
                        .toList());
    }

    @Override
    public YsonNode resourceLimits() {
        return resources(
                tables.tablets().maxTablets(), tables.tablets().cells().pinnedMemory().maxBytes());
    }

    private static YsonNode resources(long tablets, long memoryBytes) {
        return YsonNode.map()
                .with("tablet_count", tablets)
                .with("tablet_static_memory", memoryBytes)
                .build();
    }
}
