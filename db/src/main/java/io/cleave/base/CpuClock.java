package io.cleave.base;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/// The CPU time of the operating system thread that runs the caller, as Linux counts it. The JVM
/// reports it only for platform threads, not for the carriers of virtual threads.
///
/// A virtual thread may continue on another carrier after it has waited, so only code that does not
/// wait can be measured.
final class CpuClock {
    /// `CLOCK_PROCESS_CPUTIME_ID` of Linux.
    private static final int PROCESS_CPU_TIME = 2;

    /// `CLOCK_THREAD_CPUTIME_ID` of Linux.
    private static final int THREAD_CPU_TIME = 3;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final MethodHandle getTime;

    private CpuClock(MethodHandle getTime) {
        this.getTime = getTime;
    }

    /// Loads the clock; empty on other systems. Takes some milliseconds.
    static Optional<CpuClock> load() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
            return Optional.empty();
        }
        var signature =
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        var clock =
                NativeCalls.find("clock_gettime", signature, Linker.Option.critical(true))
                        .map(CpuClock::new);
        return clock.filter(CpuClock::answers);
    }

    private boolean answers() {
        try {
            return nanos() > 0;
        } catch (IllegalStateException _) {
            return false;
        }
    }

    long nanos() {
        return nanos(THREAD_CPU_TIME);
    }

    /// The CPU time of all threads of the process, including those that have ended.
    long processNanos() {
        return nanos(PROCESS_CPU_TIME);
    }

    private long nanos(int clock) {
        // struct timespec: seconds, nanoseconds
        long[] time = new long[2];
        try {
            int failed = (int) getTime.invokeExact(clock, MemorySegment.ofArray(time));
            if (failed != 0) {
                throw new IllegalStateException("clock_gettime answers " + failed);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return time[0] * NANOS_PER_SECOND + time[1];
    }
}
