package io.cleave.base;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The CPU time of the process that is not caused by requests: that of background threads, and of
/// the JVM's compiler, which is busy after a start.
///
/// Threads: any.
final class BackgroundCpu {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    /// The CPU time of threads that have ended.
    private final AtomicLong endedNanos = new AtomicLong();

    /// Runs the body of a background thread.
    void run(Runnable body) {
        Thread thread = Thread.currentThread();
        running.add(thread);
        try {
            body.run();
        } finally {
            running.remove(thread);
            endedNanos.addAndGet(nanosOf(thread));
        }
    }

    long nanos() {
        long nanos = endedNanos.get() + compilerNanos();
        for (Thread thread : running) {
            nanos += nanosOf(thread);
        }
        return nanos;
    }

    /// Returns 0 for a thread that has ended.
    private static long nanosOf(Thread thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported()
                ? Math.max(0, threads.getThreadCpuTime(thread.threadId()))
                : 0;
    }

    /// The JVM reports the elapsed time of compilations. If the compiler had to wait for a
    /// processor, this is more than the CPU time it used, and requests seem cheaper than they are.
    /// This matters only after a start.
    private static long compilerNanos() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? 0
                : compiler.getTotalCompilationTime() * NANOS_PER_MILLI;
    }
}
