package io.cleave.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class SharedAnswerTest {
    @Test
    void thoseWhoAskDuringARunShareTheNext() throws InterruptedException {
        var runs = new AtomicInteger();
        var steps = new Semaphore(0);
        var begun = new Semaphore(0);
        var shared =
                new SharedAnswer(
                        new SystemEnv(),
                        () -> {
                            begun.release();
                            steps.acquireUninterruptibly();
                            return Answer.text(200 + runs.incrementAndGet(), "");
                        });
        List<Integer> statuses = new CopyOnWriteArrayList<>();
        var answered = new CountDownLatch(51);
        shared.ask(answer -> note(statuses, answered, answer));
        begun.acquire();
        for (int count = 0; count < 50; count++) {
            shared.ask(answer -> note(statuses, answered, answer));
        }
        steps.release(2);
        assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(2);
        assertThat(statuses.getFirst()).isEqualTo(201);
        assertThat(statuses.subList(1, 51)).containsOnly(202);
    }

    private static void note(List<Integer> statuses, CountDownLatch answered, Answer answer) {
        statuses.add(answer.status());
        answered.countDown();
    }
}
