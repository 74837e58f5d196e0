package io.cleave.value;

import io.cleave.base.CorruptionException;
import io.cleave.base.LittleEndian;

import java.util.Arrays;

/// Values of Decimal and Uuid: 128 bits, in two halves.
public final class WideVector extends Vector {
    private static final int FIELD_BYTES = 16;

    private final Type type;
    private long[] highs = {};
    private long[] lows = {};

    WideVector(Type type) {
        this.type = type;
    }

    /// The upper halves by place. The array may be longer than the vector.
    public long[] highs() {
        return highs;
    }

    public long[] lows() {
        return lows;
    }

    @Override
    void resize(int capacity) {
        highs = Arrays.copyOf(highs, capacity);
        lows = Arrays.copyOf(lows, capacity);
    }

    @Override
    void put(int place, Value value) {
        var wide = (Value.Int128) value;
        highs[place] = wide.high();
        lows[place] = wide.low();
    }

    @Override
    Value at(int place) {
        return new Value.Int128(highs[place], lows[place]);
    }

    @Override
    void readEven(int first, byte[] data, int[] starts, int offset, int fieldBytes, int count) {
        if (fieldBytes != FIELD_BYTES) {
            super.readEven(first, data, starts, offset, fieldBytes, count);
            return;
        }
        for (int index = 0; index < count; index++) {
            int from = starts[index] + offset;
            lows[first + index] = LittleEndian.getLong(data, from);
            highs[first + index] = LittleEndian.getLong(data, from + Long.BYTES);
        }
    }

    @Override
    void read(int place, byte[] data, int from, int to) {
        if (to - from != FIELD_BYTES) {
            throw new CorruptionException(
                    "field", from, (to - from) + " bytes for a value of type " + type.text());
        }
        lows[place] = LittleEndian.getLong(data, from);
        highs[place] = LittleEndian.getLong(data, from + Long.BYTES);
    }
}
