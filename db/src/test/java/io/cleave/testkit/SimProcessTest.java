package io.cleave.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

class SimProcessTest {
    private final SimEnv env = new SimEnv(1);
    private final SimProcess process = env.newProcess();
    private final List<String> done = new ArrayList<>();

    @Test
    void aKilledProcessStopsWhereverItIs() {
        var lock = new ReentrantLock();
        env.run(
                () -> {
                    process.spawn(
                            "holder",
                            () -> {
                                lock.lock();
                                sleep(10);
                                done.add("after the sleep");
                            });
                    sleep(5);
                    process.kill();
                    process.spawn("late", () -> done.add("after the kill"));
                    sleep(20);
                    assertThat(lock.isLocked()).isTrue();
                });
        assertThat(done).isEmpty();
        assertThat(process.isDead()).isTrue();
        assertThat(process.stacks()).contains("holder", "SimProcessTest");
    }

    @Test
    void aProcessThatExitsDoesNotGoOn() {
        env.run(
                () -> {
                    process.spawn(
                            "exits",
                            () -> {
                                done.add("before");
                                process.exit();
                                done.add("after");
                            });
                    sleep(10);
                });
        assertThat(done).containsExactly("before");
    }

    @Test
    void afterSoManyStepsSomethingHappensInsteadOfTheNext() {
        process.afterSteps(
                3,
                () -> {
                    done.add("power cut");
                    process.kill();
                });
        env.run(
                () -> {
                    process.spawn(
                            "worker",
                            () -> {
                                for (int step = 0; step < 10; step++) {
                                    done.add("step " + step);
                                    sleep(1);
                                }
                            });
                    sleep(100);
                });
        assertThat(done).containsExactly("step 0", "step 1", "step 2", "power cut");
    }

    @Test
    void theWallClockJumpsAndTheOtherDoesNot() {
        long wall = env.wallMicros();
        long nanos = env.nanoTime();
        env.jumpWall(Duration.ofSeconds(-5));
        assertThat(env.wallMicros()).isEqualTo(wall - 5_000_000);
        assertThat(env.nanoTime()).isEqualTo(nanos);
    }

    @Test
    void luckIsBadAsOftenAsToldAndCounted() {
        for (int time = 0; time < 1000; time++) {
            assertThat(env.mayFail("nothing")).isFalse();
        }
        env.setFailChance(0.1);
        for (int time = 0; time < 1000; time++) {
            var _ = env.mayFail("something");
        }
        assertThat(env.failures()).containsOnlyKeys("something");
        assertThat(env.failures().get("something")).isBetween(50L, 200L);
    }

    private void sleep(int millis) {
        try {
            env.sleep(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
