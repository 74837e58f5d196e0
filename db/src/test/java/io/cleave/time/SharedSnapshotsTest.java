package io.cleave.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

class SharedSnapshotsTest {
    private static final int READERS = 4;

    private final SharedSnapshots live = new SharedSnapshots();

    @Test
    void theOldestIsTheVisibleMomentWhileNobodyReads() {
        assertThat(live.oldest(9)).isEqualTo(9);
    }

    @Test
    void aReaderMayEndOnAnotherThread() throws InterruptedException {
        assertThat(live.take(() -> 5)).isEqualTo(5);
        assertThat(live.oldest(9)).isEqualTo(5);
        // More threads than there are stripes: most of them are not of the reader's own.
        for (int round = 0; round < 100; round++) {
            Thread.ofPlatform().start(() -> live.release(live.take(() -> 9))).join();
        }
        Thread.ofPlatform().start(() -> live.release(5)).join();
        assertThat(live.oldest(9)).isEqualTo(9);
    }

    @Test
    void whatNobodyHasTakenCannotBeReleased() {
        assertThatThrownBy(() -> live.release(5)).hasMessageContaining("nobody has taken");
    }

    @Test
    void noReaderIsOlderThanTheOldest() throws Exception {
        var visible = new AtomicLong(1);
        var oldest = new AtomicLong();
        var done = new AtomicBoolean();
        try (var threads = Executors.newFixedThreadPool(READERS)) {
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(
                        threads.submit(
                                () -> {
                                    while (!done.get()) {
                                        long moment = live.take(visible::get);
                                        Thread.yield();
                                        assertThat(oldest.get()).isLessThanOrEqualTo(moment);
                                        live.release(moment);
                                    }
                                }));
            }
            for (int step = 0; step < 20_000; step++) {
                oldest.set(live.oldest(visible.get()));
                visible.incrementAndGet();
            }
            done.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
        }
        assertThat(live.oldest(visible.get())).isEqualTo(visible.get());
    }
}
