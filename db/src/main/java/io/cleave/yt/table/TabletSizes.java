package io.cleave.yt.table;

import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The sizes of one or more tablets, with YTsaurus' terms: a file is called a chunk. Pure.
///
/// @param tabletsByMode the number of tablets, by the `in_memory_mode` of their tables
/// @param compressedBytes size of the files, as stored
/// @param uncompressedBytes estimated size of the live data
record TabletSizes(
        SortedMap<String, Long> tabletsByMode,
        long rows,
        long files,
        long compressedBytes,
        long uncompressedBytes,
        long memtableBytes,
        long pinnedBytes,
        long overlappingStores) {
    private static final TabletSizes NONE =
            new TabletSizes(Collections.emptySortedMap(), 0, 0, 0, 0, 0, 0, 0);

    static TabletSizes of(Table table, List<TabletInfo> tablets) {
        TabletSizes sum = NONE;
        for (TabletInfo tablet : tablets) {
            sum = sum.plus(of(table, tablet));
        }
        return sum;
    }

    static TabletSizes sum(List<TabletSizes> all) {
        return all.stream().reduce(NONE, TabletSizes::plus);
    }

    static TabletSizes of(Table table, TabletInfo tablet) {
        TabletInfo.Storage storage = tablet.storage();
        var modes = new TreeMap<String, Long>();
        modes.put(YtSettings.of(table).inMemoryMode(), 1L);
        return new TabletSizes(
                modes,
                tablet.rows(),
                storage.files(),
                storage.fileBytes().values().stream().mapToLong(Long::longValue).sum(),
                tablet.bytes(),
                storage.memtableBytes(),
                storage.pinnedBytes(),
                storage.runs());
    }

    private TabletSizes plus(TabletSizes other) {
        var modes = new TreeMap<>(tabletsByMode);
        other.tabletsByMode.forEach((mode, count) -> modes.merge(mode, count, Long::sum));
        return new TabletSizes(
                modes,
                rows + other.rows,
                files + other.files,
                compressedBytes + other.compressedBytes,
                uncompressedBytes + other.uncompressedBytes,
                memtableBytes + other.memtableBytes,
                pinnedBytes + other.pinnedBytes,
                Math.max(overlappingStores, other.overlappingStores));
    }

    long tablets() {
        return tabletsByMode.values().stream().mapToLong(Long::longValue).sum();
    }

    /// The value of `statistics` of a tablet.
    YsonNode ofTablet() {
        return common().build();
    }

    /// The value of `tablet_statistics` of a table, and of `total_statistics` of a cell.
    YsonNode ofTablets() {
        var byMode = YsonNode.map();
        for (String mode : YtSettings.IN_MEMORY_MODES) {
            byMode.with(mode, tabletsByMode.getOrDefault(mode, 0L));
        }
        return common().with("tablet_count", tablets())
                .with("tablet_count_per_memory_mode", byMode.build())
                .build();
    }

    private YsonNode.MapBuilder common() {
        return YsonNode.map()
                .with("chunk_count", files)
                .with("compressed_data_size", compressedBytes)
                .with("disk_space", compressedBytes)
                .with(
                        "disk_space_per_medium",
                        YsonNode.map().with("default", compressedBytes).build())
                .with("dynamic_memory_pool_size", memtableBytes)
                .with("hunk_compressed_data_size", 0)
                .with("hunk_uncompressed_data_size", 0)
                .with("memory_size", pinnedBytes)
                .with("overlapping_store_count", overlappingStores)
                .with("partition_count", tablets())
                .with("preload_completed_store_count", pinnedBytes > 0 ? files : 0)
                .with("preload_failed_store_count", 0)
                .with("preload_pending_store_count", 0)
                .with("store_count", files)
                .with("uncompressed_data_size", uncompressedBytes)
                .with("unmerged_row_count", rows);
    }
}
