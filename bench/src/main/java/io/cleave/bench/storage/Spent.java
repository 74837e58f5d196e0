package io.cleave.bench.storage;

import com.sun.management.OperatingSystemMXBean;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;

/// What a piece of work cost the whole process, including all threads of the engines, the garbage
/// collector and the compiler.
///
/// @param writtenBytes bytes passed to the system's write calls; -1 if the system does not report
///   it
record Spent(long cpuNanos, long wallNanos, long writtenBytes) {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Path IO = Path.of("/proc/self/io");
    private static final String WRITTEN = "wchar: ";

    /// The result of the work, and its cost.
    record Of<T>(T result, Spent spent) {}

    static <T> Of<T> on(Callable<T> work) throws Exception {
        long written = written();
        long wall = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        T result = work.call();
        long cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
        long wallNanos = System.nanoTime() - wall;
        long writtenBytes = written < 0 ? -1 : written() - written;
        return new Of<>(result, new Spent(cpuNanos, wallNanos, writtenBytes));
    }

    /// The round with the median CPU time.
    static Spent median(List<Spent> rounds) {
        List<Spent> sorted = new ArrayList<>(rounds);
        sorted.sort(Comparator.comparingLong(Spent::cpuNanos));
        return sorted.get(sorted.size() / 2);
    }

    double cpuMicros(long operations) {
        return cpuNanos / 1e3 / operations;
    }

    double wallMicros(long operations) {
        return wallNanos / 1e3 / operations;
    }

    private static long written() throws IOException {
        if (!Files.isReadable(IO)) {
            return -1;
        }
        for (String line : Files.readAllLines(IO)) {
            if (line.startsWith(WRITTEN)) {
                return Long.parseLong(line.substring(WRITTEN.length()));
            }
        }
        return -1;
    }
}
