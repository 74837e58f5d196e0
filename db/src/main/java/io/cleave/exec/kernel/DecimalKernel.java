package io.cleave.exec.kernel;

import io.cleave.exec.kernel.LongKernel.Operation;
import io.cleave.value.DecimalMath;
import io.cleave.value.Type;
import io.cleave.value.Value.Int128;
import io.cleave.value.Vector;
import io.cleave.value.WideVector;

/// `+ - *` of two Decimals of the same type: in 64 bits if both operands and the result fit,
/// otherwise by [DecimalMath]. The infinities and nan never fit.
record DecimalKernel(int number, Operation operation, Type.Decimal type, Kernel left, Kernel right)
        implements Kernel {
    /// 10^18 is the largest power of ten that fits into 64 bits.
    private static final int LONG_DIGITS = 18;

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        if (run.isDone(number)) {
            return run.result(number, type);
        }
        var l = (WideVector) left.eval(run, rows, count);
        var r = (WideVector) right.eval(run, rows, count);
        WideVector result = run.fresh(number, type, WideVector.class);
        result.setNullsOf(l, rows, count);
        result.setNullsOf(r, rows, count);
        long bound = power(Math.min(type.precision(), LONG_DIGITS));
        switch (operation) {
            case ADD -> add(l, r, result, rows, count, bound);
            case SUBTRACT -> subtract(l, r, result, rows, count, bound);
            case MULTIPLY -> multiply(l, r, result, rows, count, bound);
            case DIVIDE, MODULO -> throw new IllegalStateException("no kernel for " + operation);
        }
        return result;
    }

    static long power(int digits) {
        long power = 1;
        for (int digit = 0; digit < digits; digit++) {
            power *= 10;
        }
        return power;
    }

    private void add(
            WideVector l, WideVector r, WideVector result, int[] rows, int count, long bound) {
        long[] a = l.lows();
        long[] b = r.lows();
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            long sum = a[row] + b[row];
            boolean overflows = ((a[row] ^ sum) & (b[row] ^ sum)) < 0;
            if (!overflows && fits(l, row) && fits(r, row) && sum < bound && sum > -bound) {
                set(result, row, sum);
            } else {
                slow(l, r, result, row);
            }
        }
    }

    private void subtract(
            WideVector l, WideVector r, WideVector result, int[] rows, int count, long bound) {
        long[] a = l.lows();
        long[] b = r.lows();
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            long difference = a[row] - b[row];
            boolean overflows = ((a[row] ^ b[row]) & (a[row] ^ difference)) < 0;
            boolean inside = difference < bound && difference > -bound;
            if (!overflows && fits(l, row) && fits(r, row) && inside) {
                set(result, row, difference);
            } else {
                slow(l, r, result, row);
            }
        }
    }

    private void multiply(
            WideVector l, WideVector r, WideVector result, int[] rows, int count, long bound) {
        if (type.scale() > LONG_DIGITS) {
            for (int index = 0; index < count; index++) {
                slow(l, r, result, rows[index]);
            }
            return;
        }
        long divisor = power(type.scale());
        long[] a = l.lows();
        long[] b = r.lows();
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            long product = a[row] * b[row];
            boolean overflows = Math.multiplyHigh(a[row], b[row]) != product >> 63;
            if (overflows || !fits(l, row) || !fits(r, row)) {
                slow(l, r, result, row);
                continue;
            }
            long quotient = rounded(product, divisor);
            if (quotient < bound && quotient > -bound) {
                set(result, row, quotient);
            } else {
                slow(l, r, result, row);
            }
        }
    }

    /// Divides and rounds to the nearest integer, ties to even.
    private static long rounded(long dividend, long divisor) {
        long quotient = dividend / divisor;
        long rest = Math.abs(dividend - quotient * divisor);
        long missing = divisor - rest;
        if (rest > missing || (rest == missing && (quotient & 1) != 0)) {
            quotient += dividend < 0 ? -1 : 1;
        }
        return quotient;
    }

    private static boolean fits(WideVector vector, int row) {
        return vector.highs()[row] == vector.lows()[row] >> 63;
    }

    private static void set(WideVector result, int row, long number) {
        result.lows()[row] = number;
        result.highs()[row] = number >> 63;
    }

    private void slow(WideVector l, WideVector r, WideVector result, int row) {
        if (result.isNull(row)) {
            return;
        }
        var a = new Int128(l.highs()[row], l.lows()[row]);
        var b = new Int128(r.highs()[row], r.lows()[row]);
        result.set(
                row,
                switch (operation) {
                    case ADD -> DecimalMath.add(type, a, b);
                    case SUBTRACT -> DecimalMath.subtract(type, a, b);
                    case MULTIPLY -> DecimalMath.multiply(type, a, b);
                    case DIVIDE, MODULO ->
                            throw new IllegalStateException("no kernel for " + operation);
                });
    }
}
