package io.cleave.exec.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

class PartialAverageTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int ROUND_COUNT = 2_000;

    @Test
    void partsMakeTheExactAverage() {
        var random = new Random(SEED);
        for (int round = 0; round < ROUND_COUNT; round++) {
            boolean unsigned = random.nextBoolean();
            var merged = new PartialAverage(unsigned);
            merged.grow(1);
            BigInteger sum = BigInteger.ZERO;
            int count = 0;
            for (int part = random.nextInt(4); part >= 0; part--) {
                var later = new PartialAverage(unsigned);
                later.grow(1);
                int size = random.nextInt(5);
                Vector column = Vector.of(unsigned ? Primitive.UINT64 : Primitive.INT64);
                var rows = new int[size];
                for (int row = 0; row < size; row++) {
                    long number = random.nextLong() >> random.nextInt(64);
                    rows[row] = row;
                    column.add(Value.of(number));
                    sum =
                            sum.add(
                                    unsigned
                                            ? new BigInteger(Long.toUnsignedString(number))
                                            : BigInteger.valueOf(number));
                }
                count += size;
                later.add(column, rows, size, new int[size]);
                merged.merge(later, new int[1], 1);
            }
            Value expected =
                    count == 0
                            ? Value.Null.NULL
                            : Value.of(new BigDecimal(sum).doubleValue() / count);
            if (expected instanceof Value.Real(double real)) {
                // A sum of more than 64 bits may be rounded to a neighbour, and then be divided.
                double actual = ((Value.Real) merged.result(0)).value();
                assertThat(Math.abs(actual - real))
                        .as("-Dseed=%d, round %d", SEED, round)
                        .isLessThanOrEqualTo(2 * Math.ulp(real));
                if (sum.bitLength() < Long.SIZE) {
                    assertThat(actual).isEqualTo(real);
                }
            } else {
                assertThat(merged.result(0)).isEqualTo(Value.Null.NULL);
            }
        }
    }
}
