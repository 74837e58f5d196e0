package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.StoredFamily.CacheMode;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.YtTable;
import io.cleave.value.Type.Primitive;
import io.cleave.value.YsonNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Translates a table's settings into the settings of its tablets' LSM trees. Pure.
final class TableStorage {
    /// In milliseconds: 30 minutes.
    private static final long DEFAULT_DATA_TTL = 1_800_000;

    /// In milliseconds: 1000 years.
    private static final long MOST_TTL = TimeUnit.DAYS.toMillis(365_000);

    private TableStorage() {}

    static TreeSettings of(Table table, Media media) {
        List<StoredFamily> groups = new ArrayList<>();
        for (ColumnFamily family : table.families()) {
            boolean first = family.name().equals(Column.DEFAULT_FAMILY);
            List<Integer> columns = first ? List.of() : columns(table, family.name());
            // A family without columns has nothing to store yet.
            if (first || !columns.isEmpty()) {
                groups.add(
                        new StoredFamily(
                                family.name(),
                                columns,
                                compression(family),
                                media.storedName(family),
                                cacheMode(family)));
            }
        }
        return new TreeSettings(
                        groups, table.options().keyBloomFilter().orElse(false), expiry(table))
                .keeping(historyMicros(table));
    }

    /// How long replaced versions of rows are kept, as `min_data_ttl` of YTsaurus' API says.
    private static long historyMicros(Table table) {
        return table.options()
                .yt()
                .map(yt -> TimeUnit.MILLISECONDS.toMicros(Math.min(minDataTtl(yt), MOST_TTL)))
                .orElse(0L);
    }

    private static long minDataTtl(YtTable yt) {
        Bytes set = yt.settings().get("min_data_ttl");
        if (set == null) {
            return yt.made() ? DEFAULT_DATA_TTL : 0;
        }
        return YsonNode.parse(set).orElse(null) instanceof YsonNode.Int64(long millis) ? millis : 0;
    }

    /// The expiry that the table's files record; null if rows do not expire or files cannot record
    /// it.
    static @Nullable Expiry expiry(Table table) {
        return table.options().ttl().map(ttl -> expiry(table, ttl)).orElse(null);
    }

    private static List<Integer> columns(Table table, String family) {
        return table.columns().stream()
                .filter(column -> column.family().equals(family))
                .map(Column::id)
                .sorted()
                .toList();
    }

    private static Compression compression(ColumnFamily family) {
        return family.compression().equals(ColumnFamily.LZ4) ? Compression.LZ4 : Compression.NONE;
    }

    private static CacheMode cacheMode(ColumnFamily family) {
        return switch (family.cacheMode()) {
            case ColumnFamily.IN_MEMORY -> CacheMode.PINNED;
            case ColumnFamily.IN_MEMORY_COMPRESSED -> CacheMode.PINNED_COMPRESSED;
            default -> CacheMode.REGULAR;
        };
    }

    /// Null if the column is not a binary integer, or is in the key. Files of keys that begin with
    /// the time need no record of it, and files of other keys cannot have one.
    private static @Nullable Expiry expiry(Table table, Ttl ttl) {
        int index = table.indexOf(ttl.column());
        Column column = table.columns().get(index);
        if (table.isKey(index) || column.type() == Primitive.DY_NUMBER) {
            return null;
        }
        return new Expiry(
                column.id(),
                switch (ttl.unit()) {
                    case DATE -> unit(column);
                    case SECONDS -> TimeUnit.SECONDS;
                    case MILLISECONDS -> TimeUnit.MILLISECONDS;
                    case MICROSECONDS -> TimeUnit.MICROSECONDS;
                    case NANOSECONDS -> TimeUnit.NANOSECONDS;
                });
    }

    private static TimeUnit unit(Column column) {
        return switch (column.type()) {
            case Primitive.DATE, Primitive.DATE32 -> TimeUnit.DAYS;
            case Primitive.DATETIME, Primitive.DATETIME64 -> TimeUnit.SECONDS;
            case Primitive.TIMESTAMP, Primitive.TIMESTAMP64 -> TimeUnit.MICROSECONDS;
            default ->
                    throw new IllegalStateException(
                            "a TTL of dates on a column of type " + column.type().text());
        };
    }
}
