package io.cleave.exec.kernel;

import io.cleave.value.DecimalMath;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Value.Int128;
import io.cleave.value.Vector;
import io.cleave.value.WideVector;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

/// SUM and AVG of Decimals, in the widest Decimal of their scale. NULL for a group without a value.
final class PartialDecimal extends PartialAggregate {
    /// A number with a greater high half may be an infinity or nan.
    private static final long MAX_PLAIN_HIGH = DecimalMath.INF.high() / 2;

    private final Type.Decimal wide;
    private final Type.Decimal type;
    private final boolean average;
    private long[] highs = {};
    private long[] lows = {};
    private long[] counts = {};

    PartialDecimal(Type.Decimal type, boolean average) {
        this.wide = new Type.Decimal(Type.Decimal.MAX_PRECISION, type.scale());
        this.type = type;
        this.average = average;
    }

    @Override
    void grow(int groups) {
        if (lows.length < groups) {
            int capacity = Math.max(groups, 2 * lows.length);
            highs = Arrays.copyOf(highs, capacity);
            lows = Arrays.copyOf(lows, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
    }

    @Override
    void add(@Nullable Vector argument, int[] rows, int count, int[] groups) {
        var column = (WideVector) Objects.requireNonNull(argument);
        long[] high = column.highs();
        long[] low = column.lows();
        boolean hasNulls = column.hasNulls();
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            if (!hasNulls || !column.isNull(row)) {
                add(groups[index], high[row], low[row]);
                counts[groups[index]]++;
            }
        }
    }

    private void add(int group, long high, long low) {
        if (isPlain(high) && isPlain(highs[group])) {
            long sum = lows[group] + low;
            boolean carries = Long.compareUnsigned(sum, low) < 0;
            highs[group] += high + (carries ? 1 : 0);
            lows[group] = sum;
        } else {
            Int128 sum =
                    DecimalMath.add(
                            wide, new Int128(highs[group], lows[group]), new Int128(high, low));
            highs[group] = sum.high();
            lows[group] = sum.low();
        }
    }

    private static boolean isPlain(long high) {
        return high < MAX_PLAIN_HIGH && high > -MAX_PLAIN_HIGH;
    }

    @Override
    void merge(PartialAggregate later, int[] groups, int count) {
        var other = (PartialDecimal) later;
        for (int group = 0; group < count; group++) {
            if (other.counts[group] > 0) {
                add(groups[group], other.highs[group], other.lows[group]);
                counts[groups[group]] += other.counts[group];
            }
        }
    }

    @Override
    Value result(int group) {
        if (counts[group] == 0) {
            return Value.Null.NULL;
        }
        var sum = new Int128(highs[group], lows[group]);
        return average
                ? DecimalMath.rescale(
                        wide,
                        type,
                        DecimalMath.divide(wide, sum, BigInteger.valueOf(counts[group])))
                : sum;
    }

    @Override
    int groupBytes() {
        return 3 * Long.BYTES;
    }
}
