package io.cleave.balance.yt.move;

import java.util.Arrays;

/// The cells by the gain of their best move, the greatest on top.
final class GainHeap {
    private final double[] gains;
    private final int[] heap;
    private final int[] positions;

    GainHeap(int cellCount) {
        gains = new double[cellCount];
        heap = new int[cellCount];
        positions = new int[cellCount];
        Arrays.setAll(heap, cell -> cell);
        Arrays.setAll(positions, cell -> cell);
    }

    int top() {
        return heap[0];
    }

    double gain(int cell) {
        return gains[cell];
    }

    void set(int cell, double gain) {
        gains[cell] = gain;
        int position = positions[cell];
        while (position > 0 && isAbove(cell, heap[(position - 1) / 2])) {
            put(heap[(position - 1) / 2], position);
            position = (position - 1) / 2;
        }
        while (true) {
            int child = 2 * position + 1;
            if (child + 1 < heap.length && isAbove(heap[child + 1], heap[child])) {
                child++;
            }
            if (child >= heap.length || !isAbove(heap[child], cell)) {
                break;
            }
            put(heap[child], position);
            position = child;
        }
        put(cell, position);
    }

    private void put(int cell, int position) {
        heap[position] = cell;
        positions[cell] = position;
    }

    private boolean isAbove(int cell, int other) {
        return gains[cell] > gains[other] || (gains[cell] == gains[other] && cell < other);
    }
}
