package io.cleave.lsm.row;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.LittleEndian;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The fields of the rows of one block in one column family, by the row's number in the block.
///
/// ```
/// fields of each row:
///   varint each variable column: 0 NULL, 1 + bytes
///   the fields, one after the other
/// offsets   where each row's fields start     left out if all rows take the same bytes
/// shapes    which shape each row has         left out if there is one
/// the shapes: see Shape
/// u8   number of bytes of an offset: 0, 2, 4
/// u8   number of bytes of a shape's number: 0, 1, 2
/// u16  number of shapes
/// u32  bytes of the shapes
/// u32  number of rows
/// u32  bytes of all rows' fields
/// ```
///
/// Offsets and shape numbers have a fixed size, so any row is found without reading the rows before
/// it.
public final class Fields {
    static final int TRAILER_BYTES = 1 + 1 + 2 + 4 + 4 + 4;

    /// The maximum number of rows of a block, so that they can be counted in two bytes.
    public static final int MAX_ROWS = 1 << 15;

    private final byte[] block;
    private final int from;
    private final int rows;
    private final int stride;
    private final int offsetsFrom;
    private final int offsetBytes;
    private final int shapeNumbersFrom;
    private final int shapeNumberBytes;
    private final Shapes shapes;

    /// The shapes of a block, encoded and decoded. Most blocks of a table have the same shapes and
    /// share one object.
    public static final class Shapes {
        public static final Shapes NONE = new Shapes(new byte[0], List.of());

        private final byte[] encoded;
        private final Shape[] list;

        private Shapes(byte[] encoded, List<Shape> list) {
            this.encoded = encoded;
            this.list = list.toArray(Shape[]::new);
        }

        List<Shape> list() {
            return List.of(list);
        }

        private static Shapes read(byte[] block, int from, int to, int count, Shapes like) {
            if (Arrays.equals(block, from, to, like.encoded, 0, like.encoded.length)) {
                return like;
            }
            var in = new ByteReader(block, from, to);
            List<Shape> list = new ArrayList<>(count);
            for (int index = 0; index < count; index++) {
                list.add(Shape.readFrom(in));
            }
            return new Shapes(Arrays.copyOfRange(block, from, to), list);
        }
    }

    /// Parses the section `[from, to)` of a block whose checksum was verified.
    public Fields(byte[] block, int from, int to, Shapes like) {
        this.block = block;
        this.from = from;
        int trailer = to - TRAILER_BYTES;
        offsetBytes = block[trailer];
        shapeNumberBytes = block[trailer + 1];
        int shapeCount = LittleEndian.getShort(block, trailer + 2);
        int shapesFrom = trailer - LittleEndian.getInt(block, trailer + 4);
        rows = LittleEndian.getInt(block, trailer + 8);
        int fieldBytes = LittleEndian.getInt(block, trailer + 12);
        shapes = Shapes.read(block, shapesFrom, trailer, shapeCount, like);
        offsetsFrom = from + fieldBytes;
        shapeNumbersFrom = offsetsFrom + offsetBytes * rows;
        stride = offsetBytes > 0 || rows == 0 ? 0 : fieldBytes / rows;
    }

    int rows() {
        return rows;
    }

    public Shapes shapes() {
        return shapes;
    }

    /// Adds the fields of a row, except for columns that a newer version has set.
    public void read(int row, Row into) {
        into.add(shape(row), block, from + offset(row));
    }

    /// The offset of a row's fields in the block.
    int at(int row) {
        return from + offset(row);
    }

    private int offset(int row) {
        return switch (offsetBytes) {
            case 0 -> row * stride;
            case 2 -> LittleEndian.getShort(block, offsetsFrom + 2 * row);
            default -> LittleEndian.getInt(block, offsetsFrom + 4 * row);
        };
    }

    /// Whether all rows have one shape.
    boolean isUniform() {
        return shapeNumberBytes == 0;
    }

    Shape shape(int row) {
        int number =
                switch (shapeNumberBytes) {
                    case 0 -> 0;
                    case 1 -> block[shapeNumbersFrom + row] & 0xFF;
                    default -> LittleEndian.getShort(block, shapeNumbersFrom + 2 * row);
                };
        return shapes.list[number];
    }

    /// Writes the section of `rowCount` rows. `fields` has the fields of all rows; `offsets` and
    /// `shapeNumbers` have one entry for each row.
    static void write(
            ByteWriter out,
            ByteWriter fields,
            int rowCount,
            int[] offsets,
            int[] shapeNumbers,
            List<Shape> list) {
        int fieldBytes = fields.length();
        out.put(fields.array(), 0, fieldBytes);
        int offsetBytes = areEven(offsets, rowCount, fieldBytes) ? 0 : fieldBytes <= 0xFFFF ? 2 : 4;
        for (int row = 0; row < rowCount && offsetBytes > 0; row++) {
            if (offsetBytes == 2) {
                out.putShort(offsets[row]);
            } else {
                out.putInt(offsets[row]);
            }
        }
        int numberBytes = list.size() <= 1 ? 0 : list.size() <= 0x100 ? 1 : 2;
        for (int row = 0; row < rowCount && numberBytes > 0; row++) {
            if (numberBytes == 1) {
                out.putByte(shapeNumbers[row]);
            } else {
                out.putShort(shapeNumbers[row]);
            }
        }
        int shapesFrom = out.length();
        list.forEach(shape -> shape.writeTo(out));
        int shapeBytes = out.length() - shapesFrom;
        out.putByte(offsetBytes);
        out.putByte(numberBytes);
        out.putShort(list.size());
        out.putInt(shapeBytes);
        out.putInt(rowCount);
        out.putInt(fieldBytes);
    }

    private static boolean areEven(int[] offsets, int rowCount, int fieldBytes) {
        if (rowCount == 0 || fieldBytes % rowCount != 0) {
            return rowCount == 0;
        }
        int stride = fieldBytes / rowCount;
        for (int row = 0; row < rowCount; row++) {
            if (offsets[row] != row * stride) {
                return false;
            }
        }
        return true;
    }
}
