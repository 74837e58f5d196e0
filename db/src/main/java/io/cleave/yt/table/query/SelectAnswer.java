package io.cleave.yt.table.query;

import io.cleave.base.Bytes;
import io.cleave.function.yt.YtType;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Value;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.format.RowOutput;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Writes the rows of a query to the client. The answer begins with the first row, so an error
/// before it is an answer of its own.
///
/// Statistics are sent before the rows. If the client wants them, the first rows are kept until the
/// query has ended. If the query returns more rows than can be kept, the answer has no statistics.
///
/// Threads: the one that runs the query.
final class SelectAnswer implements Results {
    /// Limits of the rows that are kept for statistics: their number, and the size of their values.
    static final int MAX_KEPT_ROWS = 10_000;

    static final long MAX_KEPT_BYTES = 4L << 20;
    private static final int FIELD_BYTES = 16;

    private final CommandCall call;
    private final long mostRows;
    private final boolean fails;
    private final boolean keeps;
    private final List<Value[]> kept = new ArrayList<>();
    private YtType[] types = new YtType[0];
    private List<Bytes> names = List.of();
    private @Nullable RowOutput output;
    private long keptBytes;
    private long rowCount;
    private boolean incomplete;

    SelectAnswer(CommandCall call, long mostRows, boolean fails, boolean withStatistics) {
        this.call = call;
        this.mostRows = mostRows;
        this.fails = fails;
        this.keeps = withStatistics;
    }

    /// Ends a query that has returned enough rows.
    static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        Full() {
            // Caught by the command, so the cost of a stack trace is avoided.
            super("enough rows", null, false, false);
        }
    }

    @Override
    public void transaction(String txId) {}

    @Override
    public void begin(int resultIndex, ResultShape shape) {
        names = shape.columns().stream().map(column -> Bytes.utf8(column.name())).toList();
        types =
                shape.columns().stream()
                        .map(column -> YtType.of(column.type()))
                        .toArray(YtType[]::new);
    }

    @Override
    public void row(int resultIndex, Value[] row) {
        if (rowCount == mostRows) {
            incomplete = true;
            if (fails) {
                throw SelectRows.excessive("output", mostRows);
            }
            throw new Full();
        }
        rowCount++;
        if (keeps && output == null) {
            kept.add(row.clone());
            long bytes = bytes(row);
            keptBytes += bytes;
            boolean fits = kept.size() <= MAX_KEPT_ROWS && keptBytes <= MAX_KEPT_BYTES;
            if (!fits || !call.tryHold(bytes)) {
                writeKept();
            }
            return;
        }
        write(output(), row);
    }

    private static long bytes(Value[] row) {
        long bytes = (long) FIELD_BYTES * row.length;
        for (Value value : row) {
            bytes += value instanceof Value.Binary(Bytes binary) ? binary.length() : 0;
        }
        return bytes;
    }

    @Override
    public void end(int resultIndex, boolean truncated) {}

    long rowCount() {
        return rowCount;
    }

    /// Whether the query had more rows than it has returned.
    boolean isIncomplete() {
        return incomplete;
    }

    /// Writes the rest of the answer.
    void finish(SelectStatistics statistics) {
        if (keeps && output == null) {
            statistics.answer(call);
        }
        writeKept();
    }

    private void writeKept() {
        RowOutput rows = output();
        kept.forEach(row -> write(rows, row));
        kept.clear();
    }

    private RowOutput output() {
        RowOutput begun = output;
        if (begun == null) {
            begun = call.outputRows();
            begun.columns(names);
            output = begun;
        }
        return begun;
    }

    private void write(RowOutput rows, Value[] row) {
        rows.beginRow();
        for (int column = 0; column < row.length; column++) {
            write(rows, column, types[column], row[column]);
        }
        rows.endRow();
    }

    private static void write(RowOutput rows, int column, YtType type, Value value) {
        // Runs for each value. A switch on the classes takes several times as long.
        if (value instanceof Value.Int number) {
            if (type == YtType.UINT64) {
                rows.uintField(column, number.value());
            } else {
                rows.intField(column, number.value());
            }
        } else if (value instanceof Value.Binary binary) {
            if (type == YtType.ANY) {
                rows.anyField(column, binary.value());
            } else {
                rows.stringField(column, binary.value());
            }
        } else if (value instanceof Value.Null) {
            rows.nullField(column);
        } else if (value instanceof Value.Real real) {
            rows.doubleField(column, real.value());
        } else if (value instanceof Value.Bool bool) {
            rows.booleanField(column, bool.value());
        } else {
            throw new IllegalStateException("not a value of the language: " + value);
        }
    }
}
