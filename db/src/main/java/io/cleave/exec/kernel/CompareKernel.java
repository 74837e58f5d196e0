package io.cleave.exec.kernel;

import io.cleave.typed.Typed.Comparison;
import io.cleave.value.BytesVector;
import io.cleave.value.DecimalMath;
import io.cleave.value.DoubleVector;
import io.cleave.value.LongVector;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Vector;
import io.cleave.value.WideVector;

/// Compares two columns whose vectors are of the same kind. NULL on either side gives NULL; NaN is
/// unequal to everything.
record CompareKernel(int number, Comparison comparison, boolean unsigned, Kernel left, Kernel right)
        implements Kernel {
    private static final int UNORDERED = 2;

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        Vector l = left.eval(run, rows, count);
        Vector r = right.eval(run, rows, count);
        LongVector result = run.fresh(number, Primitive.BOOL, LongVector.class);
        long[] out = result.values();
        switch (l) {
            case LongVector longs ->
                    longs(longs.values(), ((LongVector) r).values(), out, rows, count);
            case DoubleVector doubles ->
                    doubles(doubles.values(), ((DoubleVector) r).values(), out, rows, count);
            case WideVector wides -> {
                var others = (WideVector) r;
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = holds(order(wides, others, row));
                }
            }
            case BytesVector bytes -> {
                var others = (BytesVector) r;
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    if (!l.isNull(row) && !r.isNull(row)) {
                        int order = BytesVector.compare(bytes, row, others, row);
                        out[row] = holds(Integer.signum(order));
                    }
                }
            }
            default -> throw new IllegalStateException("no kernel compares these");
        }
        result.setNullsOf(l, rows, count);
        result.setNullsOf(r, rows, count);
        return result;
    }

    private void longs(long[] a, long[] b, long[] out, int[] rows, int count) {
        // With the highest bit flipped, signed order is the unsigned order of the original numbers.
        long flip = unsigned ? Long.MIN_VALUE : 0;
        switch (comparison) {
            case LESS -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = (a[row] ^ flip) < (b[row] ^ flip) ? 1 : 0;
                }
            }
            case LESS_OR_EQUAL -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = (a[row] ^ flip) <= (b[row] ^ flip) ? 1 : 0;
                }
            }
            case GREATER -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = (a[row] ^ flip) > (b[row] ^ flip) ? 1 : 0;
                }
            }
            case GREATER_OR_EQUAL -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = (a[row] ^ flip) >= (b[row] ^ flip) ? 1 : 0;
                }
            }
            case EQUAL, NOT_EQUAL -> {
                long same = comparison == Comparison.EQUAL ? 1 : 0;
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    out[row] = a[row] == b[row] ? same : 1 - same;
                }
            }
        }
    }

    /// Java's comparison operators treat NaN as the query language does.
    private void doubles(double[] a, double[] b, long[] out, int[] rows, int count) {
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            boolean holds =
                    switch (comparison) {
                        case EQUAL -> a[row] == b[row];
                        case NOT_EQUAL -> a[row] != b[row];
                        case LESS -> a[row] < b[row];
                        case LESS_OR_EQUAL -> a[row] <= b[row];
                        case GREATER -> a[row] > b[row];
                        case GREATER_OR_EQUAL -> a[row] >= b[row];
                    };
            out[row] = holds ? 1 : 0;
        }
    }

    private static int order(WideVector l, WideVector r, int row) {
        long leftHigh = l.highs()[row];
        long rightHigh = r.highs()[row];
        long leftLow = l.lows()[row];
        long rightLow = r.lows()[row];
        long nanHigh = DecimalMath.NAN.high();
        long nanLow = DecimalMath.NAN.low();
        if ((leftHigh == nanHigh && leftLow == nanLow)
                || (rightHigh == nanHigh && rightLow == nanLow)) {
            return UNORDERED;
        }
        return leftHigh != rightHigh
                ? Long.compare(leftHigh, rightHigh)
                : Long.compareUnsigned(leftLow, rightLow);
    }

    private long holds(int order) {
        boolean holds =
                switch (comparison) {
                    case EQUAL -> order == 0;
                    case NOT_EQUAL -> order != 0;
                    case LESS -> order < 0;
                    case LESS_OR_EQUAL -> order <= 0;
                    case GREATER -> order == 1;
                    case GREATER_OR_EQUAL -> order == 0 || order == 1;
                };
        return holds ? 1 : 0;
    }
}
