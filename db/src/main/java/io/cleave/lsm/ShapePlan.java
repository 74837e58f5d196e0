package io.cleave.lsm;

import io.cleave.base.LittleEndian;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Where the wanted cells of rows of one [Shape] are, so far as that is the same for all of them:
/// behind so many bytes of fixed cells and so many variable ones.
final class ShapePlan {
    private static final int ABSENT = CellSink.NONE;

    final Shape shape;

    /// By place: the bytes of the fixed cells before it, or [#ABSENT].
    private final int[] fixedBefore;

    private final int[] variablesBefore;
    private final int[] widths;

    /// How many variable cells have to be measured to find all the wanted ones.
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

    /// Where the cells of a row start that stands at `at`: behind the sizes of the variable ones.
    int skipSizes(byte[] block, int at) {
        int cells = at;
        for (int variable = 0; variable < shape.variables; variable++) {
            while (block[cells++] < 0) {}
        }
        return cells;
    }

    /// Whether the cell is at the same distance from the start in all rows of the shape, and as
    /// wide.
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

    /// Notes where the cells of these places are in a row whose sizes stand at `at` of the block
    /// and its cells at `start`. `sizes` is room for as many numbers as the shape has variable
    /// cells, and one more.
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
            // The sign says NULL: its cell takes no bytes.
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
            int cell = start + before + (size < 0 ? ~size : size);
            if (width == Shape.VARIABLE) {
                int behind = sizes[number + 1];
                from[place][row] = size < 0 ? CellSink.NULL : cell;
                to[place][row] = start + before + (behind < 0 ? ~behind : behind);
            } else {
                from[place][row] = cell;
                to[place][row] = cell + width;
            }
        }
    }
}
