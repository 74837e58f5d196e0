package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupDelayTest {
    private static final long SYNC = 600_000;

    private final GroupDelay delay = new GroupDelay();

    @Test
    void oneWriterNeverWaits() {
        assertThat(delay.nanos(1)).isZero();
        delay.synced(1, 0, SYNC);
        assertThat(delay.nanos(1)).isZero();
    }

    @Test
    void twoGroupsThatTakeTurnsWaitForEachOther() {
        delay.synced(33, 31, SYNC);
        assertThat(delay.expected()).isEqualTo(64);
        assertThat(delay.nanos(31)).isEqualTo(SYNC / 2);
        delay.waited(31, 64);
        delay.synced(64, 0, SYNC);
        assertThat(delay.nanos(2)).isEqualTo(SYNC / 2);
        assertThat(delay.nanos(64)).isZero();
    }

    @Test
    void aWaitIsShortWhereSyncsAreLong() {
        delay.synced(8, 8, 50_000_000);
        assertThat(delay.nanos(8)).isEqualTo(1_000_000);
    }

    @Test
    void whoWaitedInVainDoesNotForAWhile() {
        delay.synced(10, 2, SYNC);
        assertThat(delay.nanos(2)).isPositive();
        delay.waited(2, 4);
        int groups = 0;
        while (delay.nanos(2) == 0) {
            delay.synced(10, 2, SYNC);
            groups++;
        }
        assertThat(groups).isEqualTo(32);
    }
}
