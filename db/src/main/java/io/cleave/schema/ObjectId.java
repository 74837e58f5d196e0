package io.cleave.schema;

import java.util.Optional;

/// The id of an object as YTsaurus' clients know it: 128 bits that include the type.
///
/// ```
/// text   a-b-c-d   hexadecimal, without leading zeros
/// high   a, b      the number of the object
/// low    c         cell tag (16 bits), type (16 bits)
///        d         more bits of the number
/// ```
public record ObjectId(long high, long low) implements Comparable<ObjectId> {
    /// Clients expect a cell tag other than 0.
    private static final long CELL_TAG = 1;

    private static final int PARTS = 4;

    /// No object: what clients send for "no transaction".
    public static final ObjectId NULL = new ObjectId(0, 0);

    /// The object of this type with this number.
    public static ObjectId of(ObjectType type, long number) {
        return of(type, number, 1);
    }

    public static ObjectId of(ObjectType type, long number, int rest) {
        return new ObjectId(
                number,
                (CELL_TAG << 16 | type.code()) << Integer.SIZE | Integer.toUnsignedLong(rest));
    }

    /// The object of this type with this name, for objects that have no number.
    public static ObjectId named(ObjectType type, String name) {
        // FNV-1a: a published hash, so that ids stay the same in later versions.
        long hash = 0xcbf29ce484222325L;
        for (int index = 0; index < name.length(); index++) {
            hash = (hash ^ name.charAt(index)) * 0x100000001b3L;
        }
        return of(type, hash, 2);
    }

    /// The number of the type; 0 for [#NULL].
    public int typeCode() {
        return (int) (low >>> Integer.SIZE) & 0xFFFF;
    }

    public Optional<ObjectType> type() {
        return ObjectType.find(typeCode());
    }

    /// The number with which the id was made.
    public long number() {
        return high;
    }

    public boolean isNull() {
        return equals(NULL);
    }

    public String text() {
        return "%x-%x-%x-%x"
                .formatted((int) (high >>> 32), (int) high, (int) (low >>> 32), (int) low);
    }

    /// Reads the text form; empty if it is none.
    public static Optional<ObjectId> parse(String text) {
        String[] parts = text.split("-", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        long[] numbers = new long[PARTS];
        for (int part = 0; part < PARTS; part++) {
            if (parts[part].isEmpty()
                    || parts[part].length() > 8
                    || !parts[part]
                            .chars()
                            .allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0)) {
                return Optional.empty();
            }
            numbers[part] = Long.parseLong(parts[part], 16);
        }
        return Optional.of(
                new ObjectId(numbers[0] << 32 | numbers[1], numbers[2] << 32 | numbers[3]));
    }

    @Override
    public int compareTo(ObjectId other) {
        int order = Long.compareUnsigned(high, other.high);
        return order == 0 ? Long.compareUnsigned(low, other.low) : order;
    }

    @Override
    public String toString() {
        return text();
    }
}
