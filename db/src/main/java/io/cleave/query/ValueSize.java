package io.cleave.query;

import io.cleave.value.Value;

/// The approximate size of a value on the wire, in bytes. Exact enough for limits and part sizes.
public final class ValueSize {
    /// The tag and the length before each value.
    private static final int FRAME_BYTES = 2;

    private ValueSize() {}

    static long of(Value[] row) {
        long bytes = 0;
        for (Value value : row) {
            bytes += of(value);
        }
        return bytes;
    }

    public static long of(Value value) {
        // Runs for each value of a result. A switch on the classes takes several times as long.
        if (value instanceof Value.Int || value instanceof Value.Real) {
            return FRAME_BYTES + Long.BYTES + 1;
        }
        if (value instanceof Value.Text text) {
            return (long) FRAME_BYTES + text.value().length();
        }
        if (value instanceof Value.Binary binary) {
            return (long) FRAME_BYTES + binary.value().length();
        }
        return FRAME_BYTES
                + switch (value) {
                    case Value.Null _, Value.Bool _ -> 1;
                    case Value.Int _, Value.Real _ -> Long.BYTES + 1;
                    case Value.Int128 _ -> 2 * (Long.BYTES + 1);
                    case Value.Text(String text) -> text.length();
                    case Value.Binary(var bytes) -> bytes.length();
                    case Value.Items(var items) -> items.stream().mapToLong(ValueSize::of).sum();
                    case Value.Pairs(var pairs) ->
                            pairs.stream().mapToLong(p -> of(p.key()) + of(p.payload())).sum();
                    case Value.Choice(int _, Value item) -> of(item) + FRAME_BYTES;
                    case Value.Just(Value item) -> of(item);
                };
    }
}
