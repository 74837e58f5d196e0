package io.cleave.value;

import io.cleave.base.Bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Byte strings, or texts in UTF-8. Each value is a part of some array, which is never modified.
public final class BytesVector extends Vector {
    private static final byte[] NOTHING = {};

    private final boolean text;
    private byte[][] data = {};
    private int[] from = {};
    private int[] to = {};

    BytesVector(boolean text) {
        this.text = text;
    }

    public byte[] data(int place) {
        return data[place];
    }

    public int from(int place) {
        return from[place];
    }

    public int to(int place) {
        return to[place];
    }

    /// The total length of all strings.
    long length() {
        long length = 0;
        for (int place = 0; place < size(); place++) {
            length += to[place] - from[place];
        }
        return length;
    }

    /// Compares the bytes as unsigned numbers.
    public static int compare(BytesVector left, int l, BytesVector right, int r) {
        return Arrays.compareUnsigned(
                left.data[l], left.from[l], left.to[l], right.data[r], right.from[r], right.to[r]);
    }

    @Override
    void resize(int capacity) {
        int before = data.length;
        data = Arrays.copyOf(data, capacity);
        Arrays.fill(data, before, capacity, NOTHING);
        from = Arrays.copyOf(from, capacity);
        to = Arrays.copyOf(to, capacity);
    }

    @Override
    void put(int place, Value value) {
        byte[] bytes =
                value instanceof Value.Text(String string)
                        ? string.getBytes(StandardCharsets.UTF_8)
                        : ((Value.Binary) value).value().array();
        read(place, bytes, 0, bytes.length);
    }

    @Override
    Value at(int place) {
        int start = from[place];
        return text
                ? Value.text(
                        new String(data[place], start, to[place] - start, StandardCharsets.UTF_8))
                : Value.binary(Bytes.copyOf(data[place], start, to[place]));
    }

    @Override
    void read(int place, byte[] field, int fieldFrom, int fieldTo) {
        data[place] = field;
        from[place] = fieldFrom;
        to[place] = fieldTo;
    }
}
