package io.cleave.function.number;

import io.cleave.base.Bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/// A vector of numbers stored in a String. Little-endian:
///
/// ```
///  items      4 bytes each of FLOAT, 1 of UINT8 and INT8; BIT: words of 64 bits, the first item
///             highest, the last word in as few bytes as hold its bits
///  u8  rest   of BIT only: how many bits of the last byte are not used
///  u8  format
/// ```
final class KnnVector {
    /// The type of the items. `code` is the last byte of the String.
    enum Format {
        FLOAT(1, "FloatVector", Float.BYTES),
        UINT8(2, "Uint8Vector", 1),
        INT8(3, "Int8Vector", 1),
        BIT(10, "BitVector", 0);

        private final int code;
        private final String tag;
        private final int itemBytes;

        Format(int code, String tag, int itemBytes) {
            this.code = code;
            this.tag = tag;
            this.itemBytes = itemBytes;
        }

        String tag() {
            return tag;
        }
    }

    /// Stands for a String that is not a valid vector. It is comparable to no vector, not even to
    /// itself.
    static final KnnVector NONE = new KnnVector(Format.BIT, ByteBuffer.allocate(0), -1);

    private final Format format;
    private final ByteBuffer items;
    private final int size;

    private KnnVector(Format format, ByteBuffer items, int size) {
        this.format = format;
        this.items = items;
        this.size = size;
    }

    static Bytes write(Format format, double[] numbers) {
        if (format == Format.BIT) {
            return writeBits(numbers);
        }
        byte[] bytes = new byte[numbers.length * format.itemBytes + 1];
        ByteBuffer out = little(bytes);
        for (double number : numbers) {
            if (format == Format.FLOAT) {
                out.putFloat((float) number);
            } else {
                out.put((byte) (int) number);
            }
        }
        out.put((byte) format.code);
        return Bytes.wrap(bytes);
    }

    private static Bytes writeBits(double[] numbers) {
        int byteCount = (numbers.length + 7) / 8;
        byte[] bytes = new byte[byteCount + 2];
        ByteBuffer out = little(bytes);
        for (int from = 0; from < numbers.length; from += Long.SIZE) {
            int to = Math.min(numbers.length, from + Long.SIZE);
            long word = 0;
            for (int index = from; index < to; index++) {
                word = word << 1 | (numbers[index] > 0 ? 1 : 0);
            }
            for (int bit = 0; bit < to - from; bit += Byte.SIZE) {
                out.put((byte) (word >>> bit));
            }
        }
        out.put((byte) (byteCount * 8 - numbers.length));
        out.put((byte) Format.BIT.code);
        return Bytes.wrap(bytes);
    }

    /// Empty if the bytes are not a valid vector.
    static Optional<KnnVector> read(Bytes bytes) {
        if (bytes.length() == 0) {
            return Optional.empty();
        }
        byte[] array = bytes.array();
        int code = array[array.length - 1];
        for (Format format : Format.values()) {
            if (format.code == code) {
                return format == Format.BIT ? readBits(array) : readItems(format, array);
            }
        }
        return Optional.empty();
    }

    private static Optional<KnnVector> readItems(Format format, byte[] array) {
        int itemsTo = array.length - 1;
        return itemsTo % format.itemBytes == 0
                ? Optional.of(new KnnVector(format, little(array), itemsTo / format.itemBytes))
                : Optional.empty();
    }

    private static Optional<KnnVector> readBits(byte[] array) {
        int itemsTo = array.length - 2;
        if (itemsTo < 0) {
            return Optional.empty();
        }
        int size = itemsTo * 8 - (array[itemsTo] & 0xFF);
        return size < 0
                ? Optional.empty()
                : Optional.of(new KnnVector(Format.BIT, little(array), size));
    }

    private static ByteBuffer little(byte[] array) {
        return ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }

    Format format() {
        return format;
    }

    int size() {
        return Math.max(0, size);
    }

    /// Whether the two vectors can be compared.
    boolean isLike(KnnVector other) {
        return size >= 0 && size == other.size && format == other.format;
    }

    /// An item. Not available for bit vectors, whose bit positions differ from word to word.
    double at(int index) {
        return switch (format) {
            case FLOAT -> items.getFloat(index * Float.BYTES);
            case UINT8 -> items.get(index) & 0xFF;
            case INT8 -> items.get(index);
            case BIT -> throw new IllegalStateException("an item of bits");
        };
    }

    /// The inner product.
    double product(KnnVector other) {
        double sum = 0;
        if (format == Format.BIT) {
            for (int index = 0; index < (size + 7) / 8; index++) {
                sum += Integer.bitCount(items.get(index) & other.items.get(index) & 0xFF);
            }
            return sum;
        }
        for (int index = 0; index < size; index++) {
            sum += at(index) * other.at(index);
        }
        return sum;
    }

    /// The cosine similarity; 1 if one of the vectors has length zero.
    double cosine(KnnVector other) {
        double norm = Math.sqrt(product(this) * other.product(other));
        return norm == 0 ? 1 : product(other) / norm;
    }

    double manhattan(KnnVector other) {
        if (format == Format.BIT) {
            return differingBits(other);
        }
        double sum = 0;
        for (int index = 0; index < size; index++) {
            sum += Math.abs(at(index) - other.at(index));
        }
        return sum;
    }

    double euclidean(KnnVector other) {
        if (format == Format.BIT) {
            return Math.sqrt(differingBits(other));
        }
        double sum = 0;
        for (int index = 0; index < size; index++) {
            double difference = at(index) - other.at(index);
            sum += difference * difference;
        }
        return Math.sqrt(sum);
    }

    private int differingBits(KnnVector other) {
        int count = 0;
        for (int index = 0; index < (size + 7) / 8; index++) {
            count += Integer.bitCount((items.get(index) ^ other.items.get(index)) & 0xFF);
        }
        return count;
    }
}
