package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Tablet;

import java.util.List;

/// Reads a tablet as a transaction without locks does, on one snapshot.
final class CleaveStore implements Engine.Store {
    private final CleaveEngine.Opened opened;
    private final int column;
    private final Tablet tablet;
    private final long snapshot;

    CleaveStore(CleaveEngine.Opened opened, int column) {
        this.opened = opened;
        this.column = column;
        tablet = opened.tablet();
        snapshot = opened.cell.timeline().take();
    }

    @Override
    public void compact() throws InterruptedException {
        opened.cell.structure().compact(List.of(CleaveEngine.TABLET_ID));
        opened.awaitQuiet();
    }

    @Override
    public long pointReads(int[] rows) {
        long sum = 0;
        for (int number : rows) {
            Row row = tablet.get(Bytes.wrap(Rows.key(number)), Projection.ALL, snapshot, null);
            if (row == null) {
                throw new IllegalStateException("row " + number + " is not there");
            }
            sum += sumOfValue(row);
        }
        return sum;
    }

    private long sumOfValue(Row row) {
        int cell = row.fieldIndex(column);
        return Rows.sum(row.data(cell), row.from(cell), row.to(cell));
    }

    @Override
    public long misses(int[] rows) {
        long hits = 0;
        for (int number : rows) {
            Bytes key = Bytes.wrap(Rows.absentKey(number));
            hits += tablet.get(key, Projection.ALL, snapshot, null) == null ? 0 : 1;
        }
        return hits;
    }

    @Override
    public long rangeReads(int[] fromRows, int rowsEach) {
        long sum = 0;
        for (int from : fromRows) {
            sum += scan(new KeyRange(Bytes.wrap(Rows.key(from)), null), rowsEach);
        }
        return sum;
    }

    @Override
    public long fullScan() {
        return scan(KeyRange.ALL, Long.MAX_VALUE);
    }

    private long scan(KeyRange range, long mostRows) {
        RowCursor rows = tablet.scan(range, Projection.ALL, snapshot, Direction.FORWARD, null);
        long sum = 0;
        long count = 0;
        while (count < mostRows && rows.next()) {
            Row row = rows.row();
            byte[] key = row.key().array();
            sum += Rows.sum(key, 0, key.length) + sumOfValue(row);
            count++;
        }
        tablet.countScanned(count);
        return sum;
    }

    @Override
    public void close() {
        opened.cell.timeline().release(snapshot);
        opened.close();
    }
}
