package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TablesWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Writes rows, given in ascending key order, directly into tables. The tables belong to no tree
/// until they are passed to [ingested][LsmTree#ingested]. The rows have no timestamp before that:
/// the tables say 0, and the slices say the actual timestamp.
///
/// Threads: one at a time.
public final class BulkWriter implements AutoCloseable {
    private static final long NO_TIME = 0;

    private final TablesWriter tables;
    private final Row row = new Row(Projection.ALL);
    private @Nullable Bytes lastKey;

    BulkWriter(TablesWriter tables) {
        this.tables = tables;
    }

    /// `change` is an encoded [RowChange].
    public void add(Bytes key, Bytes change) {
        begin(key);
        var _ = row.merge(NO_TIME, change.array(), 0);
        tables.add(key.array(), key.length(), NO_TIME, RowChange.kind(change), row);
    }

    /// Adds a whole row. A null field is NULL, and so is every column that is not listed.
    public void add(Bytes key, int[] ascendingColumnIds, byte[] @Nullable [] fields) {
        begin(key);
        row.addVersion(NO_TIME);
        row.addFields(ascendingColumnIds, fields);
        tables.add(key.array(), key.length(), NO_TIME, RowChange.Kind.REPLACE, row);
    }

    private void begin(Bytes key) {
        Bytes before = lastKey;
        Check.that(before == null || Keys.compare(before, key) < 0, "keys must ascend");
        lastKey = key;
        row.begin(key);
        tables.beginKey();
    }

    /// Seals the tables. The returned slices do not have their level, generation and timestamp yet.
    public List<Slice> finish() {
        return tables.finish();
    }

    /// Deletes the tables, unless they were finished.
    @Override
    public void close() {
        tables.close();
    }

    /// The slices with their final level, generation and timestamp.
    public static List<Slice> placed(
            List<Slice> slices, int level, long generation, long timestamp) {
        return slices.stream().map(slice -> slice.ingested(level, generation, timestamp)).toList();
    }

    /// The slices on the last level, below all other data.
    public static List<Slice> placedBelow(List<Slice> slices, long generation, long timestamp) {
        return placed(slices, LsmOptions.LAST_LEVEL, generation, timestamp);
    }

    /// A slice whose range covers all of the slices; its other values are 0.
    public static Slice hull(List<Slice> slices) {
        return Levels.hull(slices);
    }
}
