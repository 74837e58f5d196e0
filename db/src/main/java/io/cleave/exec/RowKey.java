package io.cleave.exec;

import io.cleave.value.HashKey;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.List;

/// Some values as a key of a hash table.
final class RowKey {
    private final Value[] values;
    private final int hash;

    private RowKey(Value[] values) {
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    /// Equal for rows that are one group: NULL is equal to NULL.
    static RowKey ofGroup(Type[] types, Value[] values) {
        var keys = new Value[types.length];
        for (int index = 0; index < keys.length; index++) {
            keys[index] = HashKey.ofGroup(types[index], values[index]);
        }
        return new RowKey(keys);
    }

    /// Equal for rows that a join finds equal, also between types that compare.
    static RowKey ofJoin(Type[] types, Value[] values) {
        var keys = new Value[types.length];
        for (int index = 0; index < keys.length; index++) {
            keys[index] = HashKey.ofJoin(types[index], values[index]);
        }
        return new RowKey(keys);
    }

    /// A key of these [#values()].
    static RowKey ofValues(Value[] values) {
        return new RowKey(values);
    }

    static Type[] array(List<Type> types) {
        return types.toArray(Type[]::new);
    }

    static boolean hasNull(Value[] values) {
        for (Value value : values) {
            if (value.isNull()) {
                return true;
            }
        }
        return false;
    }

    Value[] values() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey that
                && hash == that.hash
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
