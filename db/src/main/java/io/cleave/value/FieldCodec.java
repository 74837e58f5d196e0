package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.value.Type.Primitive;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Encodes one value of a column. A NULL has no encoding, because a row records which fields it
/// has.
///
/// ```
/// Bool                    1 byte, 0 or 1
/// integers, dates         little-endian in the width of [Ints#bytes]
/// Float, Double           4 or 8 bytes, IEEE 754, little-endian
/// Decimal, Uuid           16 bytes little-endian: low half, high half
/// the rest                the bytes of the string or of its UTF-8
/// ```
///
/// These bytes are on disk: a change here is a new format of every table.
public final class FieldCodec {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private FieldCodec() {}

    public static byte[] encode(Type type, Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> new byte[] {(byte) (bool ? 1 : 0)};
            case Value.Int(long number) -> littleEndian(number, Ints.bytes(primitive(type)));
            case Value.Real(double real) ->
                    primitive(type) == Primitive.FLOAT
                            ? littleEndian(Float.floatToIntBits((float) real), 4)
                            : littleEndian(Double.doubleToLongBits(real), 8);
            case Value.Int128(long high, long low) -> {
                byte[] data = new byte[16];
                LONG.set(data, 0, low);
                LONG.set(data, 8, high);
                yield data;
            }
            case Value.Text(String text) -> text.getBytes(StandardCharsets.UTF_8);
            case Value.Binary(Bytes bytes) -> bytes.array();
            default -> throw new IllegalArgumentException("not a field of type " + type.text());
        };
    }

    /// The value in `data` from `from` to `to`. Strings are copied, so `data` may be reused.
    public static Value decode(Type type, byte[] data, int from, int to) {
        if (type.unwrapped() instanceof Type.Decimal) {
            return int128(type, data, from, to);
        }
        Primitive primitive = primitive(type);
        return switch (primitive.carrier()) {
            case BOOL -> {
                checkWidth(type, from, to, 1);
                yield Value.bool(data[from] != 0);
            }
            case FLOAT -> {
                checkWidth(type, from, to, 4);
                yield Value.of((double) Float.intBitsToFloat((int) INT.get(data, from)));
            }
            case DOUBLE -> {
                checkWidth(type, from, to, 8);
                yield Value.of(Double.longBitsToDouble((long) LONG.get(data, from)));
            }
            case INT128 -> int128(type, data, from, to);
            case BYTES -> Value.binary(Bytes.copyOf(data, from, to));
            case TEXT -> Value.text(new String(data, from, to - from, StandardCharsets.UTF_8));
            case INT32, UINT32, INT64, UINT64 -> {
                checkWidth(type, from, to, Ints.bytes(primitive));
                yield Value.of(integer(primitive, data, from));
            }
        };
    }

    private static Primitive primitive(Type type) {
        if (type.unwrapped() instanceof Primitive primitive) {
            return primitive;
        }
        throw new IllegalArgumentException("no column has the type " + type.text());
    }

    private static byte[] littleEndian(long number, int bytes) {
        byte[] data = new byte[bytes];
        switch (bytes) {
            case 1 -> data[0] = (byte) number;
            case 2 -> SHORT.set(data, 0, (short) number);
            case 4 -> INT.set(data, 0, (int) number);
            case 8 -> LONG.set(data, 0, number);
            default -> throw new IllegalArgumentException("not an integer type");
        }
        return data;
    }

    private static long integer(Primitive type, byte[] data, int from) {
        boolean signed = Ints.isSigned(type);
        return switch (Ints.bytes(type)) {
            case 1 -> signed ? data[from] : data[from] & 0xFF;
            case 2 -> {
                short bits = (short) SHORT.get(data, from);
                yield signed ? bits : bits & 0xFFFF;
            }
            case 4 -> {
                int bits = (int) INT.get(data, from);
                yield signed ? bits : Integer.toUnsignedLong(bits);
            }
            default -> (long) LONG.get(data, from);
        };
    }

    private static Value int128(Type type, byte[] data, int from, int to) {
        checkWidth(type, from, to, 16);
        return new Value.Int128((long) LONG.get(data, from + 8), (long) LONG.get(data, from));
    }

    private static void checkWidth(Type type, int from, int to, int bytes) {
        if (to - from != bytes) {
            throw new CorruptionException(
                    "field", from, (to - from) + " bytes for a value of type " + type.text());
        }
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }
}
