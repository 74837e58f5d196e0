package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

class ParsingThreadsTest {
    private final ParsingThreads threads = new ParsingThreads(new SystemEnv(), 1);
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final CountDownLatch begin = new CountDownLatch(1);

    /// Holds up the only thread until the test says so.
    private void occupy() {
        assertThat(
                        threads.submit(
                                "first",
                                () -> {
                                    try {
                                        begin.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }))
                .isTrue();
    }

    @Test
    void connectionsTakeTurns() throws Exception {
        occupy();
        var done = new CountDownLatch(6);
        for (String name : List.of("a1", "a2", "a3", "a4", "b1", "c1")) {
            threads.submit(
                    name.substring(0, 1),
                    () -> {
                        order.add(name);
                        done.countDown();
                    });
        }
        begin.countDown();
        done.await();
        assertThat(order).containsExactly("a1", "b1", "c1", "a2", "a3", "a4");
    }

    @Test
    void whatWaitsHasALimit() {
        occupy();
        for (int task = 0; task < ParsingThreads.MAX_WAITING; task++) {
            assertThat(threads.submit("a", () -> {})).isTrue();
        }
        assertThat(threads.submit("b", () -> {})).isFalse();
        begin.countDown();
    }
}
