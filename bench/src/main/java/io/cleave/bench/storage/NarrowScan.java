package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.BlobStore;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A table of ten equal columns, one of which is in its own column family: how much of the files a
/// scan of that column reads.
final class NarrowScan {
    private static final int COLUMNS = 10;
    private static final int COLUMN_BYTES = Rows.VALUE_BYTES / COLUMNS;
    private static final int NARROW = COLUMNS;

    /// Random bytes of each column. The rest is the same in all rows.
    private static final int RANDOM_BYTES = 6;

    private static final TreeSettings SETTINGS =
            new TreeSettings(
                    List.of(group("default", List.of()), group("narrow", List.of(NARROW))),
                    false,
                    null);

    /// Flushes early, so that almost nothing is left in memory when the scans begin.
    private static final CellOptions OPTIONS =
            new CellOptions(4L << 20, 16L << 20, 16L << 20, 64L << 20, 10_000);

    private final CleaveEngine.Opened opened;

    private NarrowScan(CleaveEngine.Opened opened) {
        this.opened = opened;
    }

    /// The bytes that the narrow scan reads, as a fraction of the full scan's. There is no cache,
    /// so that each scan reads everything it needs.
    static double share(Path dir, int rowCount) throws InterruptedException {
        try (var opened = new CleaveEngine.Opened(dir, 0, SETTINGS, OPTIONS)) {
            var scan = new NarrowScan(opened);
            scan.load(rowCount);
            opened.awaitQuiet();
            long full = scan.bytesRead(Projection.ALL, rowCount);
            long narrow = scan.bytesRead(Projection.of(NARROW), rowCount);
            return (double) narrow / full;
        }
    }

    private static StoredFamily group(String name, List<Integer> columns) {
        return new StoredFamily(
                name,
                columns,
                Compression.LZ4,
                BlobStore.DEFAULT_MEDIUM,
                StoredFamily.CacheMode.REGULAR);
    }

    private void load(int rowCount) throws InterruptedException {
        for (int from = 0; from < rowCount; from += StorageRun.BATCH_ROWS) {
            List<KeyedChange> changes = new ArrayList<>();
            for (int row = from; row < Math.min(rowCount, from + StorageRun.BATCH_ROWS); row++) {
                changes.add(new KeyedChange(Bytes.wrap(Rows.key(row)), change(row)));
            }
            CleaveEngine.commitWhenPossible(opened.cell, changes);
        }
    }

    private static Bytes change(int row) {
        byte[] random = Rows.value(row);
        int[] columns = new int[COLUMNS];
        byte[][] cells = new byte[COLUMNS][];
        for (int index = 0; index < COLUMNS; index++) {
            columns[index] = index + 1;
            int from = index * RANDOM_BYTES;
            cells[index] = Arrays.copyOfRange(random, from, from + COLUMN_BYTES);
            Arrays.fill(cells[index], RANDOM_BYTES, COLUMN_BYTES, (byte) 'x');
        }
        return RowChange.encode(RowChange.Kind.REPLACE, columns, cells);
    }

    private long bytesRead(Projection projection, int rowCount) {
        long before = opened.blobs.readBytes();
        long snapshot = opened.cell.timeline().take();
        RowCursor rows =
                opened.tablet().scan(KeyRange.ALL, projection, snapshot, Direction.FORWARD, null);
        long count = 0;
        while (rows.next()) {
            int cell = rows.row().fieldIndex(NARROW);
            if (rows.row().to(cell) - rows.row().from(cell) != COLUMN_BYTES) {
                throw new IllegalStateException("row " + count + " is not as it was written");
            }
            count++;
        }
        opened.cell.timeline().release(snapshot);
        if (count != rowCount) {
            throw new IllegalStateException(count + " rows of " + rowCount);
        }
        return opened.blobs.readBytes() - before;
    }
}
