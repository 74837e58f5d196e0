package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.lsm.row.RowChange;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.random.RandomGenerator;

class ChangeQueueTest {
    private static final int FULL_BYTES = 1000;

    private final ChangeQueue queue = new ChangeQueue("the index", FULL_BYTES);

    @Test
    void whatIsTakenIsAllUpToAMoment() {
        queue.add(30, rows(1, 2));
        queue.add(10, rows(2, 3));
        queue.add(20, rows(4));
        queue.add(20, rows(5));
        queue.add(50, rows(6));
        assertThat(queue.first()).hasValue(10);
        ChangeQueue.Taken some = queue.take(40, 3);
        assertThat(some.first()).isEqualTo(10);
        assertThat(some.through()).isEqualTo(20);
        assertThat(some.keys()).containsExactly(key(2), key(3), key(4), key(5));
        ChangeQueue.Taken rest = queue.take(40, 3);
        assertThat(rest.through()).isEqualTo(40);
        assertThat(rest.keys()).containsExactly(key(1), key(2));
        assertThat(queue.rows()).isEqualTo(1);
        assertThat(queue.take(49, 3).keys()).isEmpty();
        assertThat(queue.first()).hasValue(50);
    }

    @Test
    void aWriterIsRefusedWhenThereWasNoRoomForLong() {
        var env = new PassingTime();
        for (int row = 0; row < 20; row++) {
            queue.add(row, rows(row));
        }
        queue.awaitRoom(env);
        assertThat(env.waits).isZero();
        queue.holdWriters(true);
        assertThatThrownBy(() -> queue.awaitRoom(env))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> {
                            assertThat(e.status()).isEqualTo(Status.OVERLOADED);
                            assertThat(e.getMessage()).contains("the index is behind by 20 rows");
                        });
        assertThat(env.waits).isEqualTo(10);
        var _ = queue.take(10, 100);
        queue.awaitRoom(env);
        assertThat(env.waits).isEqualTo(10);
    }

    @Test
    void aQueueThatGrowsWithoutBoundIsLostUntilItIsBegunAgain() {
        for (int row = 0; !queue.isLost(); row++) {
            assertThat(row).isLessThan(FULL_BYTES);
            queue.add(row, rows(row));
        }
        queue.add(5000, rows(1));
        assertThat(queue.first()).isEmpty();
        assertThat(queue.isDone()).isFalse();
        assertThat(queue.take(9000, 1).through()).isZero();
        assertThat(queue.rows()).isPositive();
        queue.begin();
        assertThat(queue.isLost()).isFalse();
        queue.add(6000, rows(1));
        assertThat(queue.first()).hasValue(6000);
    }

    @Test
    void aClosedQueueSaysOfNothingThatItIsAll() {
        assertThat(queue.isDone()).isTrue();
        queue.add(10, rows(1));
        queue.close();
        assertThat(queue.isDone()).isFalse();
        assertThat(queue.take(20, 1)).isEqualTo(new ChangeQueue.Taken(0, 0, List.of()));
    }

    private static TabletWrites rows(int... numbers) {
        List<KeyedChange> changes = new ArrayList<>();
        for (int number : numbers) {
            changes.add(new KeyedChange(key(number), RowChange.ERASE));
        }
        return new TabletWrites(1, changes);
    }

    private static Bytes key(int number) {
        return Bytes.wrap(new byte[] {(byte) number});
    }

    /// Time passes only by waiting.
    private static final class PassingTime implements Env {
        private final Env system = new SystemEnv();
        private long nanos;
        private int waits;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void await(Condition condition, Duration timeout) {
            nanos += timeout.toNanos();
            waits++;
        }

        @Override
        public long wallMicros() {
            return nanos / 1000;
        }

        @Override
        public RandomGenerator random() {
            return system.random();
        }

        @Override
        public Thread spawn(String name, Runnable body) {
            throw new UnsupportedOperationException("nothing here starts threads");
        }

        @Override
        public void sleep(Duration duration) {
            nanos += duration.toNanos();
        }
    }
}
