package io.cleave.tablet.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.cleave.base.Bytes;
import io.cleave.tablet.meter.KeyReservoir.Access;
import io.cleave.tablet.meter.KeyReservoir.Sample;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.SimEnv;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TabletMeterTest {
    private static final Bytes FIRST = Bytes.utf8("a");

    private final CpuClock clock = new CpuClock();
    private final TabletMeter meter = new TabletMeter(clock, 1);

    /// Everything that could be measured is.
    private static final class CpuClock extends ForwardingEnv {
        private long nanos;

        CpuClock() {
            super(new SimEnv(1));
        }

        @Override
        public long cpuNanos() {
            return nanos;
        }

        @Override
        public boolean isOneIn(int count) {
            return true;
        }
    }

    @BeforeEach
    void look() {
        meter.look();
    }

    @Test
    void keysAreNotedOnlyWhereSomeoneLooksAtThem() {
        var alone = new TabletMeter(clock, 1);
        long began = alone.beginRead();
        clock.nanos += 10;
        alone.endRead(began, FIRST, 0, false);
        assertThat(alone.keys()).isEmpty();
        assertThat(alone.totals().cpuNanos()).isEqualTo(10 * TabletMeter.ONE_IN);
    }

    @Test
    void longKeysAreAsLongAsTheirValues() {
        meter.countKeys(key -> key.length() / 2);
        meter.noteSizes(new KeyedChange(Bytes.wrap(new byte[6000]), FIRST));
        meter.noteSizes(new KeyedChange(Bytes.wrap(new byte[5000]), FIRST));
        assertThat(meter.totals().longestKeyBytes()).isEqualTo(3000);
    }

    @Test
    void whatBatchesCostIsNotPutWhereTheirScanBegan() {
        long began = meter.begin();
        clock.nanos += 10;
        meter.endScanStart(began, FIRST);
        for (int batch = 0; batch < 4; batch++) {
            began = meter.beginBatch();
            clock.nanos += 5000;
            meter.endBatch(began);
            meter.noteBatch(Bytes.utf8("b" + batch));
        }
        assertThat(meter.keys())
                .extracting(Sample::access, Sample::nanos)
                .contains(tuple(Access.RANGE, 10.0 * TabletMeter.ONE_SCAN_IN))
                .contains(tuple(Access.BATCH, 5000.0 * TabletMeter.ONE_BATCH_IN));
        assertThat(meter.totals().cpuNanos())
                .isEqualTo(20_000 * TabletMeter.ONE_BATCH_IN + 10 * TabletMeter.ONE_SCAN_IN);
    }

    @Test
    void rowsThatScansComeByAreNotedApart() {
        read(10);
        long began = meter.beginScanned();
        clock.nanos += 3;
        meter.endScanned(began, Bytes.utf8("scanned"), 7, false);
        assertThat(meter.keys())
                .extracting(Sample::access, Sample::nanos)
                .contains(tuple(Access.READ, 10.0 * TabletMeter.ONE_IN))
                .contains(tuple(Access.SCANNED, 3.0 * TabletMeter.ONE_SCANNED_IN));
    }

    @Test
    void batchesOfWhichNoKeyIsKnownWeighOnNoOther() {
        read(10);
        long began = meter.beginBatch();
        clock.nanos += 5000;
        meter.endBatch(began);
        assertThat(meter.keys())
                .singleElement()
                .satisfies(
                        sample -> assertThat(sample.nanos()).isEqualTo(10.0 * TabletMeter.ONE_IN));
        assertThat(meter.totals().cpuNanos())
                .isEqualTo(5000 * TabletMeter.ONE_BATCH_IN + 10 * TabletMeter.ONE_IN);
    }

    /// The clock takes a good part of the time of a batch.
    @Test
    void fewBatchesAreMeasuredAndStandForAll() {
        var chance = new ChanceClock();
        var sampled = new TabletMeter(chance, 1);
        int batches = 50_000;
        for (int batch = 0; batch < batches; batch++) {
            long began = sampled.beginBatch();
            chance.nanos += 5000;
            sampled.endBatch(began);
        }
        assertThat((double) sampled.totals().cpuNanos())
                .isCloseTo(5000.0 * batches, withinPercentage(10));
        assertThat(chance.looks).isLessThan(batches / 4);
    }

    /// What is measured is drawn by chance, and looks at the clock are counted.
    private static final class ChanceClock extends ForwardingEnv {
        private long nanos;
        private int looks;

        ChanceClock() {
            super(new SimEnv(1));
        }

        @Override
        public long cpuNanos() {
            looks++;
            return nanos;
        }
    }

    private void read(long nanos) {
        long began = meter.beginRead();
        clock.nanos += nanos;
        meter.endRead(began, FIRST, 0, false);
    }
}
