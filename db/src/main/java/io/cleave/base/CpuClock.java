package io.cleave.base;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/// The CPU time of the thread of the machine that runs the caller, as Linux counts it. The JVM
/// tells it of its own threads only, and not of those that carry virtual ones.
///
/// A virtual thread that has waited may go on upon another thread: measure only what does not wait.
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

    /// Empty where there is none. Takes some milliseconds.
    @SuppressWarnings("restricted") // a function of the C library, as the manual has it
    static Optional<CpuClock> load() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
            return Optional.empty();
        }
        Linker linker = Linker.nativeLinker();
        var clock =
                linker.defaultLookup()
                        .find("clock_gettime")
                        .map(
                                address ->
                                        linker.downcallHandle(
                                                address,
                                                FunctionDescriptor.of(
                                                        ValueLayout.JAVA_INT,
                                                        ValueLayout.JAVA_INT,
                                                        ValueLayout.ADDRESS),
                                                Linker.Option.critical(true)))
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

    /// Of all threads of the process, those that have ended included.
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
