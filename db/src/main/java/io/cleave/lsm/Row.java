package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// A row as of a snapshot, its versions merged. Cells are read in place, from the memtable or the
/// block they stand in.
///
/// The row of a [RowCursor] is the same object again and again: it holds until the cursor moves.
/// The arrays that [#data] returned stay as they are.
public final class Row {
    private static final int FEW_COLUMNS = 8;

    /// The key is copied out of this only when asked for: a scan that skips rows makes no garbage.
    private byte[] keyData = Bytes.EMPTY.array();

    private int keyBytes;
    private @Nullable Bytes key;

    private boolean exists;
    private long timestamp;

    /// Ascending columns; a null array is a NULL.
    private int count;

    private int[] columns = new int[FEW_COLUMNS];
    private byte @Nullable [][] data = new byte[FEW_COLUMNS] @Nullable [];
    private int[] from = new int[FEW_COLUMNS];
    private int[] to = new int[FEW_COLUMNS];

    Row() {}

    public Bytes key() {
        Bytes known = key;
        if (known == null) {
            known = Bytes.copyOf(keyData, 0, keyBytes);
            key = known;
        }
        return known;
    }

    /// Of the newest version merged.
    public long timestamp() {
        return timestamp;
    }

    /// Where to ask for this column's cell; -1 if it has none or is NULL.
    public int cellIndex(int columnId) {
        for (int index = 0; index < count; index++) {
            if (columns[index] >= columnId) {
                return columns[index] == columnId && data[index] != null ? index : -1;
            }
        }
        return -1;
    }

    /// The cell is `[from(index), to(index))` of this array: read it, never write.
    public byte[] data(int index) {
        byte[] cells = data[index];
        if (cells == null) {
            throw new IllegalArgumentException("cell " + index + " is NULL");
        }
        return cells;
    }

    public int from(int index) {
        return from[index];
    }

    public int to(int index) {
        return to[index];
    }

    void begin(Bytes ofKey) {
        key = ofKey;
        clear();
    }

    /// The array is the caller's, who moves on only when the row is no longer needed.
    void begin(byte[] ofKeyData, int ofKeyBytes) {
        key = null;
        keyData = ofKeyData;
        keyBytes = ofKeyBytes;
        clear();
    }

    private void clear() {
        exists = false;
        count = 0;
    }

    boolean exists() {
        return exists;
    }

    /// Adds the next older version. True when nothing older can change the row.
    boolean merge(long versionTimestamp, byte[] change, int changeFrom) {
        RowChange.Kind kind = RowChange.kind(change, changeFrom);
        if (kind == RowChange.Kind.ERASE) {
            return true;
        }
        boolean newest = !exists;
        if (newest) {
            exists = true;
            timestamp = versionTimestamp;
        }
        mergeCells(change, changeFrom + 1, newest);
        return kind == RowChange.Kind.REPLACE;
    }

    private void mergeCells(byte[] change, int countFrom, boolean newest) {
        int cells = Varint.readInt(change, countFrom);
        int header = countFrom + Varint.bytes(cells);
        int cell = cellsFrom(change, header, cells);
        reserve(count + cells);
        int column = 0;
        for (int index = 0; index < cells; index++) {
            int step = Varint.readInt(change, header);
            header += Varint.bytes(step);
            int size = Varint.readInt(change, header);
            header += Varint.bytes(size);
            column += step;
            int cellTo = size == 0 ? cell : cell + size - 1;
            int place = newest ? count : placeOf(column);
            if (place >= 0) {
                insert(place, column, size == 0 ? null : change, cell, cellTo);
            }
            cell = cellTo;
        }
    }

    private static int cellsFrom(byte[] change, int header, int cells) {
        int at = header;
        for (int number = 0; number < 2 * cells; number++) {
            while (change[at++] < 0) {}
        }
        return at;
    }

    /// Where the column goes; -1 if a newer version has set it.
    private int placeOf(int column) {
        int place = Arrays.binarySearch(columns, 0, count, column);
        return place >= 0 ? -1 : -place - 1;
    }

    private void insert(int place, int column, byte @Nullable [] cells, int cellFrom, int cellTo) {
        int moved = count - place;
        if (moved > 0) {
            System.arraycopy(columns, place, columns, place + 1, moved);
            System.arraycopy(data, place, data, place + 1, moved);
            System.arraycopy(from, place, from, place + 1, moved);
            System.arraycopy(to, place, to, place + 1, moved);
        }
        columns[place] = column;
        data[place] = cells;
        from[place] = cellFrom;
        to[place] = cellTo;
        count++;
    }

    private void reserve(int cells) {
        if (columns.length < cells) {
            int size = Math.max(cells, columns.length * 2);
            columns = Arrays.copyOf(columns, size);
            data = Arrays.copyOf(data, size);
            from = Arrays.copyOf(from, size);
            to = Arrays.copyOf(to, size);
        }
    }

    /// The merged versions as one change.
    Bytes toChange(RowChange.Kind kind) {
        Check.that(exists, "no version was merged");
        byte @Nullable [][] cells = new byte[count] @Nullable [];
        for (int index = 0; index < count; index++) {
            byte[] array = data[index];
            cells[index] = array == null ? null : Arrays.copyOfRange(array, from[index], to[index]);
        }
        return RowChange.encode(kind, Arrays.copyOf(columns, count), cells);
    }
}
