package io.cleave.value;

import io.cleave.base.CorruptionException;
import io.cleave.base.LittleEndian;
import io.cleave.value.Type.Primitive;

import java.util.Arrays;

/// Values of integer and date types, and of Bool (0 or 1).
public final class LongVector extends Vector {
    private final Primitive type;
    private final int width;
    private final boolean signed;
    private long[] values = {};

    LongVector(Primitive type) {
        this.type = type;
        width = type == Primitive.BOOL ? 1 : Ints.bytes(type);
        signed = Ints.isSigned(type);
    }

    /// The values by place. The array may be longer than the vector.
    public long[] values() {
        return values;
    }

    @Override
    void resize(int capacity) {
        values = Arrays.copyOf(values, capacity);
    }

    @Override
    void put(int place, Value value) {
        values[place] =
                value instanceof Value.Bool(boolean bool)
                        ? bool ? 1 : 0
                        : ((Value.Int) value).value();
    }

    @Override
    Value at(int place) {
        return type == Primitive.BOOL ? Value.bool(values[place] != 0) : Value.of(values[place]);
    }

    @Override
    void readEven(int first, byte[] data, int[] starts, int offset, int fieldBytes, int count) {
        long[] out = values;
        if (fieldBytes == width && width == Long.BYTES) {
            for (int index = 0; index < count; index++) {
                out[first + index] = LittleEndian.getLong(data, starts[index] + offset);
            }
        } else if (fieldBytes == width && width == Integer.BYTES) {
            long mask = signed ? -1 : 0xFFFF_FFFFL;
            for (int index = 0; index < count; index++) {
                out[first + index] = LittleEndian.getInt(data, starts[index] + offset) & mask;
            }
        } else if (fieldBytes == width && width == Short.BYTES && !signed) {
            for (int index = 0; index < count; index++) {
                out[first + index] = LittleEndian.getShort(data, starts[index] + offset);
            }
        } else {
            super.readEven(first, data, starts, offset, fieldBytes, count);
        }
    }

    @Override
    void read(int place, byte[] data, int from, int to) {
        if (to - from != width) {
            throw new CorruptionException(
                    "field", from, (to - from) + " bytes for a value of type " + type.text());
        }
        values[place] =
                switch (width) {
                    case 1 -> signed ? data[from] : data[from] & 0xFF;
                    case 2 -> {
                        int bits = LittleEndian.getShort(data, from);
                        yield signed ? (short) bits : bits;
                    }
                    case 4 -> {
                        int bits = LittleEndian.getInt(data, from);
                        yield signed ? bits : Integer.toUnsignedLong(bits);
                    }
                    default -> LittleEndian.getLong(data, from);
                };
    }
}
