package io.cleave.tablet.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cleave.base.Bytes;
import io.cleave.tablet.meter.KeyReservoir.Access;
import io.cleave.tablet.meter.KeyReservoir.Sample;

import org.junit.jupiter.api.Test;

class KeyReservoirTest {
    private static final long STRETCH = KeyReservoir.STRETCH_MICROS;

    private final KeyReservoir keys = new KeyReservoir(1);

    @Test
    void fewKeysAreAllKept() {
        add(0, 100, 0);
        assertThat(keys.samples(1)).extracting(Sample::key).hasSize(100).contains(key(0), key(99));
    }

    @Test
    void ofManyEachHasTheSameChance() {
        add(0, 100_000, 0);
        assertThat(keys.samples(1)).hasSize(KeyReservoir.CAPACITY);
        long early = keys.samples(1).stream().filter(s -> number(s) < 50_000).count();
        assertThat(early).isBetween(900L, 1150L);
    }

    @Test
    void thoseOfTheStretchBeforeStay() {
        add(0, 10, 0);
        add(10, 20, STRETCH);
        assertThat(keys.samples(STRETCH + 1)).hasSize(20);
        assertThat(keys.samples(STRETCH + 1).getFirst().micros()).isZero();
        assertThat(keys.samples(2 * STRETCH)).hasSize(10);
        assertThat(keys.samples(9 * STRETCH)).isEmpty();
    }

    @Test
    void whatIsOldIsLetGoAlsoWhereNothingNewComes() {
        add(0, 10, 0);
        keys.letGo(STRETCH);
        assertThat(keys.kept()).isEqualTo(10);
        keys.letGo(2 * STRETCH);
        assertThat(keys.kept()).isZero();
        add(0, 10, 3 * STRETCH);
        keys.letGo(9 * STRETCH);
        assertThat(keys.kept()).isZero();
    }

    /// Who adds has a clock that is a little behind that of who looks.
    @Test
    void aKeyThatComesALittleLateTakesNoneWithIt() {
        add(0, 10, 1);
        assertThat(keys.samples(STRETCH + 1)).hasSize(10);
        add(10, 11, STRETCH - 999);
        assertThat(keys.samples(STRETCH + 1)).hasSize(11);
    }

    @Test
    void aClockThatIsSetBackBeginsAnew() {
        add(0, 10, 9 * STRETCH);
        add(10, 13, STRETCH);
        assertThat(keys.samples(STRETCH)).hasSize(3);
    }

    @Test
    void veryLongKeysAreNotKept() {
        keys.add(Bytes.wrap(new byte[5000]), Access.WRITE, 0);
        assertThat(keys.samples(1)).isEmpty();
    }

    @Test
    void aKeyStandsForWhatItsKindHasCostLately() {
        keys.spent(Access.READ, 1_000_000);
        add(0, 10, 0);
        keys.spent(Access.READ, 100);
        keys.add(key(10), Access.WRITE, 9 * STRETCH);
        keys.spent(Access.WRITE, 7);
        add(0, 10, 9 * STRETCH);
        keys.spent(Access.READ, 50);
        add(0, 10, 10 * STRETCH);
        keys.spent(Access.READ, 10);
        assertThat(keys.samples(10 * STRETCH))
                .filteredOn(sample -> sample.access() == Access.READ)
                .hasSize(20)
                .allSatisfy(sample -> assertThat(sample.nanos()).isEqualTo(3));
        assertThat(keys.samples(10 * STRETCH))
                .filteredOn(sample -> sample.access() == Access.WRITE)
                .singleElement()
                .satisfies(sample -> assertThat(sample.nanos()).isEqualTo(7));
        assertThat(keys.cpuNanos()).isEqualTo(1_000_167);
    }

    @Test
    void aKindOfWhichNoneWasMeasuredCostsWhatTheOthersDo() {
        keys.add(key(0), Access.DELETE, 0);
        assertThat(keys.samples(1).getFirst().nanos()).isEqualTo(1);
        add(0, 10, 0);
        keys.spent(Access.READ, 50);
        assertThat(keys.samples(1)).hasSize(11).allMatch(sample -> sample.nanos() == 5);
    }

    @Test
    void keysOfABusyStretchStandForThoseThatAreNotKept() {
        add(0, 100_000, 0);
        add(0, 1000, STRETCH);
        keys.spent(Access.READ, 101_000);
        double early = 0;
        double late = 0;
        for (Sample sample : keys.samples(STRETCH)) {
            if (sample.micros() == 0) {
                early += sample.nanos();
            } else {
                late += sample.nanos();
            }
        }
        assertThat(early).isCloseTo(100_000, within(0.1));
        assertThat(late).isCloseTo(1000, within(0.1));
    }

    private void add(int from, int to, long micros) {
        for (int number = from; number < to; number++) {
            keys.add(key(number), Access.READ, micros);
        }
    }

    private static Bytes key(int number) {
        return Bytes.utf8("%06d".formatted(number));
    }

    private static int number(Sample sample) {
        return Integer.parseInt(sample.key().utf8());
    }
}
