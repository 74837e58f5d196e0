package io.cleave.value;

import java.util.Arrays;

/// Values of types that columns cannot have.
public final class ValueVector extends Vector {
    private Value[] values = {};

    ValueVector() {}

    @Override
    void resize(int capacity) {
        values = Arrays.copyOf(values, capacity);
    }

    @Override
    void put(int place, Value value) {
        values[place] = value;
    }

    @Override
    Value at(int place) {
        return values[place];
    }

    @Override
    void read(int place, byte[] data, int from, int to) {
        throw new IllegalStateException("no field has such a type");
    }
}
