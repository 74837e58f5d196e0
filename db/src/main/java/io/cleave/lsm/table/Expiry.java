package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.LittleEndian;

import java.util.concurrent.TimeUnit;

/// The column that says when a row expires, and its time unit. A field is a little-endian integer
/// of two, four or eight bytes that counts from 1970.
///
/// Expiry is used to drop whole files, so a value that cannot be interpreted safely never expires.
/// This applies to fields of other widths, and to times before 1970, which in an unsigned column
/// would be far in the future.
public record Expiry(int column, TimeUnit unit) {
    /// The expiry time of a row that does not expire, for example because its column is NULL.
    public static final long NEVER = Long.MAX_VALUE;

    /// The field's time in microseconds, rounded up; [#NEVER] if it is out of range.
    long micros(byte[] field, int from, int to) {
        long count =
                switch (to - from) {
                    case Short.BYTES -> LittleEndian.getShort(field, from);
                    case Integer.BYTES -> LittleEndian.getInt(field, from) & 0xFFFF_FFFFL;
                    case Long.BYTES -> LittleEndian.getLong(field, from);
                    default -> NEVER;
                };
        if (count < 0 || count == NEVER) {
            return NEVER;
        }
        return unit == TimeUnit.NANOSECONDS ? Math.ceilDiv(count, 1000) : unit.toMicros(count);
    }

    void writeTo(ByteWriter out) {
        out.putVarLong(column);
        out.putText(unit.name());
    }

    static Expiry readFrom(ByteReader in) {
        return new Expiry((int) in.getVarLong(), TimeUnit.valueOf(in.getText()));
    }
}
