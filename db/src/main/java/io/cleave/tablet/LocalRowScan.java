package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.codec.RowReader;
import io.cleave.lsm.row.RowCursor;
import io.cleave.tablet.meter.TabletMeter;
import io.cleave.value.Value;

/// A scan by rows of a tablet in this process. Some of its steps are measured.
final class LocalRowScan implements RowScan {
    private final Tablet tablet;
    private final TabletMeter meter;
    private final RowCursor cursor;
    private final RowReader columns;
    private long scannedRows;

    LocalRowScan(Tablet tablet, RowCursor cursor, RowReader columns) {
        this.tablet = tablet;
        this.cursor = cursor;
        this.columns = columns;
        meter = tablet.meter();
    }

    @Override
    public void onStep(Runnable step) {
        cursor.onStep(step);
    }

    @Override
    public boolean next() {
        boolean found = meter.isScannedNoted() ? nextMeasured() : cursor.next();
        if (found) {
            scannedRows++;
        }
        return found;
    }

    private boolean nextMeasured() {
        long began = meter.beginScanned();
        boolean found = cursor.next();
        if (found) {
            tablet.endScanned(began, cursor.row());
        }
        return found;
    }

    @Override
    public Bytes key() {
        return cursor.row().key();
    }

    @Override
    public Value[] row() {
        return columns.read(cursor.row());
    }

    @Override
    public void close() {
        tablet.countScanned(scannedRows);
        scannedRows = 0;
    }
}
