package io.cleave.bench.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The CPU time of processes, in user and kernel mode, as `/proc/PID/stat` counts it.
final class ProcessTicks {
    private static final long TICKS_A_SECOND = 100;

    /// Positions of fields after the name, which is in parentheses and may contain anything: see
    /// proc(5).
    private static final int OWN = 11;

    private static final int ENDED_CHILDREN = 13;

    private ProcessTicks() {}

    /// Of the process alone; 0 if it is gone.
    static long alone(long pid) {
        return sum(pid, OWN);
    }

    /// Of the process and of its children that have ended.
    static long withEndedChildren(long pid) {
        return sum(pid, OWN) + sum(pid, ENDED_CHILDREN);
    }

    static Duration duration(long ticks) {
        return Duration.ofMillis(ticks * 1000 / TICKS_A_SECOND);
    }

    private static long sum(long pid, int field) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1]);
        } catch (IOException gone) {
            return 0;
        }
    }
}
