package io.cleave.value;

import io.cleave.base.CorruptionException;
import io.cleave.base.LittleEndian;

import java.util.Arrays;

/// Values of Float or Double; a Float value is exactly representable as a float.
public final class DoubleVector extends Vector {
    private final boolean single;
    private double[] values = {};

    DoubleVector(boolean single) {
        this.single = single;
    }

    /// The values by place. The array may be longer than the vector.
    public double[] values() {
        return values;
    }

    @Override
    void resize(int capacity) {
        values = Arrays.copyOf(values, capacity);
    }

    @Override
    void put(int place, Value value) {
        values[place] = ((Value.Real) value).value();
    }

    @Override
    Value at(int place) {
        return Value.of(values[place]);
    }

    @Override
    void readEven(int first, byte[] data, int[] starts, int offset, int fieldBytes, int count) {
        if (single || fieldBytes != Double.BYTES) {
            super.readEven(first, data, starts, offset, fieldBytes, count);
            return;
        }
        double[] out = values;
        for (int index = 0; index < count; index++) {
            out[first + index] =
                    Double.longBitsToDouble(LittleEndian.getLong(data, starts[index] + offset));
        }
    }

    @Override
    void read(int place, byte[] data, int from, int to) {
        if (to - from != (single ? Float.BYTES : Double.BYTES)) {
            throw new CorruptionException("field", from, (to - from) + " bytes for a real number");
        }
        values[place] =
                single
                        ? Float.intBitsToFloat(LittleEndian.getInt(data, from))
                        : Double.longBitsToDouble(LittleEndian.getLong(data, from));
    }
}
