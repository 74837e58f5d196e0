package io.cleave.lsm;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.LittleEndian;

import java.util.concurrent.TimeUnit;

/// Which column says when a row expires, and in what it counts: a cell is a little-endian integer
/// of two, four or eight bytes since 1970.
///
/// It serves to leave out whole files, so what it does not know for sure never expires: times
/// before 1970, which may as well be far ahead in an unsigned column, and cells of other widths.
public record Expiry(int column, TimeUnit unit) {
    /// A row whose column is NULL does not expire.
    static final long NEVER = Long.MAX_VALUE;

    /// The cell's time in microseconds, rounded up; what is beyond their range is [#NEVER].
    long micros(byte[] cell, int from, int to) {
        long count =
                switch (to - from) {
                    case Short.BYTES -> LittleEndian.getShort(cell, from);
                    case Integer.BYTES -> LittleEndian.getInt(cell, from) & 0xFFFF_FFFFL;
                    case Long.BYTES -> LittleEndian.getLong(cell, from);
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
