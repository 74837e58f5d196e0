package io.cleave.base;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// CPU time of the process that no request has caused: that of background threads, and of the JVM's
/// compiler, which is busy while a server is new.
///
/// Threads: any.
final class BackgroundCpu {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    /// Of those that have ended.
    private final AtomicLong endedNanos = new AtomicLong();

    /// What a background thread does.
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

    /// 0 of a thread that has ended.
    private static long nanosOf(Thread thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported()
                ? Math.max(0, threads.getThreadCpuTime(thread.threadId()))
                : 0;
    }

    /// The JVM tells how long it has compiled. Where it had to wait for a processor that is more
    /// than it has used: requests then seem to have cost less, while a server is new.
    private static long compilerNanos() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? 0
                : compiler.getTotalCompilationTime() * NANOS_PER_MILLI;
    }
}
