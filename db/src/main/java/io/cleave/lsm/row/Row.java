package io.cleave.lsm.row;

import io.cleave.base.Bytes;
import io.cleave.base.LittleEndian;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// A row as a snapshot sees it, with its versions merged. Fields are not copied: they are read in
/// the memtable or the block that has them.
///
/// A [RowCursor] reuses one row object: its content is valid until the cursor moves. The arrays
/// that [#data] returned do not change.
public final class Row {
    private static final int[] NO_NUMBERS = new int[0];
    private static final byte[] @Nullable [] NO_DATA = new byte[0] @Nullable [];

    /// A row without fields.
    public static final Row NONE = new Row(Projection.NOTHING);

    /// The wanted columns, ascending; null means all columns.
    private final int @Nullable [] wanted;

    /// The current key. It is copied only when asked for, so a scan that skips rows allocates
    /// nothing.
    private byte[] keyData = Bytes.EMPTY.array();

    private int keyBytes;
    private @Nullable Bytes key;

    /// Versions up to this timestamp are hidden by a range erase. Set after [#begin].
    public long floor;

    private boolean exists;
    private long timestamp;

    // The fields by ascending column; a null array is a NULL. Other classes of the package read
    // these fields.
    public int count;
    public int[] columns = NO_NUMBERS;
    byte[] @Nullable [] data = NO_DATA;

    /// The start and the end of each field.
    private int[] bounds = NO_NUMBERS;

    public Row(Projection projection) {
        wanted = projection.columns;
    }

    public Bytes key() {
        Bytes known = key;
        if (known == null) {
            known = Bytes.copyOf(keyData, 0, keyBytes);
            key = known;
        }
        return known;
    }

    /// The timestamp of the newest merged version.
    public long timestamp() {
        return timestamp;
    }

    /// The index of this column's field; -1 if the row does not set the column or it is NULL.
    public int fieldIndex(int columnId) {
        for (int index = 0; index < count; index++) {
            if (columns[index] >= columnId) {
                return columns[index] == columnId && data[index] != null ? index : -1;
            }
        }
        return -1;
    }

    /// Whether the row sets the column to NULL.
    public boolean isNull(int columnId) {
        int found = Arrays.binarySearch(columns, 0, count, columnId);
        return found >= 0 && data[found] == null;
    }

    /// The array in which the field is `[from(index), to(index))`. It must not be modified.
    public byte[] data(int index) {
        byte[] fields = data[index];
        if (fields == null) {
            throw new IllegalArgumentException("field " + index + " is NULL");
        }
        return fields;
    }

    public int from(int index) {
        return bounds[2 * index];
    }

    public int to(int index) {
        return bounds[2 * index + 1];
    }

    /// The size of the key and of the fields.
    public long bytes() {
        long bytes = key().length();
        for (int index = 0; index < count; index++) {
            if (data[index] != null) {
                bytes += bounds[2 * index + 1] - bounds[2 * index];
            }
        }
        return bytes;
    }

    /// The wanted columns, ascending. Fails for a scan of all columns.
    int[] wantedColumns() {
        int[] known = wanted;
        if (known == null) {
            throw new IllegalStateException("a scan of all columns cannot go by columns");
        }
        return known;
    }

    public void begin(Bytes ofKey) {
        key = ofKey;
        clear();
    }

    /// Starts a row. The array belongs to the caller, who must not change it while the row is in
    /// use.
    void begin(byte[] ofKeyData, int ofKeyBytes) {
        key = null;
        keyData = ofKeyData;
        keyBytes = ofKeyBytes;
        clear();
    }

    private void clear() {
        exists = false;
        count = 0;
        floor = RangeErases.NEVER;
    }

    public boolean exists() {
        return exists;
    }

    /// Starts the next older version, which is not an ERASE. Its fields follow.
    public void addVersion(long versionTimestamp) {
        if (!exists) {
            exists = true;
            timestamp = versionTimestamp;
        }
    }

    /// Whether all wanted columns are known, so that no older version can change the row.
    public boolean isComplete() {
        return wanted != null && count == wanted.length && exists;
    }

    /// Adds an encoded [RowChange], the next older version. Returns true if no older version can
    /// change the row.
    public boolean merge(long versionTimestamp, byte[] change, int changeFrom) {
        RowChange.Kind kind = RowChange.kind(change, changeFrom);
        if (kind == RowChange.Kind.ERASE || versionTimestamp <= floor) {
            return true;
        }
        addVersion(versionTimestamp);
        addChange(change, changeFrom + 1);
        return kind == RowChange.Kind.REPLACE || isComplete();
    }

    /// Adds fields by ascending column; a null field is NULL.
    public void addFields(int[] ascendingColumnIds, byte[] @Nullable [] fields) {
        reserve(fields.length);
        for (int index = 0; index < fields.length; index++) {
            byte[] field = fields[index];
            addField(ascendingColumnIds[index], field, 0, field == null ? 0 : field.length);
        }
    }

    /// Adds the fields of a change. The number of fields is at `countFrom`.
    public void addChange(byte[] change, int countFrom) {
        int fields = LittleEndian.getVarInt(change, countFrom);
        int header = countFrom + LittleEndian.varIntBytes(fields);
        int field = skip(change, header, 2 * fields);
        reserve(fields);
        int column = 0;
        int next = 0;
        for (int index = 0; index < fields; index++) {
            int step = LittleEndian.getVarInt(change, header);
            header += LittleEndian.varIntBytes(step);
            int size = LittleEndian.getVarInt(change, header);
            header += LittleEndian.varIntBytes(size);
            column += step;
            int fieldTo = size == 0 ? field : field + size - 1;
            next = wantedFrom(next, column);
            if (isWanted(next, column)) {
                addField(column, size == 0 ? null : change, field, fieldTo);
            }
            field = fieldTo;
        }
    }

    /// Adds the fields of a row of a block; they are at `at`. See [Fields].
    void add(Shape shape, byte[] block, int at) {
        int fields = shape.columns.length;
        int size = at;
        int field = shape.variables == 0 ? at : skip(block, at, shape.variables);
        reserve(fields);
        int next = 0;
        for (int index = 0; index < fields; index++) {
            int width = shape.widths[index];
            boolean isNull = false;
            if (width == Shape.VARIABLE) {
                int sized = LittleEndian.getVarInt(block, size);
                size += LittleEndian.varIntBytes(sized);
                isNull = sized == 0;
                width = isNull ? 0 : sized - 1;
            }
            int column = shape.columns[index];
            next = wantedFrom(next, column);
            if (isWanted(next, column)) {
                addField(column, isNull ? null : block, field, field + width);
            }
            field += width;
        }
    }

    private static int skip(byte[] bytes, int from, int numbers) {
        int at = from;
        for (int number = 0; number < numbers; number++) {
            while (bytes[at++] < 0) {}
        }
        return at;
    }

    /// The index, from `next` on, of the first wanted column that is at least `column`.
    private int wantedFrom(int next, int column) {
        int at = next;
        if (wanted != null) {
            while (at < wanted.length && wanted[at] < column) {
                at++;
            }
        }
        return at;
    }

    private boolean isWanted(int next, int column) {
        return wanted == null || (next < wanted.length && wanted[next] == column);
    }

    /// Adds a field, unless a newer version has set the column.
    private void addField(int column, byte @Nullable [] fields, int fieldFrom, int fieldTo) {
        int place = count;
        if (count > 0 && columns[count - 1] >= column) {
            int found = Arrays.binarySearch(columns, 0, count, column);
            if (found >= 0) {
                return;
            }
            place = -found - 1;
            makeRoom(place);
        }
        columns[place] = column;
        data[place] = fields;
        bounds[2 * place] = fieldFrom;
        bounds[2 * place + 1] = fieldTo;
        count++;
    }

    private void makeRoom(int place) {
        int moved = count - place;
        System.arraycopy(columns, place, columns, place + 1, moved);
        System.arraycopy(data, place, data, place + 1, moved);
        System.arraycopy(bounds, 2 * place, bounds, 2 * place + 2, 2 * moved);
    }

    /// Makes room for this many more fields, some of which may not be wanted.
    private void reserve(int fields) {
        int most = count + fields;
        if (wanted != null) {
            most = Math.min(most, wanted.length);
        }
        if (columns.length >= most) {
            return;
        }
        int size = Math.max(most, columns.length * 2);
        if (count == 0) {
            columns = new int[size];
            data = new byte[size] @Nullable [];
            bounds = new int[2 * size];
        } else {
            columns = Arrays.copyOf(columns, size);
            data = Arrays.copyOf(data, size);
            bounds = Arrays.copyOf(bounds, 2 * size);
        }
    }
}
