package io.cleave.exec.kernel;

import io.cleave.exec.eval.Evaluation;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import java.util.Arrays;

/// Evaluates an expression row by row, if it has no kernel of its own. Values are created only for
/// the columns that the expression reads.
public record RowKernel(int number, Type type, Evaluation value, Columns columns)
        implements Kernel {
    /// The columns that are read, and the width of the row.
    static final class Columns {
        private final int[] read;
        private final int width;

        Columns(int[] read, int width) {
            this.read = read;
            this.width = width;
        }
    }

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        Vector result = run.fresh(number, type, Vector.class);
        var row = new Value[columns.width];
        Arrays.fill(row, Value.Null.NULL);
        for (int index = 0; index < count; index++) {
            int at = rows[index];
            for (int column : columns.read) {
                row[column] = run.batch().column(column).get(at);
            }
            result.set(at, value.eval(row, run.context()));
        }
        return result;
    }
}
