package io.cleave.txn;

import io.cleave.lsm.row.FieldSink;
import io.cleave.lsm.row.RowCursor;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.TabletMeter;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// The rows of a part of one tablet, in batches. Fields are copied from the blocks of the tree into
/// columns, without an object for each field.
final class TabletBatches implements BatchStream, FieldSink {
    /// The first batch is small, for readers that want only a few rows.
    private static final int FIRST_ROWS = 64;

    private static final int MOST_ROWS = 1024;

    private final Tablet tablet;
    private final RowCursor cursor;
    private final ColumnBatch batch;

    /// By position among the stored columns, which are ascending by id.
    private final Vector[] stored;

    private final Value[] absent;
    private final KeyCodec.Columns keyColumns;
    private int wantedRows = FIRST_ROWS;
    private long scannedRows;

    TabletBatches(Tablet tablet, RowCursor cursor, RowCodec codec, ReadColumns columns) {
        this.tablet = tablet;
        this.cursor = cursor;
        var vectors = new Vector[columns.count()];
        int[] ids = columns.stored().columnIds();
        stored = new Vector[ids.length];
        absent = new Value[ids.length];
        var keys = new Vector[columns.table().keyColumns().size()];
        for (int index = 0; index < vectors.length; index++) {
            int column = columns.index(index);
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
        batch = new ColumnBatch(vectors);
        cursor.giveTo(this, keyColumns.isWanted());
    }

    @Override
    public @Nullable ColumnBatch next() {
        for (int place = 0; place < batch.width(); place++) {
            batch.column(place).clear();
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
        batch.setRows(rows);
        return rows == 0 ? null : batch;
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
