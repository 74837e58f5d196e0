package io.cleave.testkit;

import org.jspecify.annotations.Nullable;

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
/// `--add-opens=java.base/java.lang=ALL-UNNAMED`, which only the tests have. Threads that are never
/// run again are garbage only with `-Djdk.trackAllThreads=false`.
public final class SeededScheduler {
    private final Random random;
    private final List<Step> ready = new ArrayList<>();

    /// Who runs the threads.
    private volatile @Nullable Thread driver;

    /// A thread of the machine that has woken one of ours.
    private volatile @Nullable String outsider;

    /// A digest of all choices so far: of two runs with the same one, the second repeated the
    /// first.
    private long digest;

    public SeededScheduler(long seed) {
        random = new Random(seed);
    }

    /// What one thread does until it waits again.
    private record Step(Group group, Runnable continuation) {}

    /// Threads that can be stopped together, as those of a process are.
    public final class Group implements Executor {
        private boolean stopped;
        private long stepsLeft = Long.MAX_VALUE;
        private Runnable atLast = () -> {};

        private Group() {}

        @Override
        public void execute(Runnable continuation) {
            Thread caller = Thread.currentThread();
            if (!caller.isVirtual() && driver != null && caller != driver) {
                // The JDK ends a timed wait or lets someone into a monitor: chance that no seed
                // repeats.
                outsider = caller.getName();
            } else if (!stopped) {
                ready.add(new Step(this, continuation));
            }
        }

        /// None of its threads runs again, wherever it is, whatever it holds.
        public void stop() {
            stopped = true;
            ready.removeIf(step -> step.group == this);
        }

        public boolean isStopped() {
            return stopped;
        }

        /// After so many more steps of its threads `action` is run instead of the next one.
        public void after(long steps, Runnable action) {
            stepsLeft = steps;
            atLast = action;
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

        private void run(Step step) {
            if (stepsLeft-- == 0) {
                // What was drawn runs later, if the action lets it.
                ready.add(step);
                atLast.run();
            } else {
                step.continuation.run();
            }
        }
    }

    /// The run does not repeat, and says nothing: run it again.
    public static final class OutsideException extends RuntimeException {
        OutsideException(String thread) {
            super("a thread was woken from outside, by " + thread);
        }
    }

    public Group newGroup() {
        return new Group();
    }

    /// Runs until every thread is done or parked.
    public void runUntilIdle() {
        driver = Thread.currentThread();
        while (!ready.isEmpty()) {
            int choice = random.nextInt(ready.size());
            digest = digest * 31 + choice;
            Step step = ready.remove(choice);
            step.group.run(step);
        }
        if (outsider != null) {
            throw new OutsideException(outsider);
        }
    }

    public ThreadFactory threads() {
        return newGroup().threads();
    }

    public long digest() {
        return digest;
    }
}
