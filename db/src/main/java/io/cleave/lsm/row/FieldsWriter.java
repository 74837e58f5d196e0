package io.cleave.lsm.row;

import io.cleave.base.ByteWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Collects the fields of rows in one column family, and writes one section for each block. The
/// format is described in [Fields].
///
/// A shape starts with the widths of the first row that has its columns. If a later row has another
/// width in a column, that column becomes variable, also for the following blocks. A table
/// therefore soon has one shape for each set of columns.
public final class FieldsWriter {
    /// How many sets of columns are remembered from block to block.
    private static final int MAX_KNOWN = 64;

    private static final int MAX_SHAPES = 250;

    private final ByteWriter fields;
    private int rows;
    private int[] offsets = new int[256];
    private int[] shapeNumbers = new int[256];

    /// The shapes of this block.
    private final List<Shape> shapes = new ArrayList<>();

    /// The widest shape of each set of columns, the newest last.
    private final List<Shape> known = new ArrayList<>();

    private Shape last = Shape.EMPTY;
    private int lastNumber = -1;

    // The fields of the current row that belong to the family, as indexes into the row.
    private int[] members = new int[8];
    private int memberCount;

    public FieldsWriter(int blockBytes) {
        fields = new ByteWriter(blockBytes + blockBytes / 4);
    }

    public int rows() {
        return rows;
    }

    /// Bytes of the fields so far, without the offsets, shapes and trailer.
    public int bytes() {
        return fields.length();
    }

    /// Whether the block must end: it has the maximum number of rows, or so many shapes that they
    /// would take most of it.
    public boolean isFull() {
        return rows == Fields.MAX_ROWS || shapes.size() >= MAX_SHAPES;
    }

    /// Adds the fields of a row that belong to the family. `families` has the family of each field;
    /// null if there is only one family.
    public void add(Row row, int @Nullable [] families, int family) {
        memberCount = 0;
        if (members.length < row.count) {
            members = new int[row.count * 2];
        }
        for (int index = 0; index < row.count; index++) {
            if (families == null || families[index] == family) {
                members[memberCount++] = index;
            }
        }
        addMembers(row);
    }

    private void addMembers(Row row) {
        if (lastNumber < 0 || !fits(last, row)) {
            choose(row);
        }
        if (rows == offsets.length) {
            offsets = Arrays.copyOf(offsets, rows * 2);
            shapeNumbers = Arrays.copyOf(shapeNumbers, rows * 2);
        }
        offsets[rows] = fields.length();
        shapeNumbers[rows] = lastNumber;
        rows++;
        if (last.variables > 0) {
            for (int index = 0; index < memberCount; index++) {
                if (last.widths[index] == Shape.VARIABLE) {
                    fields.putVarInt(1 + width(row, members[index]));
                }
            }
        }
        for (int index = 0; index < memberCount; index++) {
            int member = members[index];
            byte[] data = row.data[member];
            if (data != null) {
                fields.put(data, row.from(member), row.to(member));
            }
        }
    }

    /// Sets `last` to a shape that the row fits: a known one, a known one made wider, or a new one.
    private void choose(Row row) {
        int found = known.size() - 1;
        while (found >= 0 && !hasColumns(known.get(found), row)) {
            found--;
        }
        Shape shape;
        if (found < 0) {
            shape = shapeOf(row);
            if (known.size() == MAX_KNOWN) {
                known.removeFirst();
            }
            known.add(shape);
        } else {
            shape = known.get(found);
            if (!fits(shape, row)) {
                shape = widened(shape, row);
                known.set(found, shape);
            }
        }
        last = shape;
        lastNumber = shapes.indexOf(shape);
        if (lastNumber < 0) {
            lastNumber = shapes.size();
            shapes.add(shape);
        }
    }

    private boolean hasColumns(Shape shape, Row row) {
        if (shape.columns.length != memberCount) {
            return false;
        }
        for (int index = 0; index < memberCount; index++) {
            if (shape.columns[index] != row.columns[members[index]]) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(Shape shape, Row row) {
        if (shape.columns.length != memberCount) {
            return false;
        }
        for (int index = 0; index < memberCount; index++) {
            int member = members[index];
            int width = shape.widths[index];
            if (shape.columns[index] != row.columns[member]
                    || (width != Shape.VARIABLE && width != width(row, member))) {
                return false;
            }
        }
        return true;
    }

    /// A NULL fits only a variable column.
    private Shape shapeOf(Row row) {
        int[] columns = new int[memberCount];
        int[] widths = new int[memberCount];
        for (int index = 0; index < memberCount; index++) {
            columns[index] = row.columns[members[index]];
            widths[index] = width(row, members[index]);
        }
        return new Shape(columns, widths);
    }

    private Shape widened(Shape shape, Row row) {
        int[] widths = shape.widths.clone();
        for (int index = 0; index < memberCount; index++) {
            if (widths[index] != width(row, members[index])) {
                widths[index] = Shape.VARIABLE;
            }
        }
        return new Shape(shape.columns, widths);
    }

    /// The width of a field; a NULL has the width [Shape#VARIABLE]. The number that is written is
    /// the width plus 1.
    private static int width(Row row, int member) {
        return row.data[member] == null ? Shape.VARIABLE : row.to(member) - row.from(member);
    }

    /// Writes the section and starts the next one.
    public void finish(ByteWriter out) {
        Fields.write(out, fields, rows, offsets, shapeNumbers, shapes);
        fields.clear();
        rows = 0;
        shapes.clear();
        lastNumber = -1;
    }
}
