package io.cleave.lsm.row;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.LittleEndian;

import org.jspecify.annotations.Nullable;

/// The change that one write makes to one row. Log records and memtables contain its encoded form;
/// table files store the cells in another form, see `Cells`.
///
/// ```
/// u8      kind     0 UPSERT, 1 REPLACE, 2 ERASE; an ERASE ends here
/// varint  count    of columns
/// count times, by ascending column:
///   varint  column - the column before (the first: its own number)
///   varint  0 for NULL, or 1 + bytes of the cell
/// the cells, one after the other
/// ```
public final class RowChange {
    public enum Kind {
        /// Sets the given cells and keeps the others; creates the row if it does not exist.
        UPSERT(0),
        /// Replaces the row: cells that are not given are NULL.
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

    /// A null cell is NULL.
    public static Bytes encode(Kind kind, int[] ascendingColumnIds, byte[] @Nullable [] cells) {
        if (kind == Kind.ERASE) {
            Check.that(ascendingColumnIds.length == 0, "an ERASE names no columns");
            return ERASE;
        }
        Check.that(
                ascendingColumnIds.length == cells.length,
                "%d columns, %d cells",
                ascendingColumnIds.length,
                cells.length);
        int cellBytes = 0;
        for (byte[] cell : cells) {
            cellBytes += cell == null ? 0 : cell.length;
        }
        int most = 1 + LittleEndian.MAX_VAR_INT_BYTES * (1 + 2 * cells.length) + cellBytes;
        var out = new ByteWriter(most);
        out.putByte(kind.code);
        out.putVarInt(cells.length);
        int before = 0;
        for (int index = 0; index < cells.length; index++) {
            int column = ascendingColumnIds[index];
            Check.that(column >= before && (index == 0 || column > before), "column %d", column);
            byte[] cell = cells[index];
            out.putVarInt(column - before);
            out.putVarInt(cell == null ? 0 : 1 + cell.length);
            before = column;
        }
        for (byte[] cell : cells) {
            if (cell != null) {
                out.put(cell, 0, cell.length);
            }
        }
        return Bytes.wrap(out.toArray());
    }

    public static Kind kind(byte[] encoded, int offset) {
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
