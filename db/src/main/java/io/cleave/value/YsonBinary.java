package io.cleave.value;

import io.cleave.base.ByteWriter;

/// Writes scalars in the binary form of YSON; [YsonLexer] draws it.
public final class YsonBinary {
    static final int STRING = 0x01;
    static final int INT64 = 0x02;
    static final int DOUBLE = 0x03;
    static final int FALSE = 0x04;
    static final int TRUE = 0x05;
    static final int UINT64 = 0x06;

    private YsonBinary() {}

    public static void string(ByteWriter target, byte[] data, int from, int to) {
        target.putByte(STRING);
        target.putVarLong((long) (to - from) << 1);
        target.put(data, from, to);
    }

    public static void int64(ByteWriter target, long value) {
        target.putByte(INT64);
        target.putVarLong(value << 1 ^ value >> 63);
    }

    public static void uint64(ByteWriter target, long value) {
        target.putByte(UINT64);
        target.putVarLong(value);
    }

    /// Writes a double that is given by its raw bits.
    public static void real(ByteWriter target, long bits) {
        target.putByte(DOUBLE);
        target.putLong(bits);
    }

    public static void bool(ByteWriter target, boolean value) {
        target.putByte(value ? TRUE : FALSE);
    }
}
