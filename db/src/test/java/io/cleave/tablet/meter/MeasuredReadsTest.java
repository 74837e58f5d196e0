package io.cleave.tablet.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeasuredReadsTest {
    private final MeasuredReads reads = new MeasuredReads();
    private long nowMicros = 5_000_000;

    @Test
    void whereReadsComeFastAPartOfThemIsMeasured() {
        measure(4 * MeasuredReads.ROUND, 1000);
        assertThat(reads.oneIn(nowMicros)).isEqualTo(1);
        measure(MeasuredReads.ROUND, 100);
        assertThat(reads.oneIn(nowMicros)).isEqualTo(2);
        measure(20 * MeasuredReads.ROUND, 100);
        assertThat(reads.oneIn(nowMicros)).isEqualTo(MeasuredReads.LEAST_ONE_IN);
    }

    @Test
    void whereTheyBecomeFewAllAreMeasuredSoonAgain() {
        measure(20 * MeasuredReads.ROUND, 100);
        for (int oneIn = MeasuredReads.LEAST_ONE_IN; oneIn > 1; oneIn /= 2) {
            assertThat(reads.oneIn(nowMicros)).isEqualTo(oneIn);
            nowMicros += MeasuredReads.LONG_MICROS + 1;
        }
        assertThat(reads.oneIn(nowMicros)).isEqualTo(1);
    }

    private void measure(int count, long everyMicros) {
        for (int index = 0; index < count; index++) {
            nowMicros += everyMicros;
            reads.count(nowMicros);
        }
    }
}
