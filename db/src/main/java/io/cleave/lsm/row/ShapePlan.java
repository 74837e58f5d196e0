package io.cleave.lsm.row;

import io.cleave.base.LittleEndian;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The positions of the wanted fields in rows of one [Shape], as far as they are the same for all
/// rows: the bytes of the fixed fields, and the number of variable fields, before each field.
final class ShapePlan {
    private static final int ABSENT = FieldSink.NONE;

    final Shape shape;

    /// For each place, the bytes of the fixed fields before it, or [#ABSENT].
    private final int[] fixedBefore;

    private final int[] variablesBefore;
    private final int[] widths;

    /// The number of variable fields that must be measured to find all wanted fields.
    private final int measured;

    private final int[] everyPlace;
    private final int[] unevenPlaces;

    /// `columns` are ascending.
    ShapePlan(Shape shape, int[] columns) {
        this.shape = shape;
        fixedBefore = new int[columns.length];
        variablesBefore = new int[columns.length];
        widths = new int[columns.length];
        Arrays.fill(fixedBefore, ABSENT);
        int fixed = 0;
        int variables = 0;
        int needed = 0;
        for (int index = 0; index < shape.columns.length; index++) {
            int place = Arrays.binarySearch(columns, shape.columns[index]);
            int width = shape.widths[index];
            if (place >= 0) {
                fixedBefore[place] = fixed;
                variablesBefore[place] = variables;
                widths[place] = width;
                needed = width == Shape.VARIABLE ? variables + 1 : variables;
            }
            if (width == Shape.VARIABLE) {
                variables++;
            } else {
                fixed += width;
            }
        }
        measured = needed;
        everyPlace = IntStream.range(0, columns.length).toArray();
        unevenPlaces = IntStream.range(0, columns.length).filter(p -> !isEven(p)).toArray();
    }

    /// The offset at which the fields of a row start, after the sizes of its variable fields. The
    /// row is at `at`.
    int skipSizes(byte[] block, int at) {
        int fields = at;
        for (int variable = 0; variable < shape.variables; variable++) {
            while (block[fields++] < 0) {}
        }
        return fields;
    }

    /// Whether the field has the same offset and the same width in all rows of the shape.
    boolean isEven(int place) {
        return fixedBefore[place] != ABSENT
                && variablesBefore[place] == 0
                && widths[place] != Shape.VARIABLE;
    }

    int offset(int place) {
        return fixedBefore[place];
    }

    int width(int place) {
        return widths[place];
    }

    int[] everyPlace() {
        return everyPlace;
    }

    int[] unevenPlaces() {
        return unevenPlaces;
    }

    /// Stores the bounds of the fields at these places of a row. The row's sizes are at `at` of the
    /// block, and its fields at `start`. `sizes` is scratch space for one number more than the
    /// shape has variable fields.
    void locate(
            byte[] block,
            int at,
            int start,
            int row,
            int[] places,
            int[][] from,
            int[][] to,
            int[] sizes) {
        int next = at;
        int sum = 0;
        for (int variable = 0; variable < measured; variable++) {
            int sized = LittleEndian.getVarInt(block, next);
            next += LittleEndian.varIntBytes(sized);
            // A negative number means NULL; such a field takes no bytes.
            sizes[variable] = sized == 0 ? ~sum : sum;
            sum += Math.max(sized - 1, 0);
        }
        sizes[measured] = sum;
        for (int place : places) {
            int before = fixedBefore[place];
            if (before == ABSENT) {
                from[place][row] = ABSENT;
                continue;
            }
            int number = variablesBefore[place];
            int width = widths[place];
            int size = sizes[number];
            int field = start + before + (size < 0 ? ~size : size);
            if (width == Shape.VARIABLE) {
                int behind = sizes[number + 1];
                from[place][row] = size < 0 ? FieldSink.NULL : field;
                to[place][row] = start + before + (behind < 0 ? ~behind : behind);
            } else {
                from[place][row] = field;
                to[place][row] = field + width;
            }
        }
    }
}
