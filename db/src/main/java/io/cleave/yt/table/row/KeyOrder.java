package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Keys in their order, for cheaper reads, and the way back to the order of the client.
final class KeyOrder {
    private final List<Bytes> keys;

    /// The place of each key in the client's order; null if both orders are the same.
    private final int @Nullable [] asked;

    private KeyOrder(List<Bytes> keys, int @Nullable [] asked) {
        this.keys = keys;
        this.asked = asked;
    }

    static KeyOrder of(List<Bytes> keys) {
        boolean sorted = true;
        for (int index = 1; index < keys.size() && sorted; index++) {
            sorted = keys.get(index - 1).compareTo(keys.get(index)) <= 0;
        }
        if (sorted) {
            return new KeyOrder(keys, null);
        }
        Integer[] order = new Integer[keys.size()];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, Comparator.comparing(keys::get));
        List<Bytes> inOrder = new ArrayList<>(order.length);
        int[] asked = new int[order.length];
        for (int place = 0; place < order.length; place++) {
            inOrder.add(keys.get(order[place]));
            asked[place] = order[place];
        }
        return new KeyOrder(inOrder, asked);
    }

    List<Bytes> keys() {
        return keys;
    }

    Value[] @Nullable [] asAsked(Value[] @Nullable [] found) {
        if (asked == null) {
            return found;
        }
        Value[] @Nullable [] rows = new Value[found.length] @Nullable [];
        for (int place = 0; place < found.length; place++) {
            rows[asked[place]] = found[place];
        }
        return rows;
    }
}
