package io.cleave.exec.kernel;

import io.cleave.exec.kernel.LongKernel.Operation;
import io.cleave.value.DoubleVector;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Vector;

/// `+ - * / %` of two Doubles or two Floats. The result for Floats is rounded to a Float.
record DoubleKernel(int number, Operation operation, Primitive type, Kernel left, Kernel right)
        implements Kernel {
    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        if (run.isDone(number)) {
            return run.result(number, type);
        }
        var l = (DoubleVector) left.eval(run, rows, count);
        var r = (DoubleVector) right.eval(run, rows, count);
        DoubleVector result = run.fresh(number, type, DoubleVector.class);
        double[] a = l.values();
        double[] b = r.values();
        double[] out = result.values();
        switch (operation) {
            case ADD -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = a[row] + b[row];
                }
            }
            case SUBTRACT -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = a[row] - b[row];
                }
            }
            case MULTIPLY -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = a[row] * b[row];
                }
            }
            case DIVIDE -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = a[row] / b[row];
                }
            }
            case MODULO -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = a[row] % b[row];
                }
            }
        }
        if (type == Primitive.FLOAT) {
            for (int index = 0; index < count; index++) {
                int row = rows[index];
                out[row] = (float) out[row];
            }
        }
        result.setNullsOf(l, rows, count);
        result.setNullsOf(r, rows, count);
        return result;
    }
}
