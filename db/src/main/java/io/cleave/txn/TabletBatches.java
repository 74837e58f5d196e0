package io.cleave.txn;

import io.cleave.tablet.ColumnScan;

import org.jspecify.annotations.Nullable;

/// The rows of a part of one tablet, in batches.
final class TabletBatches implements BatchStream {
    private final ColumnScan scan;
    private final ColumnBatch batch;

    TabletBatches(ColumnScan scan) {
        this.scan = scan;
        batch = new ColumnBatch(scan.columns());
    }

    @Override
    public @Nullable ColumnBatch next() {
        int rows = scan.next();
        batch.setRows(rows);
        return rows == 0 ? null : batch;
    }

    @Override
    public void close() {
        scan.close();
    }
}
