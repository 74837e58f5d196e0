package io.cleave.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

final class ComputeSlotsTest {
    private static final long NO_LEASE_ENDS = Duration.ofDays(1).toNanos();
    private static final long SHORT_LEASE = Duration.ofMillis(20).toNanos();

    @Test
    void noMoreThreadsComputeThanThereAreSlots() throws InterruptedException {
        var slots = new ComputeSlots(2, NO_LEASE_ENDS);
        var computing = new AtomicInteger();
        var most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int turn = 0; turn < 200; turn++) {
                                            slots.takeTurn();
                                            int now = computing.incrementAndGet();
                                            most.accumulateAndGet(now, Math::max);
                                            computing.decrementAndGet();
                                        }
                                        slots.leave();
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertTrue(most.get() <= 2, () -> most + " threads had a turn at once");
    }

    @Test
    void aSlotGoesToTheFirstThatWaits() throws InterruptedException {
        var slots = new ComputeSlots(1, NO_LEASE_ENDS);
        var order = new StringBuffer();
        slots.takeTurn();
        List<Thread> threads = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            Thread thread =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        slots.takeTurn();
                                        order.append(name);
                                        slots.leave();
                                    });
            awaitWaiting(thread);
            threads.add(thread);
        }
        slots.takeTurn();
        order.append("again");
        slots.leave();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals("abcagain", order.toString());
    }

    @Test
    void aThreadThatBlocksElsewhereLosesItsSlot() throws Exception {
        var slots = new ComputeSlots(1, SHORT_LEASE);
        var lock = new ReentrantLock();
        var locked = new CountDownLatch(1);
        var holding = new CountDownLatch(1);
        Thread wantsLock =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    slots.takeTurn();
                                    holding.countDown();
                                    awaitLatch(locked);
                                    lock.lock();
                                    lock.unlock();
                                    slots.leave();
                                });
        Thread wantsSlot =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    lock.lock();
                                    try {
                                        awaitLatch(holding);
                                        locked.countDown();
                                        slots.takeTurn();
                                        slots.leave();
                                    } finally {
                                        lock.unlock();
                                    }
                                });
        wantsSlot.join();
        wantsLock.join();
    }

    @Test
    void anInterruptedThreadGoesOnWithoutASlot() throws InterruptedException {
        var slots = new ComputeSlots(1, NO_LEASE_ENDS);
        slots.takeTurn();
        var interrupted = new AtomicBoolean();
        Thread waiting =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    slots.takeTurn();
                                    interrupted.set(Thread.currentThread().isInterrupted());
                                });
        awaitWaiting(waiting);
        waiting.interrupt();
        waiting.join();
        assertTrue(interrupted.get());
        // It is not in the queue any more: the slot stays here.
        slots.takeTurn();
    }

    /// Twenty threads that never end must not keep a thread that was just started from running. If
    /// they only yield, they take tens of thousands of turns before it has its first.
    @Test
    void aShortThreadRunsBesideThoseThatComputeForLong() throws Exception {
        var env = new SystemEnv();
        var over = new AtomicBoolean();
        var turns = new AtomicInteger();
        var begun = new CyclicBarrier(21);
        List<Thread> computing = new ArrayList<>();
        for (int thread = 0; thread < 20; thread++) {
            computing.add(env.spawn("computing", () -> compute(env, begun, over, turns)));
        }
        begun.await();
        int most = 0;
        for (int round = 0; round < 50; round++) {
            var ran = new CountDownLatch(1);
            int before = turns.get();
            env.spawn("short", ran::countDown);
            ran.await();
            most = Math.max(most, turns.get() - before);
        }
        over.set(true);
        for (Thread thread : computing) {
            thread.join();
        }
        assertTrue(most < 2000, "others took " + most + " turns before a short thread had one");
    }

    private static void compute(
            SystemEnv env, CyclicBarrier begun, AtomicBoolean over, AtomicInteger turns) {
        try {
            begun.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        while (!over.get()) {
            long from = env.nanoTime();
            while (env.nanoTime() - from < 1_000_000) {
                Thread.onSpinWait();
            }
            turns.incrementAndGet();
            env.yieldProcessor();
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
