package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.CorruptionException;
import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Encodes keys so that the unsigned order of the bytes is the order of the values, column by
/// column, with NULL first.
///
/// A key is the concatenation of its columns, without a header, so the encoding of the first
/// columns is a byte prefix of the whole key. A column is encoded as
///
/// ```
/// 0x00                   NULL
/// 0x01, then the value:
///   Bool                 1 byte, 0 or 1
///   integers, dates      big-endian in the width of [Ints#bytes]; signed ones with the sign
///                        bit flipped
///   Decimal              16 bytes big-endian, sign bit flipped; -inf, inf and nan are the numbers
///                        -10^35, 10^35 and 10^35+1, so they sort below and above the rest
///   Uuid                 the 16 bytes as YDB has them in memory: low half, then high half, each
///                        little-endian
///   String, Utf8         the bytes, each 0x00 as 0x00 0xFF; then 0x00 0x01
///   DyNumber             see [DyNumber]
/// ```
///
/// These bytes are on disk: a change here is a new format of every table.
public final class KeyCodec {
    private static final int NULL_MARK = 0x00;
    private static final int VALUE_MARK = 0x01;
    private static final int ESCAPE = 0x00;
    private static final int ESCAPED_ZERO = 0xFF;
    private static final int STRING_END = 0x01;

    /// The escape byte and the end byte.
    private static final int STRING_END_BYTES = 2;

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private KeyCodec() {}

    /// Whether a column of this type, without Optional, may be part of a primary key.
    public static boolean isKeyType(Type type) {
        return switch (type) {
            case Primitive primitive ->
                    switch (primitive) {
                        case FLOAT, DOUBLE, YSON, JSON, JSON_DOCUMENT -> false;
                        case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> false;
                        case TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 -> false;
                        case BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> true;
                        case DATE, DATETIME, TIMESTAMP, INTERVAL -> true;
                        case DATE32, DATETIME64, TIMESTAMP64, INTERVAL64 -> true;
                        case STRING, UTF8, UUID, DY_NUMBER -> true;
                    };
            case Type.Decimal _ -> true;
            default -> false;
        };
    }

    /// The key of `values`. If there are fewer values than `types`, it is the common prefix of all
    /// keys that begin with them. Types may be Optional; NULL is accepted for any type.
    public static Bytes encode(List<? extends Type> types, Value... values) {
        Check.that(
                values.length <= types.size(),
                "%d values for a key of %d columns",
                values.length,
                types.size());
        if (values.length == 1 && values[0] instanceof Value.Int(long number)) {
            return encode((Primitive) types.getFirst().unwrapped(), number);
        }
        var sink = new Sink(9 * values.length);
        for (int column = 0; column < values.length; column++) {
            write(sink, types.get(column).unwrapped(), values[column]);
        }
        return sink.bytes();
    }

    /// The key of one integer, which is the most common case.
    private static Bytes encode(Primitive type, long number) {
        int width = Ints.bytes(type);
        long ordered = Ints.isSigned(type) ? number ^ signBit(width) : number;
        byte[] key = new byte[1 + width];
        if (width == Long.BYTES) {
            // The key is read soon after, eight bytes at a time, to compute its hash. The processor
            // can forward these bytes only if they were written together.
            BIG_ENDIAN.set(key, 0, (long) VALUE_MARK << (Long.SIZE - Byte.SIZE) | ordered >>> 8);
            key[Long.BYTES] = (byte) ordered;
        } else {
            key[0] = VALUE_MARK;
            for (int at = width; at > 0; at--) {
                key[at] = (byte) ordered;
                ordered >>>= Byte.SIZE;
            }
        }
        return Bytes.wrap(key);
    }

    public static Bytes encode(Type[] types, Value[] values) {
        return encode(Arrays.asList(types), values);
    }

    /// The values of a key or of a prefix of a key: as many as the bytes contain.
    public static Value[] decode(List<? extends Type> types, Bytes key) {
        var source = new Source(key.array());
        var values = new Value[types.size()];
        int column = 0;
        while (column < values.length && source.offset < source.data.length) {
            values[column] = read(source, types.get(column).unwrapped());
            column++;
        }
        if (source.offset < source.data.length) {
            throw source.corrupt("bytes after the last key column");
        }
        return column == values.length ? values : Arrays.copyOf(values, column);
    }

    public static Value[] decode(Type[] types, Bytes key) {
        if (types.length == 1
                && types[0].unwrapped() instanceof Primitive type
                && Ints.bytes(type) == Long.BYTES
                && key.length() == 1 + Long.BYTES
                && key.array()[0] == VALUE_MARK) {
            long number = (long) BIG_ENDIAN.get(key.array(), 1);
            return new Value[] {Value.of(Ints.isSigned(type) ? number ^ Long.MIN_VALUE : number)};
        }
        return decode(Arrays.asList(types), key);
    }

    /// Whether a column of the key is NULL.
    public static boolean hasNull(List<? extends Type> types, Bytes key) {
        var source = new Source(key.array());
        for (int column = 0; source.offset < source.data.length; column++) {
            if (source.data[source.offset] == NULL_MARK) {
                return true;
            }
            if (column == types.size() - 1) {
                return false;
            }
            skip(source, types.get(column).unwrapped());
        }
        return false;
    }

    /// The size of the values of the key as a user counts it, without the marks and escapes of this
    /// encoding. A NULL has size 0.
    public static int valueBytes(List<? extends Type> types, Bytes key) {
        var source = new Source(key.array());
        int bytes = 0;
        for (int column = 0; source.offset < source.length; column++) {
            bytes += skip(source, types.get(column).unwrapped());
        }
        return bytes;
    }

    /// The least byte string that is greater than everything that begins with `prefix`; null if
    /// there is none.
    public static @Nullable Bytes prefixEnd(Bytes prefix) {
        byte[] data = prefix.array();
        int length = data.length;
        while (length > 0 && data[length - 1] == (byte) 0xFF) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        byte[] end = Arrays.copyOf(data, length);
        end[length - 1]++;
        return Bytes.wrap(end);
    }

    private static void write(Sink sink, Type type, Value value) {
        if (value.isNull()) {
            sink.write(NULL_MARK);
            return;
        }
        sink.write(VALUE_MARK);
        switch (value) {
            case Value.Bool(boolean bool) -> sink.write(bool ? 1 : 0);
            case Value.Int(long number) -> writeInt(sink, (Primitive) type, number);
            case Value.Int128(long high, long low) -> {
                if (type == Primitive.UUID) {
                    sink.writeBigEndian(Long.reverseBytes(low), 8);
                    sink.writeBigEndian(Long.reverseBytes(high), 8);
                } else {
                    sink.writeBigEndian(high ^ Long.MIN_VALUE, 8);
                    sink.writeBigEndian(low, 8);
                }
            }
            case Value.Text(String text) -> {
                if (type == Primitive.DY_NUMBER) {
                    byte[] number = DyNumber.encode(text);
                    sink.write(number, 0, number.length);
                } else {
                    writeString(sink, text.getBytes(StandardCharsets.UTF_8));
                }
            }
            case Value.Binary(Bytes bytes) -> writeString(sink, bytes.array());
            default -> throw new IllegalArgumentException("not a key: " + type.text());
        }
    }

    private static void writeInt(Sink sink, Primitive type, long number) {
        int bytes = Ints.bytes(type);
        sink.writeBigEndian(Ints.isSigned(type) ? number ^ signBit(bytes) : number, bytes);
    }

    private static void writeString(Sink sink, byte[] data) {
        int from = 0;
        for (int index = 0; index < data.length; index++) {
            if (data[index] == ESCAPE) {
                sink.write(data, from, index + 1 - from);
                sink.write(ESCAPED_ZERO);
                from = index + 1;
            }
        }
        sink.write(data, from, data.length - from);
        sink.write(ESCAPE);
        sink.write(STRING_END);
    }

    /// Skips the next column; returns the size of its value.
    private static int skip(Source source, Type type) {
        if (source.next() == NULL_MARK) {
            return 0;
        }
        if (type == Primitive.STRING || type == Primitive.UTF8) {
            int from = source.offset;
            int escapes = passString(source);
            return source.offset - STRING_END_BYTES - from - escapes;
        }
        int from = source.offset;
        if (type == Primitive.DY_NUMBER) {
            passDyNumber(source);
        } else {
            source.offset += fixedBytes(type);
        }
        return source.offset - from;
    }

    private static int fixedBytes(Type type) {
        return switch (type) {
            case Primitive.BOOL -> 1;
            case Primitive.UUID -> 2 * Long.BYTES;
            case Type.Decimal _ -> 2 * Long.BYTES;
            case Primitive primitive -> Ints.bytes(primitive);
            default -> throw new IllegalArgumentException("not a key type: " + type.text());
        };
    }

    private static Value read(Source source, Type type) {
        int mark = source.next();
        if (mark == NULL_MARK) {
            return Value.Null.NULL;
        }
        if (mark != VALUE_MARK) {
            throw source.corrupt("neither NULL nor a value");
        }
        if (type instanceof Type.Decimal) {
            long high = source.bigEndian(8) ^ Long.MIN_VALUE;
            return new Value.Int128(high, source.bigEndian(8));
        }
        return readPrimitive(source, (Primitive) type);
    }

    private static Value readPrimitive(Source source, Primitive type) {
        return switch (type) {
            case BOOL -> Value.bool(source.next() != 0);
            case UUID -> {
                long low = Long.reverseBytes(source.bigEndian(8));
                yield new Value.Int128(Long.reverseBytes(source.bigEndian(8)), low);
            }
            case UTF8 -> Value.text(new String(readString(source), StandardCharsets.UTF_8));
            case STRING -> Value.binary(Bytes.wrap(readString(source)));
            case DY_NUMBER -> readDyNumber(source);
            default -> readInt(source, type);
        };
    }

    private static Value readInt(Source source, Primitive type) {
        int bytes = Ints.bytes(type);
        if (bytes == 0) {
            throw new IllegalArgumentException("not a key type: " + type.text());
        }
        long number = source.bigEndian(bytes);
        if (Ints.isSigned(type)) {
            int unused = Long.SIZE - bytes * 8;
            number = (number ^ signBit(bytes)) << unused >> unused;
        }
        return Value.of(number);
    }

    private static Value readDyNumber(Source source) {
        int from = source.offset;
        passDyNumber(source);
        return Value.text(DyNumber.decode(source.data, from, source.offset));
    }

    private static void passDyNumber(Source source) {
        int to = DyNumber.end(source.data, source.offset);
        if (to < 0) {
            throw source.corrupt("a DyNumber without an end");
        }
        source.offset = to;
    }

    private static byte[] readString(Source source) {
        byte[] data = source.data;
        int from = source.offset;
        int escapes = passString(source);
        int to = source.offset - STRING_END_BYTES;
        byte[] string = new byte[to - from - escapes];
        int length = 0;
        for (int index = from; index < to; index++) {
            string[length++] = data[index];
            if (data[index] == ESCAPE) {
                index++;
            }
        }
        return string;
    }

    /// Skips a string; returns the number of its escaped bytes.
    private static int passString(Source source) {
        byte[] data = source.data;
        int escapes = 0;
        int to = source.offset;
        while (to + 1 < source.length && !(data[to] == ESCAPE && data[to + 1] == STRING_END)) {
            if (data[to] == ESCAPE) {
                escapes++;
                to++;
            }
            to++;
        }
        if (to + 1 >= source.length) {
            throw source.corrupt("a string without an end");
        }
        source.offset = to + STRING_END_BYTES;
        return escapes;
    }

    private static long signBit(int bytes) {
        return 1L << (bytes * 8 - 1);
    }

    /// Decodes some columns of keys into vectors.
    public static final class Columns {
        private final Type[] types;
        private final @Nullable Vector[] wanted;
        private final int count;

        /// `wanted` has a vector for each key column, or null if the column is not wanted.
        public Columns(Type[] types, @Nullable Vector[] wanted) {
            this.types = types;
            this.wanted = wanted;
            int last = wanted.length;
            while (last > 0 && wanted[last - 1] == null) {
                last--;
            }
            count = last;
        }

        public boolean isWanted() {
            return count > 0;
        }

        /// Adds the key of the next row.
        public void add(byte[] key, int keyBytes) {
            var source = new Source(key, keyBytes);
            for (int column = 0; column < count; column++) {
                Vector vector = wanted[column];
                Type type = types[column].unwrapped();
                Value value = read(source, type);
                if (vector != null) {
                    vector.add(value);
                }
            }
        }
    }

    /// A byte buffer that grows.
    private static final class Sink {
        private byte[] data;
        private int length;

        Sink(int bytes) {
            data = new byte[bytes];
        }

        void write(int oneByte) {
            reserve(1);
            data[length++] = (byte) oneByte;
        }

        void write(byte[] from, int offset, int count) {
            reserve(count);
            System.arraycopy(from, offset, data, length, count);
            length += count;
        }

        void writeBigEndian(long number, int bytes) {
            reserve(bytes);
            for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
                data[length++] = (byte) (number >>> shift);
            }
        }

        Bytes bytes() {
            return Bytes.wrap(length == data.length ? data : Arrays.copyOf(data, length));
        }

        private void reserve(int count) {
            if (length + count > data.length) {
                data = Arrays.copyOf(data, Math.max(length + count, data.length * 2));
            }
        }
    }

    private static final class Source {
        final byte[] data;
        final int length;
        int offset;

        Source(byte[] data) {
            this(data, data.length);
        }

        Source(byte[] data, int length) {
            this.data = data;
            this.length = length;
        }

        int next() {
            if (offset >= length) {
                throw corrupt("it ends within a column");
            }
            return data[offset++] & 0xFF;
        }

        long bigEndian(int bytes) {
            long number = 0;
            for (int count = 0; count < bytes; count++) {
                number = number << 8 | next();
            }
            return number;
        }

        CorruptionException corrupt(String what) {
            return new CorruptionException("key " + Bytes.copyOf(data, 0, length), offset, what);
        }
    }
}
