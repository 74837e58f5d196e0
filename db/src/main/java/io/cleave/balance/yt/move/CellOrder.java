package io.cleave.balance.yt.move;

import java.util.Comparator;
import java.util.stream.IntStream;

/// The cells by a number, ascending. The numbers change a little with each move, so a cell that
/// changes is shifted to its place.
final class CellOrder {
    private final double[] keys;
    private final int[] cells;
    private final int[] positions;

    CellOrder(double[] keys) {
        this.keys = keys.clone();
        cells =
                IntStream.range(0, keys.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(cell -> keys[cell]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        positions = new int[keys.length];
        for (int position = 0; position < cells.length; position++) {
            positions[cells[position]] = position;
        }
    }

    int size() {
        return cells.length;
    }

    int cell(int position) {
        return cells[position];
    }

    double key(int cell) {
        return keys[cell];
    }

    void set(int cell, double key) {
        keys[cell] = key;
        int position = positions[cell];
        while (position > 0 && isBefore(cell, cells[position - 1])) {
            put(cells[position - 1], position);
            position--;
        }
        while (position + 1 < cells.length && isBefore(cells[position + 1], cell)) {
            put(cells[position + 1], position);
            position++;
        }
        put(cell, position);
    }

    private void put(int cell, int position) {
        cells[position] = cell;
        positions[cell] = position;
    }

    private boolean isBefore(int cell, int other) {
        return keys[cell] < keys[other] || (keys[cell] == keys[other] && cell < other);
    }
}
