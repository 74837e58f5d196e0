package io.cleave.lsm.table;

import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Writes a sorted sequence of versions as tables of a limited size. All versions of a key go to
/// the same table. After a failure, everything that was written is deleted.
public final class TablesWriter implements AutoCloseable {
    private final TableFiles files;
    private final LsmOptions options;
    private final TreeSettings settings;
    private final int level;
    private final long generation;
    private final long erasedThrough;
    private final Pacer pacer;
    private final List<Slice> written = new ArrayList<>();
    private @Nullable TableWriter table;

    /// The bytes of the current table that were reported to the pacer.
    private long pacedBytes;

    private boolean finished;

    public TablesWriter(
            TableFiles files,
            LsmOptions options,
            TreeSettings settings,
            int level,
            long generation,
            long erasedThrough,
            Pacer pacer) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        this.level = level;
        this.generation = generation;
        this.erasedThrough = erasedThrough;
        this.pacer = pacer;
    }

    /// Called before the first version of each key.
    public void beginKey() {
        if (table != null && table.bytes() >= options.tableBytes()) {
            endTable(table);
        }
    }

    public void add(byte[] key, int keyBytes, long timestamp, RowChange.Kind kind, Row row) {
        if (table == null) {
            table = files.create(options, settings);
            pacedBytes = 0;
        }
        table.add(key, keyBytes, timestamp, kind, row);
        long bytes = table.bytes();
        if (bytes > pacedBytes) {
            pacer.written(bytes - pacedBytes);
            pacedBytes = bytes;
        }
    }

    private void endTable(TableWriter ended) {
        TableStatistics statistics = ended.finish();
        table = null;
        written.add(
                new Slice(
                        ended.blobId(),
                        level,
                        generation,
                        statistics.firstKey(),
                        statistics.lastKey().successor(),
                        ended.bytes(),
                        statistics.rows(),
                        statistics.minTimestamp(),
                        statistics.maxTimestamp(),
                        erasedThrough,
                        RangeErases.NEVER,
                        ended.identity()));
        files.open(written.getLast()).pin(settings);
    }

    public List<Slice> finish() {
        if (table != null) {
            endTable(table);
        }
        finished = true;
        return List.copyOf(written);
    }

    @Override
    public void close() {
        if (finished) {
            return;
        }
        try {
            if (table != null) {
                table.close();
            }
        } finally {
            written.forEach(slice -> files.delete(slice.blobId()));
        }
    }
}
