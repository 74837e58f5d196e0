package io.cleave.lsm.row;

import org.jspecify.annotations.Nullable;

/// Passes rows to a [FieldSink], one by one or all rows of a block at once. Threads: one at a time.
public final class FieldBatches {
    private final int[] columns;
    private final boolean keys;
    private final FieldSink sink;

    // Where the fields of a block begin and end, by column place and row.
    private final int[][] from;
    private final int[][] to;

    private int[] starts = {};
    private int[] sizes = new int[1];
    private @Nullable ShapePlan plan;

    /// `columns` are ascending.
    FieldBatches(int[] columns, boolean keys, FieldSink sink) {
        this.columns = columns;
        this.keys = keys;
        this.sink = sink;
        from = new int[columns.length][0];
        to = new int[columns.length][0];
    }

    public boolean wantsKeys() {
        return keys;
    }

    public FieldSink sink() {
        return sink;
    }

    /// Adds one row whose versions are merged.
    void add(Row row, byte[] key, int keyBytes) {
        if (keys) {
            sink.key(key, keyBytes);
        }
        int at = 0;
        for (int place = 0; place < columns.length; place++) {
            int column = columns[place];
            while (at < row.count && row.columns[at] < column) {
                at++;
            }
            if (at < row.count && row.columns[at] == column) {
                byte[] data = row.data[at];
                sink.field(place, data, data == null ? FieldSink.NULL : row.from(at), row.to(at));
            } else {
                sink.field(place, null, FieldSink.NONE, 0);
            }
        }
    }

    /// Adds all rows of a block.
    public void addAll(Fields fields, byte[] block) {
        int rows = fields.rows();
        if (columns.length == 0) {
            return;
        }
        if (from[0].length < rows) {
            starts = new int[rows + rows / 4];
            for (int place = 0; place < columns.length; place++) {
                from[place] = new int[rows + rows / 4];
                to[place] = new int[rows + rows / 4];
            }
        }
        if (rows > 0 && fields.isUniform()) {
            addUniform(fields, block, rows);
            return;
        }
        for (int row = 0; row < rows; row++) {
            ShapePlan known = planOf(fields.shape(row));
            int start = known.skipSizes(block, fields.at(row));
            known.locate(block, fields.at(row), start, row, known.everyPlace(), from, to, sizes);
        }
        for (int place = 0; place < columns.length; place++) {
            sink.fields(place, block, from[place], to[place], rows);
        }
    }

    /// Adds rows that all have one shape. Most fields have the same offset from the start of their
    /// row's fields.
    private void addUniform(Fields fields, byte[] block, int rows) {
        ShapePlan known = planOf(fields.shape(0));
        int[] uneven = known.unevenPlaces();
        for (int row = 0; row < rows; row++) {
            int at = fields.at(row);
            int start = known.skipSizes(block, at);
            starts[row] = start;
            if (uneven.length > 0) {
                known.locate(block, at, start, row, uneven, from, to, sizes);
            }
        }
        for (int place = 0; place < columns.length; place++) {
            if (known.isEven(place)) {
                sink.evenFields(
                        place, block, starts, known.offset(place), known.width(place), rows);
            } else {
                sink.fields(place, block, from[place], to[place], rows);
            }
        }
    }

    private ShapePlan planOf(Shape shape) {
        ShapePlan known = plan;
        if (known == null || known.shape != shape) {
            known = new ShapePlan(shape, columns);
            plan = known;
            if (sizes.length <= shape.variables) {
                sizes = new int[shape.variables + 1];
            }
        }
        return known;
    }
}
