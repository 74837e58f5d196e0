package io.cleave.lsm.row;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.LittleEndian;

import org.jspecify.annotations.Nullable;

/// The change that one write makes to one row. Log records and memtables contain its encoded form;
/// table files store the fields in another form, see `Fields`.
///
/// ```
/// u8      kind     0 UPSERT, 1 REPLACE, 2 ERASE; an ERASE ends here
/// varint  count    of columns
/// count times, by ascending column:
///   varint  column - the column before (the first: its own number)
///   varint  0 for NULL, or 1 + bytes of the field
/// the fields, one after the other
/// ```
public final class RowChange {
    public enum Kind {
        /// Sets the given fields and keeps the others; creates the row if it does not exist.
        UPSERT(0),
        /// Replaces the row: fields that are not given are NULL.
        REPLACE(1),
        /// Removes the row.
        ERASE(2);

        /// The number on disk.
        public final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    public static final Bytes ERASE = Bytes.wrap(new byte[] {Kind.ERASE.code});

    private RowChange() {}

    /// A null field is NULL.
    public static Bytes encode(Kind kind, int[] ascendingColumnIds, byte[] @Nullable [] fields) {
        if (kind == Kind.ERASE) {
            Check.that(ascendingColumnIds.length == 0, "an ERASE names no columns");
            return ERASE;
        }
        Check.that(
                ascendingColumnIds.length == fields.length,
                "%d columns, %d fields",
                ascendingColumnIds.length,
                fields.length);
        int fieldBytes = 0;
        for (byte[] field : fields) {
            fieldBytes += field == null ? 0 : field.length;
        }
        int most = 1 + LittleEndian.MAX_VAR_INT_BYTES * (1 + 2 * fields.length) + fieldBytes;
        var out = new ByteWriter(most);
        out.putByte(kind.code);
        out.putVarInt(fields.length);
        int before = 0;
        for (int index = 0; index < fields.length; index++) {
            int column = ascendingColumnIds[index];
            Check.that(column >= before && (index == 0 || column > before), "column %d", column);
            byte[] field = fields[index];
            out.putVarInt(column - before);
            out.putVarInt(field == null ? 0 : 1 + field.length);
            before = column;
        }
        for (byte[] field : fields) {
            if (field != null) {
                out.put(field, 0, field.length);
            }
        }
        return Bytes.wrap(out.toArray());
    }

    static Kind kind(byte[] encoded, int offset) {
        return kind(encoded[offset]);
    }

    public static Kind kind(int code) {
        return switch (code) {
            case 0 -> Kind.UPSERT;
            case 1 -> Kind.REPLACE;
            case 2 -> Kind.ERASE;
            default -> throw new IllegalStateException("a change of kind " + code);
        };
    }

    public static boolean isErase(Bytes encoded) {
        return encoded.equals(ERASE);
    }

    public static Kind kind(Bytes encoded) {
        return kind(encoded.array(), 0);
    }
}
