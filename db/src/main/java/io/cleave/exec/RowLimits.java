package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Limits on the size of fields and keys, checked where rows are written.
public final class RowLimits {
    static final int MAX_FIELD_BYTES = 8 << 20;
    static final int MAX_KEY_BYTES = 1 << 20;

    /// The maximum number of bytes that one char of a string takes in UTF-8.
    private static final int MAX_CHAR_BYTES = 3;

    private RowLimits() {}

    public static void checkKey(List<Type> types, Bytes key) {
        if (isTooLong(types, key)) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Row key size of "
                            + KeyCodec.valueBytes(types, key)
                            + " bytes is larger than the allowed threshold "
                            + MAX_KEY_BYTES);
        }
    }

    /// An encoded key is longer than its values together, so the values of short keys are not
    /// counted.
    static boolean isTooLong(List<Type> types, Bytes key) {
        return key.length() > MAX_KEY_BYTES && KeyCodec.valueBytes(types, key) > MAX_KEY_BYTES;
    }

    public static void checkField(Value value) {
        long bytes =
                switch (value) {
                    case Value.Binary(Bytes data) -> data.length();
                    case Value.Text(String text) -> utf8Bytes(text);
                    default -> 0;
                };
        if (bytes > MAX_FIELD_BYTES) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Row cell size of "
                            + bytes
                            + " bytes is larger than the allowed threshold "
                            + MAX_FIELD_BYTES);
        }
    }

    /// An upper bound for short texts; exact for texts that may exceed the limit.
    private static long utf8Bytes(String text) {
        long most = (long) text.length() * MAX_CHAR_BYTES;
        return most <= MAX_FIELD_BYTES ? most : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
