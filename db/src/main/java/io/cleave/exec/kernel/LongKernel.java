package io.cleave.exec.kernel;

import io.cleave.value.Ints;
import io.cleave.value.LongVector;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Vector;

/// `+ - * / %` of two integers of the same type. Overflow wraps around. A division gives NULL if
/// the divisor is zero or the quotient overflows.
record LongKernel(int number, Operation operation, Primitive type, Kernel left, Kernel right)
        implements Kernel {
    enum Operation {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        MODULO
    }

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        if (run.isDone(number)) {
            return run.result(number, type);
        }
        var l = (LongVector) left.eval(run, rows, count);
        var r = (LongVector) right.eval(run, rows, count);
        LongVector result = run.fresh(number, type, LongVector.class);
        long[] a = l.values();
        long[] b = r.values();
        long[] out = result.values();
        int unused = Long.SIZE - Byte.SIZE * Ints.bytes(type);
        boolean signed = Ints.isSigned(type);
        switch (operation) {
            case ADD -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = wrap(a[row] + b[row], unused, signed);
                }
            }
            case SUBTRACT -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = wrap(a[row] - b[row], unused, signed);
                }
            }
            case MULTIPLY -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = wrap(a[row] * b[row], unused, signed);
                }
            }
            case DIVIDE, MODULO -> divide(l, r, result, rows, count);
        }
        result.setNullsOf(l, rows, count);
        result.setNullsOf(r, rows, count);
        return result;
    }

    private static long wrap(long number, int unused, boolean signed) {
        return signed ? number << unused >> unused : number << unused >>> unused;
    }

    private void divide(LongVector l, LongVector r, LongVector result, int[] rows, int count) {
        boolean quotient = operation == Operation.DIVIDE;
        boolean unsigned = type == Primitive.UINT64;
        long least = Ints.min(type);
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            long dividend = l.values()[row];
            long divisor = r.values()[row];
            boolean overflows = divisor == -1 && Ints.isSigned(type) && dividend == least;
            if (l.isNull(row) || r.isNull(row) || divisor == 0 || overflows) {
                result.setNull(row);
            } else if (quotient) {
                result.values()[row] =
                        unsigned ? Long.divideUnsigned(dividend, divisor) : dividend / divisor;
            } else {
                result.values()[row] =
                        unsigned ? Long.remainderUnsigned(dividend, divisor) : dividend % divisor;
            }
        }
    }
}
