package io.cleave.value;

import io.cleave.value.Value.Int128;

import java.util.Optional;
import java.util.regex.Pattern;

/// Parses and prints Uuids. In memory, the first three fields are little-endian and the rest is in
/// text order. The two halves are these bytes read as little-endian numbers:
/// 550e8400-e29b-41d4-a716-446655440000 is low 0x41d4e29b550e8400, high 0x00004455664416a7.
public final class UuidText {
    private static final Pattern SHAPE =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private UuidText() {}

    public static Optional<Int128> parse(String text) {
        if (!SHAPE.matcher(text).matches()) {
            return Optional.empty();
        }
        String hex = text.replace("-", "");
        long first = Long.parseLong(hex, 0, 8, 16);
        long second = Long.parseLong(hex, 8, 12, 16);
        long third = Long.parseLong(hex, 12, 16, 16);
        long rest = Long.parseUnsignedLong(hex, 16, 32, 16);
        return Optional.of(new Int128(Long.reverseBytes(rest), third << 48 | second << 32 | first));
    }

    public static String print(Int128 value) {
        long low = value.low();
        long rest = Long.reverseBytes(value.high());
        return String.format(
                "%08x-%04x-%04x-%04x-%012x",
                low & 0xFFFF_FFFFL,
                low >>> 32 & 0xFFFF,
                low >>> 48,
                rest >>> 48,
                rest & 0xFFFF_FFFF_FFFFL);
    }
}
