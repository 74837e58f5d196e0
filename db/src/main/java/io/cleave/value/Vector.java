package io.cleave.value;

import io.cleave.value.Type.Primitive;

import java.util.Arrays;

/// Values of one type, one behind the other: a column of a batch of rows. What a loop over many
/// rows reads are plain arrays; a place that is NULL has anything in them.
///
/// Threads: one at a time.
public abstract sealed class Vector
        permits LongVector, DoubleVector, WideVector, BytesVector, ValueVector {
    private boolean[] nulls = {};
    private boolean hasNulls;
    private int size;

    Vector() {}

    /// An empty vector for values of the type; NULL may be among them whatever it says.
    public static Vector of(Type type) {
        Type bare = type.unwrapped();
        if (bare instanceof Type.Decimal) {
            return new WideVector(bare);
        }
        return bare instanceof Primitive primitive ? of(primitive) : new ValueVector();
    }

    private static Vector of(Primitive primitive) {
        return switch (primitive.carrier()) {
            case FLOAT, DOUBLE -> new DoubleVector(primitive == Primitive.FLOAT);
            case INT128 -> new WideVector(primitive);
            case BYTES -> new BytesVector(false);
            case TEXT -> new BytesVector(true);
            case BOOL, INT32, UINT32, INT64, UINT64 -> new LongVector(primitive);
        };
    }

    public final int size() {
        return size;
    }

    /// About what its values take.
    public final long bytes() {
        return switch (this) {
            case BytesVector bytes -> bytes.length();
            case LongVector _, DoubleVector _, ValueVector _ -> (long) size * Long.BYTES;
            case WideVector _ -> 2L * size * Long.BYTES;
        };
    }

    public final boolean hasNulls() {
        return hasNulls;
    }

    public final boolean isNull(int place) {
        return hasNulls && nulls[place];
    }

    /// Makes it as long as `newSize`, with nothing NULL; what stands in it is to be set.
    public final void reset(int newSize) {
        clear();
        reserve(newSize);
        size = newSize;
    }

    public final void clear() {
        if (hasNulls) {
            Arrays.fill(nulls, 0, size, false);
            hasNulls = false;
        }
        size = 0;
    }

    public final void setNull(int place) {
        hasNulls = true;
        nulls[place] = true;
    }

    /// What stands there is to be set.
    public final void clearNull(int place) {
        nulls[place] = false;
    }

    /// Makes NULL every place of `rows` in which `other` is.
    public final void setNullsOf(Vector other, int[] rows, int count) {
        if (other.hasNulls) {
            for (int index = 0; index < count; index++) {
                int row = rows[index];
                if (other.nulls[row]) {
                    setNull(row);
                }
            }
        }
    }

    public final void addNull() {
        int place = grow(1);
        setNull(place);
    }

    public final void add(Value value) {
        int place = grow(1);
        set(place, value);
    }

    public final void set(int place, Value value) {
        if (value.isNull()) {
            setNull(place);
        } else {
            put(place, value);
        }
    }

    /// Sets what `other`, a vector of the same kind, has at the same place.
    public final void copy(int place, Vector other) {
        if (other.isNull(place)) {
            setNull(place);
            return;
        }
        switch (this) {
            case LongVector longs -> longs.values()[place] = ((LongVector) other).values()[place];
            case DoubleVector doubles ->
                    doubles.values()[place] = ((DoubleVector) other).values()[place];
            case BytesVector bytes -> {
                var from = (BytesVector) other;
                bytes.read(place, from.data(place), from.from(place), from.to(place));
            }
            case WideVector _, ValueVector _ -> put(place, other.at(place));
        }
    }

    public final Value get(int place) {
        return isNull(place) ? Value.Null.NULL : at(place);
    }

    /// A cell as [CellCodec] writes it. Its bytes may be kept, not copied.
    public final void addCell(byte[] data, int from, int to) {
        int place = grow(1);
        read(place, data, from, to);
    }

    /// Cells that stand in one array; where `from` is -1, `absent`, and where it is less, NULL.
    public final void addCells(byte[] data, int[] from, int[] to, int count, Value absent) {
        int first = grow(count);
        readAll(first, data, from, to, count);
        for (int index = 0; index < count; index++) {
            if (from[index] < 0) {
                set(first + index, from[index] == -1 ? absent : Value.Null.NULL);
            }
        }
    }

    /// Cells that stand in one array, `offset` behind each of the starts and all as wide.
    public final void addEvenCells(byte[] data, int[] starts, int offset, int width, int count) {
        int first = grow(count);
        readEven(first, data, starts, offset, width, count);
    }

    /// Returns the first of the new places.
    private int grow(int more) {
        int first = size;
        reserve(first + more);
        size = first + more;
        return first;
    }

    private void reserve(int places) {
        if (nulls.length < places) {
            int capacity = Math.max(places, nulls.length * 2);
            nulls = Arrays.copyOf(nulls, capacity);
            resize(capacity);
        }
    }

    abstract void resize(int capacity);

    /// The value is not NULL.
    abstract void put(int place, Value value);

    abstract Value at(int place);

    abstract void read(int place, byte[] data, int from, int to);

    void readEven(int first, byte[] data, int[] starts, int offset, int width, int count) {
        for (int index = 0; index < count; index++) {
            int from = starts[index] + offset;
            read(first + index, data, from, from + width);
        }
    }

    /// Leaves out cells whose `from` is negative.
    void readAll(int first, byte[] data, int[] from, int[] to, int count) {
        for (int index = 0; index < count; index++) {
            if (from[index] >= 0) {
                read(first + index, data, from[index], to[index]);
            }
        }
    }
}
