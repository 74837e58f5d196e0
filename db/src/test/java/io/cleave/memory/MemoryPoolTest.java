package io.cleave.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cleave.base.SystemEnv;
import io.cleave.tablet.CellOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

class MemoryPoolTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final MemoryPool pool = new MemoryPool("runs", 100, new SystemEnv());

    @Test
    void whatIsBeyondTheLimitIsNotGiven() {
        assertThat(pool.tryTake(60)).isTrue();
        assertThat(pool.tryTake(41)).isFalse();
        assertThat(pool.tryTake(40)).isTrue();
        pool.give(60);
        assertThat(pool.figures()).isEqualTo(new MemoryPool.Figures("runs", 100, 40, 100, 0, 1));
    }

    @Test
    void whatHasABoundOfItsOwnIsCountedBeyondTheLimit() {
        pool.take(130);
        assertThat(pool.tryTake(1)).isFalse();
        assertThat(pool.usedBytes()).isEqualTo(130);
    }

    @Test
    void whoWaitsIsServedInTheOrderOfArrival() throws InterruptedException {
        assertThat(pool.tryTake(100)).isTrue();
        BlockingQueue<String> served = new LinkedBlockingQueue<>();
        Thread large = waiter("large", 90, served);
        awaitWaiters(1);
        Thread small = waiter("small", 10, served);
        awaitWaiters(2);

        pool.give(50);
        assertThat(pool.tryTake(5)).as("nobody passes those who wait").isFalse();
        assertThat(served).isEmpty();
        pool.give(50);

        large.join();
        small.join();
        assertThat(served).containsExactlyInAnyOrder("large", "small");
        assertThat(pool.usedBytes()).isEqualTo(100);
        assertThat(pool.figures().waiting()).isZero();
    }

    /// What looks whether to go on may have to wait for a processor that somebody has who gives.
    @Test
    @Timeout(20)
    void othersGiveWhileAWaiterLooksWhetherToGoOn() {
        assertThat(pool.tryTake(100)).isTrue();
        Runnable check =
                () -> {
                    if (pool.usedBytes() == 100) {
                        Thread giver = Thread.ofPlatform().start(() -> pool.give(100));
                        join(giver);
                    }
                };
        assertThat(pool.await(60, LONG, check)).isTrue();
        assertThat(pool.usedBytes()).isEqualTo(60);
    }

    @Test
    void whoGivesUpLeavesTheQueueToOthers() throws InterruptedException {
        assertThat(pool.tryTake(50)).isTrue();
        BlockingQueue<String> served = new LinkedBlockingQueue<>();
        var ended = new IllegalStateException("cancelled");
        assertThat(
                        catchThrowable(
                                () ->
                                        pool.await(
                                                90,
                                                LONG,
                                                () -> {
                                                    throw ended;
                                                })))
                .isSameAs(ended);
        assertThat(pool.tryTake(50)).isTrue();
        Thread small = waiter("small", 10, served);
        awaitWaiters(1);
        pool.give(10);
        small.join();
        assertThat(List.copyOf(served)).containsExactly("small");
    }

    @Test
    void whoCannotBeServedInTimeIsToldSo() {
        assertThat(pool.tryTake(50)).isTrue();
        assertThat(pool.await(60, Duration.ofMillis(1), () -> {})).isFalse();
        assertThat(pool.await(101, LONG, () -> {})).as("could never be served").isFalse();
        assertThat(pool.usedBytes()).isEqualTo(50);
        assertThat(pool.exhausted("A sort", 60))
                .hasMessageContaining(
                        "A sort needs 60 bytes more, and the server's memory for runs is in use: 50"
                                + " of at most 100 bytes");
    }

    @Test
    void allSharesTogetherLeaveRoomForTheRest() {
        var budget = new MemoryBudget(1000, new SystemEnv());
        assertThat(budget.figures().stream().mapToLong(MemoryPool.Figures::limitBytes).sum())
                .isBetween(800L, 900L);
    }

    /// What is shown as the limit is where commits wait.
    @Test
    void memtablesHaveALimitHoweverLargeTheHeapIs() {
        var budget = new MemoryBudget(64L << 30, new SystemEnv());
        assertThat(budget.memtables().limitBytes())
                .isEqualTo(CellOptions.DEFAULT.stallBytes())
                .isEqualTo(384L << 20);
    }

    private Thread waiter(String name, long bytes, BlockingQueue<String> served) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            if (pool.await(bytes, LONG, () -> {})) {
                                served.add(name);
                            }
                        });
    }

    private void awaitWaiters(int count) {
        while (pool.figures().waiting() < count) {
            Thread.onSpinWait();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the giver did not come through", e);
        }
    }
}
