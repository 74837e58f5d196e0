package io.cleave.typed;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

/// Limits on the size of a value that a function creates. Without them, a few dozen
/// self-concatenations of a list or string would exhaust the memory.
public final class ValueSizes {
    static final int MAX_BYTES = 64 << 20;
    public static final int MAX_ITEMS = 10_000_000;

    private ValueSizes() {}

    /// Returns the value. Throws if it is a string that is too long.
    public static Value checked(Value value) {
        if (value instanceof Value.Binary(var bytes)) {
            requireBytes(bytes.length());
        } else if (value instanceof Value.Text(String text)) {
            requireBytes(text.length());
        }
        return value;
    }

    public static void requireBytes(long bytes) {
        if (bytes > MAX_BYTES) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A string may have at most %d bytes".formatted(MAX_BYTES));
        }
    }

    public static void requireItems(long count) {
        if (count > MAX_ITEMS) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A list may have at most %d items".formatted(MAX_ITEMS));
        }
    }
}
