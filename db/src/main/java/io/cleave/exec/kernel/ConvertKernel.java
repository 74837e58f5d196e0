package io.cleave.exec.kernel;

import io.cleave.value.DoubleVector;
import io.cleave.value.LongVector;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;
import io.cleave.value.WideVector;

import java.util.function.UnaryOperator;

/// Converts an integer to a Double or a Decimal. Numbers outside the range of the fast path, such
/// as negative numbers, are converted by `conversion`.
record ConvertKernel(int number, Type type, Kernel operand, UnaryOperator<Value> conversion)
        implements Kernel {
    /// Every integer up to this one is exactly representable as a Double.
    private static final long MAX_EXACT = 1L << 53;

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        if (run.isDone(number)) {
            return run.result(number, type);
        }
        var from = (LongVector) operand.eval(run, rows, count);
        Vector result = run.fresh(number, type, Vector.class);
        result.setNullsOf(from, rows, count);
        switch (result) {
            case DoubleVector doubles -> {
                double[] out = doubles.values();
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    long value = from.values()[row];
                    if (value >= 0 && value <= MAX_EXACT) {
                        out[row] = value;
                    } else if (!from.isNull(row)) {
                        doubles.set(row, conversion.apply(from.get(row)));
                    }
                }
            }
            case WideVector wides -> decimals(from, wides, rows, count);
            default -> throw new IllegalStateException("not a number: " + type.text());
        }
        return result;
    }

    private void decimals(LongVector from, WideVector result, int[] rows, int count) {
        var decimal = (Type.Decimal) type.unwrapped();
        int digits = Math.min(decimal.precision(), 18);
        long power = DecimalKernel.power(Math.min(decimal.scale(), digits));
        long bound = decimal.scale() > digits ? 0 : DecimalKernel.power(digits) / power;
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            long value = from.values()[row];
            if (value >= 0 && value < bound) {
                result.lows()[row] = value * power;
                result.highs()[row] = 0;
            } else if (!from.isNull(row)) {
                result.set(row, conversion.apply(from.get(row)));
            }
        }
    }
}
