package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Writes rows that come in the order of their keys straight into tables. They are part of no tree
/// until the tree has [ingested][LsmTree#ingested] them, and have no time until then: the tables
/// say 0, and their slices say when it was.
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

    /// A whole row: columns that it does not name are NULL, and so is a null cell.
    public void add(Bytes key, int[] ascendingColumnIds, byte[] @Nullable [] cells) {
        begin(key);
        row.addVersion(NO_TIME);
        row.addCells(ascendingColumnIds, cells);
        tables.add(key.array(), key.length(), NO_TIME, RowChange.Kind.REPLACE, row);
    }

    private void begin(Bytes key) {
        Bytes before = lastKey;
        Check.that(before == null || Keys.compare(before, key) < 0, "keys must ascend");
        lastKey = key;
        row.begin(key);
        tables.beginKey();
    }

    /// Seals what was written; the slices are not placed yet.
    public List<Slice> finish() {
        return tables.finish();
    }

    /// Deletes what was written, unless it was finished.
    @Override
    public void close() {
        tables.close();
    }

    /// The slices where they are to be.
    public static List<Slice> placed(
            List<Slice> slices, int level, long generation, long timestamp) {
        return slices.stream().map(slice -> slice.ingested(level, generation, timestamp)).toList();
    }

    /// The slices below everything else.
    public static List<Slice> placedBelow(List<Slice> slices, long generation, long timestamp) {
        return placed(slices, LsmOptions.LAST_LEVEL, generation, timestamp);
    }

    /// One that covers all of them.
    public static Slice hull(List<Slice> slices) {
        return Levels.hull(slices);
    }
}
