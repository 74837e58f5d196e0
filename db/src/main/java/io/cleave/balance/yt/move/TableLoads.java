package io.cleave.balance.yt.move;

import java.util.Arrays;

/// The load of each table in each cell or node, here called a place. Most tables are in few places,
/// so it is a hash table with open addressing.
final class TableLoads {
    private static final long NONE = -1;
    private static final int INITIAL_CAPACITY = 1 << 10;

    private final long places;
    private long[] keys = new long[INITIAL_CAPACITY];
    private double[] loads = new double[INITIAL_CAPACITY];
    private int size;

    TableLoads(int placeCount) {
        places = placeCount;
        Arrays.fill(keys, NONE);
    }

    double get(int table, int place) {
        int slot = slot(key(table, place));
        return keys[slot] == NONE ? 0 : loads[slot];
    }

    void add(int table, int place, double load) {
        long key = key(table, place);
        int slot = slot(key);
        if (keys[slot] == NONE) {
            keys[slot] = key;
            size++;
        }
        loads[slot] += load;
        if (2 * size > keys.length) {
            grow();
        }
    }

    private long key(int table, int place) {
        return table * places + place;
    }

    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & (keys.length - 1);
        while (keys[slot] != key && keys[slot] != NONE) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        double[] oldLoads = loads;
        keys = new long[2 * oldKeys.length];
        loads = new double[keys.length];
        Arrays.fill(keys, NONE);
        for (int old = 0; old < oldKeys.length; old++) {
            if (oldKeys[old] != NONE) {
                int slot = slot(oldKeys[old]);
                keys[slot] = oldKeys[old];
                loads[slot] = oldLoads[old];
            }
        }
    }
}
