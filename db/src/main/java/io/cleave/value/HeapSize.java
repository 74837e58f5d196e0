package io.cleave.value;

import java.util.List;

/// Estimates the heap memory of values, for code that keeps them and reserves the memory first.
public final class HeapSize {
    private static final int ARRAY_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;
    private static final int BOX_BYTES = 24;

    /// The characters of a text up to this length are not examined.
    private static final int SHORT_CHARS = 32;

    /// The greatest character of a text that is stored with one byte for each character.
    private static final char MAX_ONE_BYTE = 0xff;

    private HeapSize() {}

    /// The size of a row with its values.
    public static long of(Value[] row) {
        long bytes = ARRAY_BYTES;
        for (Value value : row) {
            bytes += REFERENCE_BYTES + of(value);
        }
        return bytes;
    }

    public static long of(Value value) {
        return switch (value) {
            case Value.Null _, Value.Bool _ -> 0;
            case Value.Int _, Value.Real _ -> BOX_BYTES;
            case Value.Int128 _ -> BOX_BYTES + Long.BYTES;
            case Value.Text(String text) -> BOX_BYTES * 2 + of(text);
            case Value.Binary(var data) -> BOX_BYTES * 3 + data.length();
            case Value.Items(List<Value> items) -> of(items);
            case Value.Pairs(List<Value.Pair> pairs) -> {
                long sum = BOX_BYTES;
                for (Value.Pair pair : pairs) {
                    sum += BOX_BYTES + of(pair.key()) + of(pair.payload());
                }
                yield sum;
            }
            case Value.Choice(_, Value chosen) -> BOX_BYTES + of(chosen);
            case Value.Just(Value item) -> BOX_BYTES + of(item);
        };
    }

    /// A cheaper upper bound, which does not examine the characters of a text.
    public static long atMost(Value value) {
        return value instanceof Value.Text(String text)
                ? BOX_BYTES * 2 + 2L * text.length()
                : of(value);
    }

    private static long of(List<Value> items) {
        long sum = BOX_BYTES;
        for (Value item : items) {
            sum += REFERENCE_BYTES + of(item);
        }
        return sum;
    }

    /// If one character needs two bytes, all characters of the text take two.
    private static long of(String text) {
        int length = text.length();
        if (length > SHORT_CHARS) {
            for (int index = 0; index < length; index++) {
                if (text.charAt(index) > MAX_ONE_BYTE) {
                    return 2L * length;
                }
            }
        }
        return length;
    }
}
