package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.access.Caller;
import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

class MutationCacheTest {
    private final AtomicLong aheadNanos = new AtomicLong();
    private final ForwardingEnv env =
            new ForwardingEnv(new SystemEnv()) {
                @Override
                public long nanoTime() {
                    return super.nanoTime() + aheadNanos.get();
                }
            };
    private final MemoryPool pool = new MemoryPool("requests", 8 << 20, env);
    private final MutationCache cache = new MutationCache(env, pool);
    private final AtomicInteger runs = new AtomicInteger();

    private long once(Caller caller, String id, boolean isRetry) {
        YsonNode answer =
                cache.once(
                        caller,
                        "create",
                        id,
                        isRetry,
                        Cancellation.byDefault(env),
                        () -> YsonNode.of(runs.incrementAndGet()));
        return ((YsonNode.Int64) answer).value();
    }

    private static Caller from(String host) {
        return Caller.anonymous("/" + host + ":1");
    }

    @Test
    void aRepetitionHasTheFirstAnswerUntilItIsOld() {
        assertThat(once(from("1.1.1.1"), "a", false)).isEqualTo(1);
        assertThat(once(from("1.1.1.1"), "a", true)).isEqualTo(1);
        assertThat(once(from("2.2.2.2"), "a", false)).isEqualTo(2);
        aheadNanos.addAndGet(MutationCache.KEPT.toNanos() + 1);
        assertThat(once(from("1.1.1.1"), "a", true)).isEqualTo(3);
        assertThat(cache.answers()).isEqualTo(1);
    }

    @Test
    void oneCallerDoesNotPushOutTheAnswersOfOthers() {
        long first = once(from("1.1.1.1"), "mine", false);
        for (int count = 0; count < MutationCache.MAX_ANSWERS; count++) {
            once(from("2.2.2.2"), "id" + count, false);
        }
        assertThat(cache.answers()).isLessThanOrEqualTo(MutationCache.MAX_ANSWERS / 2 + 1);
        assertThat(pool.usedBytes()).isBetween(1L, pool.limitBytes() / 8);
        assertThat(once(from("1.1.1.1"), "mine", true)).isEqualTo(first);
        aheadNanos.addAndGet(MutationCache.KEPT.toNanos() + 1);
        once(from("3.3.3.3"), "x", false);
        assertThat(cache.answers()).isEqualTo(1);
    }

    @Test
    void anAnswerThatDoesNotFitIsNotKept() {
        pool.take(pool.limitBytes());
        assertThat(once(from("1.1.1.1"), "a", false)).isEqualTo(1);
        assertThat(cache.answers()).isZero();
        assertThat(once(from("1.1.1.1"), "a", true)).isEqualTo(2);
    }

    @Test
    void aRepetitionWaitsForTheFirst() throws Exception {
        var begun = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        Thread first =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        cache.once(
                                                from("1.1.1.1"),
                                                "create",
                                                "a",
                                                false,
                                                Cancellation.byDefault(env),
                                                () -> {
                                                    begun.countDown();
                                                    await(gate);
                                                    return YsonNode.of(7);
                                                }));
        begun.await();
        assertThatThrownBy(() -> once(from("1.1.1.1"), "a", false))
                .isInstanceOf(YtException.class)
                .hasMessageContaining("not marked as \"retry\"");
        var second = new AtomicLong();
        Thread waiting =
                Thread.ofVirtual().start(() -> second.set(once(from("1.1.1.1"), "a", true)));
        gate.countDown();
        first.join();
        waiting.join();
        assertThat(second.get()).isEqualTo(7);
        assertThat(runs.get()).isZero();
    }

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
