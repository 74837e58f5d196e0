package io.cleave.exec.spill;

import io.cleave.base.Bytes;
import io.cleave.value.HashKey;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.List;

/// A list of values as a key of a hash table. Immutable.
public final class RowKey {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final Value[] values;
    private final int hash;

    private RowKey(Value[] values) {
        this.values = values;
        long mixed = 0;
        for (Value value : values) {
            mixed =
                    mixed(
                            mixed,
                            value instanceof Value.Int(long number) ? number : value.hashCode());
        }
        hash = (int) mixed;
    }

    /// Keys are equal if their rows belong to the same group: NULL is equal to NULL.
    public static RowKey ofGroup(Type[] types, Value[] values) {
        var keys = new Value[types.length];
        for (int index = 0; index < keys.length; index++) {
            keys[index] = HashKey.ofGroup(types[index], values[index]);
        }
        return new RowKey(keys);
    }

    /// Keys are equal if a join finds their values equal, even if the types differ.
    public static RowKey ofJoin(Type[] types, Value[] values) {
        var keys = new Value[types.length];
        for (int index = 0; index < keys.length; index++) {
            keys[index] = HashKey.ofJoin(types[index], values[index]);
        }
        return new RowKey(keys);
    }

    /// A key with exactly these [#values()].
    public static RowKey ofValues(Value[] values) {
        return new RowKey(values);
    }

    public static Type[] array(List<Type> types) {
        return types.toArray(Type[]::new);
    }

    public static boolean hasNull(Value[] values) {
        for (Value value : values) {
            if (value.isNull()) {
                return true;
            }
        }
        return false;
    }

    public Value[] values() {
        return values;
    }

    /// A different hash for each seed. Keys with the same hash for one seed differ for the next,
    /// because the hash covers all bits of the values, not only their hash codes.
    long hash(long seed) {
        long hash = seed;
        for (Value value : values) {
            hash = hash(hash, value);
        }
        hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
        return hash ^ hash >>> 33;
    }

    private static long hash(long seed, Value value) {
        return switch (value) {
            case Value.Null _ -> mixed(seed, 0);
            case Value.Bool(boolean bool) -> mixed(seed, bool ? 2 : 1);
            case Value.Int(long number) -> mixed(mixed(seed, 3), number);
            case Value.Real(double real) -> mixed(mixed(seed, 4), Double.doubleToLongBits(real));
            case Value.Int128(long high, long low) -> mixed(mixed(mixed(seed, 5), high), low);
            case Value.Text(String text) -> {
                long hash = mixed(mixed(seed, 6), text.length());
                for (int index = 0; index < text.length(); index++) {
                    hash = mixed(hash, text.charAt(index));
                }
                yield hash;
            }
            case Value.Binary(Bytes bytes) -> {
                long hash = mixed(mixed(seed, 7), bytes.length());
                for (int index = 0; index < bytes.length(); index++) {
                    hash = mixed(hash, bytes.at(index));
                }
                yield hash;
            }
            case Value.Items(List<Value> items) -> {
                long hash = mixed(mixed(seed, 8), items.size());
                for (Value item : items) {
                    hash = hash(hash, item);
                }
                yield hash;
            }
            case Value.Pairs(List<Value.Pair> pairs) -> {
                long hash = mixed(mixed(seed, 9), pairs.size());
                for (Value.Pair pair : pairs) {
                    hash = hash(hash(hash, pair.key()), pair.payload());
                }
                yield hash;
            }
            case Value.Choice(int index, Value chosen) ->
                    hash(mixed(mixed(seed, 10), index), chosen);
            case Value.Just(Value item) -> hash(mixed(seed, 11), item);
        };
    }

    private static long mixed(long hash, long bits) {
        long product = (hash ^ bits) * FACTOR;
        return product ^ product >>> 32;
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
