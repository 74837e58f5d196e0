package io.cleave.tablet;

import io.cleave.codec.RowCodec;
import io.cleave.codec.RowReader;
import io.cleave.lsm.row.FieldSink;
import io.cleave.lsm.row.RowCursor;
import io.cleave.tablet.meter.TabletMeter;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// A scan by columns of a tablet in this process. Fields are copied from the blocks of the tree
/// into vectors, without an object for each field.
final class LocalColumnScan implements ColumnScan, FieldSink {
    /// The first batch is small, for readers that want only a few rows.
    private static final int FIRST_ROWS = 64;

    private static final int MOST_ROWS = 1024;

    private final Tablet tablet;
    private final RowCursor cursor;

    /// By place among the columns that are read.
    private final Vector[] vectors;

    /// By position among the stored columns, which are ascending by id.
    private final Vector[] stored;

    private final Value[] absent;
    private final KeyCodec.Columns keyColumns;
    private int wantedRows = FIRST_ROWS;
    private long scannedRows;

    LocalColumnScan(Tablet tablet, RowCursor cursor, RowReader columns) {
        this.tablet = tablet;
        this.cursor = cursor;
        RowCodec codec = columns.codec();
        vectors = new Vector[columns.count()];
        int storedCount = columns.stored().columnIds().length;
        stored = new Vector[storedCount];
        absent = new Value[storedCount];
        var keys = new Vector[codec.keyTypes().length];
        for (int index = 0; index < vectors.length; index++) {
            int column = columns.column(index);
            int key = codec.keyPosition(column);
            int place = key < 0 ? columns.storedPlace(index) : 0;
            Vector known = key < 0 ? stored[place] : keys[key];
            // A column that is requested twice is read once.
            Vector vector = known == null ? Vector.of(codec.type(column)) : known;
            vectors[index] = vector;
            if (key < 0) {
                stored[place] = vector;
                absent[place] = codec.absent(column);
            } else {
                keys[key] = vector;
            }
        }
        keyColumns = new KeyCodec.Columns(codec.keyTypes(), keys);
        cursor.giveTo(this, keyColumns.isWanted());
    }

    @Override
    public Vector[] columns() {
        return vectors;
    }

    @Override
    public void onStep(Runnable step) {
        cursor.onStep(step);
    }

    @Override
    public int next() {
        for (Vector vector : vectors) {
            vector.clear();
        }
        TabletMeter meter = tablet.meter();
        long began = meter.beginBatch();
        int rows = cursor.nextBatch(wantedRows);
        meter.endBatch(began);
        if (rows > 0 && meter.isScanNoted()) {
            cursor.batchEnd().ifPresent(meter::noteBatch);
        }
        wantedRows = Math.min(wantedRows * 4, MOST_ROWS);
        scannedRows += rows;
        return rows;
    }

    @Override
    public void close() {
        tablet.countScanned(scannedRows);
        scannedRows = 0;
    }

    @Override
    public void key(byte[] key, int keyBytes) {
        keyColumns.add(key, keyBytes);
    }

    @Override
    public void field(int place, byte @Nullable [] data, int from, int to) {
        if (data == null) {
            stored[place].add(from == NULL ? Value.Null.NULL : absent[place]);
        } else {
            stored[place].addField(data, from, to);
        }
    }

    @Override
    public void evenFields(int place, byte[] data, int[] starts, int offset, int width, int count) {
        stored[place].addEvenFields(data, starts, offset, width, count);
    }

    @Override
    public void fields(int place, byte[] data, int[] from, int[] to, int count) {
        stored[place].addFields(data, from, to, count, absent[place]);
    }
}
