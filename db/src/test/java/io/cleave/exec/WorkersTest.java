package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.testkit.ForwardingEnv;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Whoever gets an answer from the threads of a query finds none of them at work.
class WorkersTest {
    private final AtomicInteger atWork = new AtomicInteger();

    @Test
    void resultsComeInTheOrderOfTheirTasks() {
        List<Integer> squares = new Workers(new SystemEnv(), 3).run(20, index -> index * index);
        assertThat(squares).hasSize(20).startsWith(0, 1, 4, 9).endsWith(361);
    }

    @Test
    void anInterruptedQueryWaitsForItsThreads() {
        var started = new CountDownLatch(2);
        Thread caller = Thread.currentThread();
        var workers = new Workers(new SystemEnv(), 2);
        assertThatThrownBy(
                        () ->
                                workers.run(
                                        2,
                                        index -> {
                                            atWork.incrementAndGet();
                                            started.countDown();
                                            await(started);
                                            caller.interrupt();
                                            linger();
                                            return atWork.decrementAndGet() + index;
                                        }))
                .hasMessageContaining("interrupted while a query was running");
        assertThat(atWork).hasValue(0);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aThreadThatCannotBeHadEndsTheQueryWhenTheOthersHave() {
        var workers = new Workers(new OneThread(), 2);
        assertThatThrownBy(
                        () ->
                                workers.run(
                                        2,
                                        index -> {
                                            atWork.incrementAndGet();
                                            linger();
                                            return atWork.decrementAndGet() + index;
                                        }))
                .hasMessageContaining("no thread");
        assertThat(atWork).hasValue(0);
        // They are free for the next query.
        assertThat(new Workers(new SystemEnv(), 2).run(2, index -> index)).containsExactly(0, 1);
    }

    /// Long enough for a caller that does not wait to be seen.
    private static void linger() {
        try {
            new SystemEnv().sleep(Duration.ofMillis(100));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /// Starts one thread and no other.
    private static final class OneThread extends ForwardingEnv {
        private final AtomicInteger threads = new AtomicInteger();

        OneThread() {
            super(new SystemEnv());
        }

        @Override
        public Thread spawn(String name, Runnable body) {
            if (threads.getAndIncrement() > 0) {
                throw new OutOfMemoryError("no thread");
            }
            return super.spawn(name, body);
        }

        @Override
        public Thread spawnWorker(String name, Runnable body) {
            return spawn(name, body);
        }
    }
}
