package io.cleave.exec.kernel;

import io.cleave.value.LongVector;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Vector;

import java.util.List;

/// AND, OR, NOT and IS NULL. All terms are evaluated for every row, so none of them may fail.
record LogicKernel(int number, Logic logic, List<Kernel> terms) implements Kernel {
    enum Logic {
        AND,
        OR,
        NOT,
        IS_NULL
    }

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        LongVector result = run.fresh(number, Primitive.BOOL, LongVector.class);
        long[] out = result.values();
        switch (logic) {
            case NOT -> {
                var operand = (LongVector) terms.getFirst().eval(run, rows, count);
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = 1 - operand.values()[row];
                }
                result.setNullsOf(operand, rows, count);
            }
            case IS_NULL -> {
                Vector operand = terms.getFirst().eval(run, rows, count);
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = operand.isNull(row) ? 1 : 0;
                }
            }
            case AND -> fold(run, result, rows, count, 0);
            case OR -> fold(run, result, rows, count, 1);
        }
        return result;
    }

    /// A term with the `decisive` value decides. If there is none, a NULL among the terms makes the
    /// result NULL.
    private void fold(KernelRun run, LongVector result, int[] rows, int count, long decisive) {
        long[] out = result.values();
        for (int index = 0; index < count; index++) {
            out[rows[index]] = 1 - decisive;
        }
        var vectors = new LongVector[terms.size()];
        boolean anyNull = false;
        for (int term = 0; term < vectors.length; term++) {
            vectors[term] = (LongVector) terms.get(term).eval(run, rows, count);
            anyNull |= vectors[term].hasNulls();
            long[] values = vectors[term].values();
            for (int index = 0; index < count; index++) {
                int row = rows[index];
                if (values[row] == decisive && !vectors[term].isNull(row)) {
                    out[row] = decisive;
                }
            }
        }
        for (int index = 0; index < count && anyNull; index++) {
            int row = rows[index];
            for (LongVector vector : vectors) {
                if (out[row] != decisive && vector.isNull(row)) {
                    result.setNull(row);
                }
            }
        }
    }
}
