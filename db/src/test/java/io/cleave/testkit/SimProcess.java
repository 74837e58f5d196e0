package io.cleave.testkit;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/// One process of a simulation: threads that end together, at any moment, in the middle of whatever
/// they do.
///
/// A look at a clock gives others a chance to run, so that more than waits can be interleaved.
public final class SimProcess implements Env {
    private final SimEnv env;
    private final SeededScheduler.Group group;
    private final ThreadFactory threads;

    /// For [#stacks]; those that have ended are dropped now and then.
    private final List<Thread> started = new ArrayList<>();

    private int enough = 100;

    SimProcess(SimEnv env, SeededScheduler.Group group) {
        this.env = env;
        this.group = group;
        threads = group.threads();
    }

    /// None of its threads runs again. To be called from outside; a thread of its own would go on
    /// until it waits.
    public void kill() {
        group.stop();
    }

    /// As [#kill], for a thread of its own: it does not return.
    public void exit() {
        kill();
        while (true) {
            LockSupport.park(this);
        }
    }

    /// Runs an action, outside of its threads, when they have been run so many more times.
    public void afterSteps(long steps, Runnable action) {
        group.after(steps, action);
    }

    public boolean isDead() {
        return group.isStopped();
    }

    /// Where its threads are.
    public String stacks() {
        var text = new StringBuilder();
        for (Thread thread : started) {
            if (thread.isAlive()) {
                text.append(thread.getName()).append('\n');
                for (StackTraceElement frame : thread.getStackTrace()) {
                    text.append("    ").append(frame).append('\n');
                }
            }
        }
        return text.toString();
    }

    @Override
    public long nanoTime() {
        giveWay();
        return env.nanoTime();
    }

    @Override
    public long wallMicros() {
        giveWay();
        return env.wallMicros();
    }

    @Override
    public long cpuNanos() {
        return env.cpuNanos();
    }

    @Override
    public boolean isOneIn(int count) {
        return env.isOneIn(count);
    }

    @Override
    public RandomGenerator random() {
        return env.random();
    }

    @Override
    public boolean mayFail(String point) {
        giveWay();
        return env.mayFail(point);
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        Thread thread =
                threads.newThread(
                        () -> {
                            try {
                                body.run();
                            } catch (Throwable e) {
                                env.fail(e);
                            }
                        });
        thread.setName(name);
        if (started.size() >= enough) {
            started.removeIf(other -> !other.isAlive());
            enough = Math.max(100, 2 * started.size());
        }
        started.add(thread);
        thread.start();
        return thread;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        env.sleep(duration);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        env.await(condition, timeout);
    }

    @SuppressWarnings("ThreadPriorityCheck") // the scheduler draws who runs next
    private static void giveWay() {
        if (Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }
}
