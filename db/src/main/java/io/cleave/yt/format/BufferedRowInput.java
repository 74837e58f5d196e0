package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.Arrays;

/// Reads rows from a [RowWindow]. If the window does not contain a whole row, it grows, and the row
/// is read again from its beginning.
///
/// A command keeps the rows that it reads until it ends. So each row takes memory of the call,
/// about as much as its values.
///
/// The fields of a row are in parallel arrays. The bytes of a field are in the window, or in
/// `extra` if they had to be converted.
abstract class BufferedRowInput implements RowInput {
    /// The maximum number of fields in a row.
    private static final int MAX_FIELDS = 1024;

    private static final int FIRST_FIELDS = 16;

    // Estimates of the heap that a row takes while a command keeps it: the row with its key, a
    // value, and a string without its bytes.
    private static final int KEPT_ROW_BYTES = 144;
    private static final int KEPT_FIELD_BYTES = 32;
    private static final int KEPT_STRING_BYTES = 40;

    final RowWindow window;
    final ByteWriter extra = new ByteWriter(256);

    /// Where the next row begins in the window.
    int rowFrom;

    private final ColumnNames names = new ColumnNames();
    private long rowIndex = -1;
    private int fieldCount;
    private long stringBytes;
    private int[] columns = new int[FIRST_FIELDS];
    private WireType[] types = new WireType[FIRST_FIELDS];
    private long[] bits = new long[FIRST_FIELDS];
    private boolean[] isExtra = new boolean[FIRST_FIELDS];

    BufferedRowInput(RowWindow window) {
        this.window = window;
    }

    /// Reads the row at `rowFrom`, and moves `rowFrom` to its end. Returns false if only white
    /// space is left. Input that stops too early is a [BrokenInputException] that says so.
    abstract boolean readRow();

    /// Called when the window has other bytes. The next row begins at `rowFrom`.
    abstract void windowMoved();

    @Override
    public final boolean next() {
        rowIndex++;
        while (true) {
            fieldCount = 0;
            stringBytes = 0;
            extra.clear();
            try {
                if (readRow()) {
                    window.memory()
                            .take(
                                    KEPT_ROW_BYTES
                                            + (long) KEPT_FIELD_BYTES * fieldCount
                                            + stringBytes);
                    return true;
                }
                if (!window.more(rowFrom)) {
                    return false;
                }
            } catch (BrokenInputException e) {
                if (!e.atEnd() || !window.more(rowFrom)) {
                    throw e.inRow(rowIndex);
                }
            }
            rowFrom = 0;
            windowMoved();
        }
    }

    final long rowIndex() {
        return rowIndex;
    }

    /// The number of the column with the name in `data[from, to)`. Consecutive rows usually have
    /// the same columns in the same order. So the column that the field had in the previous row is
    /// tried first.
    final int columnOf(byte[] data, int from, int to) {
        if (fieldCount < columns.length) {
            int last = columns[fieldCount];
            if (last < names.count() && names.is(last, data, from, to)) {
                return last;
            }
        }
        int known = names.count();
        int column = names.idOf(data, from, to);
        if (column == known) {
            window.memory().take(KEPT_FIELD_BYTES + KEPT_STRING_BYTES + to - from);
        }
        return column;
    }

    final void add(int column, WireType type, long value) {
        if (fieldCount == columns.length) {
            grow();
        }
        columns[fieldCount] = column;
        types[fieldCount] = type;
        bits[fieldCount] = value;
        fieldCount++;
    }

    /// Adds a field whose bytes are `[from, to)` in the window.
    final void addWindowBytes(int column, WireType type, int from, int to) {
        add(column, type, pack(from, to));
        isExtra[fieldCount - 1] = false;
        stringBytes += KEPT_STRING_BYTES + to - from;
    }

    /// Adds a field. Its bytes are in `extra`, from `from` to the end.
    final void addExtraBytes(int column, WireType type, int from) {
        add(column, type, pack(from, extra.length()));
        isExtra[fieldCount - 1] = true;
        stringBytes += KEPT_STRING_BYTES + extra.length() - from;
    }

    private static long pack(int from, int to) {
        return (long) from << 32 | to;
    }

    private void grow() {
        if (fieldCount >= MAX_FIELDS) {
            throw new YtException(
                    YtCodes.TOO_MANY_VALUES_IN_ROW, "Too many values in row: limit " + MAX_FIELDS);
        }
        int length = columns.length * 2;
        columns = Arrays.copyOf(columns, length);
        types = Arrays.copyOf(types, length);
        bits = Arrays.copyOf(bits, length);
        isExtra = Arrays.copyOf(isExtra, length);
    }

    @Override
    public final ColumnNames names() {
        return names;
    }

    @Override
    public final int fieldCount() {
        return fieldCount;
    }

    @Override
    public final int column(int field) {
        return columns[field];
    }

    @Override
    public final WireType type(int field) {
        return types[field];
    }

    @Override
    public final long bits(int field) {
        return bits[field];
    }

    @Override
    public final Bytes bytes(int field) {
        byte[] source = isExtra[field] ? extra.array() : window.array();
        long range = bits[field];
        return Bytes.copyOf(source, (int) (range >> 32), (int) range);
    }
}
