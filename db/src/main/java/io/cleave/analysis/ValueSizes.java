package io.cleave.analysis;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

/// How large a function may make a value. Lists and strings that are put together with themselves a
/// few dozen times would be more than any memory.
final class ValueSizes {
    static final int MAX_BYTES = 64 << 20;
    static final int MAX_ITEMS = 10_000_000;

    private ValueSizes() {}

    /// The value, if it is no string or one that is not too long.
    static Value checked(Value value) {
        if (value instanceof Value.Binary(var bytes)) {
            requireBytes(bytes.length());
        } else if (value instanceof Value.Text(String text)) {
            requireBytes(text.length());
        }
        return value;
    }

    static void requireBytes(long bytes) {
        if (bytes > MAX_BYTES) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A string may have at most %d bytes".formatted(MAX_BYTES));
        }
    }

    static void requireItems(long count) {
        if (count > MAX_ITEMS) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A list may have at most %d items".formatted(MAX_ITEMS));
        }
    }
}
