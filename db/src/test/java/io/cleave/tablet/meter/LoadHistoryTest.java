package io.cleave.tablet.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadHistoryTest {
    private static final long SECOND = 1_000_000;
    private final LoadHistory history = new LoadHistory(0);
    private long reads;

    @Test
    void itIsTheMeanOfTheLastMinuteOrSo() {
        read(0, 300, 10);
        assertThat(load(300)).isBetween(9.9, 10.1);
        read(300, 310, 100);
        assertThat(load(310)).isBetween(20.0, 30.0);
        read(310, 400, 100);
        assertThat(load(400)).isBetween(99.0, 101.0);
    }

    @Test
    void aShortLifeCountsAsItIs() {
        read(0, 5, 50);
        assertThat(load(5)).isBetween(49.0, 61.0);
        assertThat(load(0)).isEqualTo(reads);
    }

    @Test
    void whatNobodyUsesAnyMoreHasNoLoad() {
        read(0, 60, 10);
        assertThat(load(90)).isBetween(3.0, 8.0);
        assertThat(load(200)).isZero();
        read(1000, 1001, 70);
        assertThat(load(1001)).isBetween(35.0, 75.0);
    }

    @Test
    void aClockThatIsSetBackBeginsAnew() {
        read(1000, 1060, 10);
        read(500, 530, 10);
        assertThat(load(530)).isBetween(9.0, 11.0);
    }

    /// So many rows in each second.
    private void read(long fromSecond, long toSecond, int rows) {
        for (long second = fromSecond; second < toSecond; second++) {
            if (history.isDue(second * SECOND)) {
                history.mark(second * SECOND, reads, 0);
            }
            reads += rows;
        }
    }

    private double load(long second) {
        return history.load(second * SECOND, reads, 0).reads();
    }
}
