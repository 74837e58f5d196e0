package io.cleave.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/// Runs virtual threads one at a time, choosing the next by a seeded draw, so that blocking code
/// repeats exactly under one seed and meets other interleavings under another.
///
/// Holds for threads that park on `java.util.concurrent` locks and queues. A contended
/// `synchronized` block is woken by a JDK thread of its own, outside this scheduler, and a timed
/// wait ends by the machine's clock: neither repeats.
///
/// Reaches into `java.lang` for the one constructor that takes a scheduler; needs
/// `--add-opens=java.base/java.lang=ALL-UNNAMED`, which only the tests have.
public final class SeededScheduler implements Executor {
    private final Random random;
    private final List<Runnable> ready = new ArrayList<>();

    public SeededScheduler(long seed) {
        random = new Random(seed);
    }

    @Override
    public void execute(Runnable continuation) {
        ready.add(continuation);
    }

    /// Runs until every thread is done or parked.
    public void runUntilIdle() {
        while (!ready.isEmpty()) {
            ready.remove(random.nextInt(ready.size())).run();
        }
    }

    public ThreadFactory threads() {
        try {
            var constructor =
                    Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                            .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return ((Thread.Builder) constructor.newInstance(this)).factory();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JDK gives virtual threads no scheduler", e);
        }
    }
}
