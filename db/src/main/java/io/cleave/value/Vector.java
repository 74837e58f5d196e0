package io.cleave.value;

import io.cleave.value.Type.Primitive;

import java.util.Arrays;

/// A vector of values of one type: a column of a batch of rows. Loops over many rows read plain
/// arrays, whose content is undefined at places that are NULL.
///
/// Threads: one at a time.
public abstract sealed class Vector
        permits LongVector, DoubleVector, WideVector, BytesVector, ValueVector {
    private boolean[] nulls = {};
    private boolean hasNulls;
    private int size;

    Vector() {}

    /// An empty vector for values of the type. It accepts NULL even if the type is not Optional.
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

    /// The estimated size of its values in bytes.
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

    /// Sets the size, with no NULL; the caller must set all values.
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

    /// Marks a place as not NULL; the caller must set its value.
    public final void clearNull(int place) {
        nulls[place] = false;
    }

    /// Sets every place of `rows` to NULL at which `other` is NULL.
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

    /// Copies the value of `other`, a vector of the same kind, at this place.
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

    /// Adds a field that [FieldCodec] has written. Its bytes may be referenced and not copied.
    public final void addField(byte[] data, int from, int to) {
        int place = grow(1);
        read(place, data, from, to);
    }

    /// Adds fields that are in one array. If `from` is -1, the value is `absent`; if it is less,
    /// NULL.
    public final void addFields(byte[] data, int[] from, int[] to, int count, Value absent) {
        int first = grow(count);
        readAll(first, data, from, to, count);
        for (int index = 0; index < count; index++) {
            if (from[index] < 0) {
                set(first + index, from[index] == -1 ? absent : Value.Null.NULL);
            }
        }
    }

    /// Adds fields of one width that are in one array, each `offset` bytes after its start.
    public final void addEvenFields(byte[] data, int[] starts, int offset, int width, int count) {
        int first = grow(count);
        readEven(first, data, starts, offset, width, count);
    }

    /// Adds places; returns the first one.
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

    /// Skips fields whose `from` is negative.
    void readAll(int first, byte[] data, int[] from, int[] to, int count) {
        for (int index = 0; index < count; index++) {
            if (from[index] >= 0) {
                read(first + index, data, from[index], to[index]);
            }
        }
    }
}
