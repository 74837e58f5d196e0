package io.cleave.yt.table;

import io.cleave.cluster.TabletInfo;
import io.cleave.value.YsonNode;

import java.util.List;

/// The sizes of one or more tablets, with YTsaurus' terms: a file is called a chunk. Pure.
///
/// @param compressedBytes size of the files, as stored
/// @param uncompressedBytes estimated size of the live data
record TabletSizes(
        long tablets,
        long rows,
        long files,
        long compressedBytes,
        long uncompressedBytes,
        long memtableBytes,
        long pinnedBytes,
        long overlappingStores) {
    static TabletSizes of(List<TabletInfo> tablets) {
        return tablets.stream()
                .map(TabletSizes::of)
                .reduce(new TabletSizes(0, 0, 0, 0, 0, 0, 0, 0), TabletSizes::plus);
    }

    static TabletSizes of(TabletInfo tablet) {
        TabletInfo.Storage storage = tablet.storage();
        return new TabletSizes(
                1,
                tablet.rows(),
                storage.files(),
                storage.fileBytes().values().stream().mapToLong(Long::longValue).sum(),
                tablet.bytes(),
                storage.memtableBytes(),
                storage.pinnedBytes(),
                storage.runs());
    }

    private TabletSizes plus(TabletSizes other) {
        return new TabletSizes(
                tablets + other.tablets,
                rows + other.rows,
                files + other.files,
                compressedBytes + other.compressedBytes,
                uncompressedBytes + other.uncompressedBytes,
                memtableBytes + other.memtableBytes,
                pinnedBytes + other.pinnedBytes,
                Math.max(overlappingStores, other.overlappingStores));
    }

    /// The value of `@tablet_statistics`, and of `statistics` of a tablet.
    YsonNode statistics(boolean isTable) {
        var node =
                YsonNode.map()
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
                        .with("partition_count", tablets)
                        .with("preload_completed_store_count", pinnedBytes > 0 ? files : 0)
                        .with("preload_failed_store_count", 0)
                        .with("preload_pending_store_count", 0)
                        .with("store_count", files);
        if (isTable) {
            node.with("tablet_count", tablets);
            node.with("tablet_count_per_memory_mode", YsonNode.Members.EMPTY);
        }
        return node.with("uncompressed_data_size", uncompressedBytes)
                .with("unmerged_row_count", rows)
                .build();
    }
}
