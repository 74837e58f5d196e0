package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupDelayTest {
    private static final long SYNC = 600_000;

    private final GroupDelay patience = new GroupDelay();

    @Test
    void oneWriterNeverWaits() {
        assertThat(patience.nanos(1)).isZero();
        patience.synced(1, 0, SYNC);
        assertThat(patience.nanos(1)).isZero();
    }

    @Test
    void twoGroupsThatTakeTurnsWaitForEachOther() {
        patience.synced(33, 31, SYNC);
        assertThat(patience.expected()).isEqualTo(64);
        assertThat(patience.nanos(31)).isEqualTo(SYNC / 2);
        patience.waited(31, 64);
        patience.synced(64, 0, SYNC);
        assertThat(patience.nanos(2)).isEqualTo(SYNC / 2);
        assertThat(patience.nanos(64)).isZero();
    }

    @Test
    void aWaitIsShortWhereSyncsAreLong() {
        patience.synced(8, 8, 50_000_000);
        assertThat(patience.nanos(8)).isEqualTo(1_000_000);
    }

    @Test
    void whoWaitedInVainDoesNotForAWhile() {
        patience.synced(10, 2, SYNC);
        assertThat(patience.nanos(2)).isPositive();
        patience.waited(2, 4);
        int groups = 0;
        while (patience.nanos(2) == 0) {
            patience.synced(10, 2, SYNC);
            groups++;
        }
        assertThat(groups).isEqualTo(32);
    }
}
