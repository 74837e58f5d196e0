package io.cleave.yt.table;

import io.cleave.access.Caller;
import io.cleave.cluster.Cells.PinnedMemory;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.MountState;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;

/// Keeps the blocks of mounted tables in memory if their `in_memory_mode` says so. Their memory is
/// a share of the block cache. A table that does not fit into it cannot be mounted.
///
/// Threads: any.
final class InMemoryTables {
    private final YtTables tables;

    InMemoryTables(YtTables tables) {
        this.tables = tables;
    }

    /// Throws if the table is to be kept in memory and does not fit.
    void checkFits(Table table) {
        YtSettings settings = YtSettings.of(table);
        if (!settings.isInMemory()) {
            return;
        }
        boolean compressed = settings.inMemoryMode().equals("compressed");
        List<TabletInfo> tablets = tables.tablets(table);
        long needed = tablets.stream().mapToLong(tablet -> bytes(tablet, compressed)).sum();
        long own = tablets.stream().mapToLong(tablet -> tablet.storage().pinnedBytes()).sum();
        PinnedMemory memory = tables.tablets().cells().pinnedMemory();
        long free = memory.maxBytes() - memory.usedBytes() + own;
        if (needed > free) {
            throw new YtException(
                    YtCodes.GENERIC,
                    ("Cannot keep table %s in memory: in mode \"%s\" it takes %d bytes, and %d of"
                                    + " the %d bytes for in-memory tables are free")
                            .formatted(
                                    tables.ypath(table),
                                    settings.inMemoryMode(),
                                    needed,
                                    Math.max(0, free),
                                    memory.maxBytes()));
        }
    }

    private static long bytes(TabletInfo tablet, boolean compressed) {
        long files =
                tablet.storage().fileBytes().values().stream().mapToLong(Long::longValue).sum();
        return compressed ? files : Math.max(files, tablet.bytes());
    }

    /// Sets the cache mode of the table's families. A mounted table has the cache mode of its
    /// settings. A table whose tablets are all unmounted is not kept in memory.
    void apply(Caller caller, String path) {
        Table table = tables.table(path);
        boolean isUnmounted = YtTables.states(table).all(state -> state == MountState.UNMOUNTED);
        if (table.options().yt().isEmpty()) {
            return;
        }
        YtSettings settings = YtSettings.of(table);
        String wanted = isUnmounted ? ColumnFamily.REGULAR : TableFamilies.cacheMode(settings);
        List<TableChange> changes = TableFamilies.cacheModes(table, wanted);
        if (!changes.isEmpty()) {
            tables.tree(caller).alterTable(path, changes);
        }
    }
}
