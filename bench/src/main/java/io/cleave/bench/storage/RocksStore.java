package io.cleave.bench.storage;

import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Reads RocksDB in the cheapest way that its binding offers: through buffers outside the heap.
final class RocksStore implements Engine.Store {
    private final RocksEngine.Opened opened;
    private final RocksDB db;
    private final ReadOptions reading = new ReadOptions();
    private final ByteBuffer key = ByteBuffer.allocateDirect(Rows.KEY_BYTES);
    private final ByteBuffer found =
            ByteBuffer.allocateDirect(Rows.ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    RocksStore(RocksEngine.Opened opened) {
        this.opened = opened;
        db = opened.db;
    }

    @Override
    public void compact() throws RocksDBException {
        db.compactRange();
    }

    @Override
    public long pointReads(int[] rows) throws RocksDBException {
        long sum = 0;
        for (int row : rows) {
            int bytes = get(Rows.key(row));
            if (bytes == RocksDB.NOT_FOUND) {
                throw new IllegalStateException("row " + row + " is not there");
            }
            sum += Rows.sum(found, 0, bytes);
        }
        return sum;
    }

    @Override
    public long misses(int[] rows) throws RocksDBException {
        long hits = 0;
        for (int row : rows) {
            hits += get(Rows.absentKey(row)) == RocksDB.NOT_FOUND ? 0 : 1;
        }
        return hits;
    }

    private int get(byte[] wanted) throws RocksDBException {
        found.clear();
        return db.get(reading, keyBuffer(wanted), found);
    }

    private ByteBuffer keyBuffer(byte[] wanted) {
        key.clear().put(wanted).flip();
        return key;
    }

    @Override
    public long rangeReads(int[] fromRows, int rowsEach) throws RocksDBException {
        long sum = 0;
        for (int from : fromRows) {
            try (RocksIterator rows = db.newIterator(reading)) {
                rows.seek(keyBuffer(Rows.key(from)));
                int left = rowsEach;
                while (left > 0 && rows.isValid()) {
                    sum += sumOf(rows);
                    rows.next();
                    left--;
                }
                rows.status();
            }
        }
        return sum;
    }

    @Override
    public long fullScan() throws RocksDBException {
        long sum = 0;
        try (RocksIterator rows = db.newIterator(reading)) {
            rows.seekToFirst();
            while (rows.isValid()) {
                sum += sumOf(rows);
                rows.next();
            }
            rows.status();
        }
        return sum;
    }

    private long sumOf(RocksIterator rows) {
        found.clear();
        int keyBytes = rows.key(found);
        long keySum = Rows.sum(found, 0, keyBytes);
        found.clear();
        int valueBytes = rows.value(found);
        return keySum + Rows.sum(found, 0, valueBytes);
    }

    @Override
    public void close() {
        reading.close();
        opened.close();
    }
}
