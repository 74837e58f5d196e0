package io.cleave.lsm;

import io.cleave.base.LittleEndian;

import java.util.Arrays;

/// Where the wanted cells of rows of one [Shape] are, so far as that is the same for all of them:
/// behind so many bytes of fixed cells and so many variable ones.
final class ShapePlan {
    private static final int ABSENT = -1;

    final Shape shape;

    /// By place: the bytes of the fixed cells before it, or [#ABSENT].
    private final int[] fixedBefore;

    private final int[] variablesBefore;
    private final int[] widths;

    /// How many variable cells have to be measured to find all the wanted ones.
    private final int measured;

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
    }

    /// Notes where the cells of a row are that stand at `at` of the block. `sizes` is room for as
    /// many numbers as the shape has variable cells, and one more.
    void locate(byte[] block, int at, int row, int[][] from, int[][] to, int[] sizes) {
        int cells = at;
        int variables = shape.variables;
        if (variables > 0) {
            int sum = 0;
            for (int variable = 0; variable < measured; variable++) {
                int sized = LittleEndian.getVarInt(block, cells);
                cells += LittleEndian.varIntBytes(sized);
                // The sign says NULL: its cell takes no bytes.
                sizes[variable] = sized == 0 ? ~sum : sum;
                sum += Math.max(sized - 1, 0);
            }
            sizes[measured] = sum;
            for (int variable = measured; variable < variables; variable++) {
                while (block[cells++] < 0) {}
            }
        }
        for (int place = 0; place < widths.length; place++) {
            int before = fixedBefore[place];
            if (before == ABSENT) {
                from[place][row] = ABSENT;
                continue;
            }
            int number = variablesBefore[place];
            int width = widths[place];
            if (variables == 0) {
                from[place][row] = cells + before;
                to[place][row] = cells + before + width;
            } else if (width == Shape.VARIABLE) {
                int size = sizes[number];
                int next = sizes[number + 1];
                from[place][row] = size < 0 ? ABSENT : cells + before + size;
                to[place][row] = cells + before + (next < 0 ? ~next : next);
            } else {
                int size = sizes[number];
                int start = cells + before + (size < 0 ? ~size : size);
                from[place][row] = start;
                to[place][row] = start + width;
            }
        }
    }
}
