package io.cleave.control;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// The retry delay of a table whose change failed: one second at first, doubled after each further
/// failure, up to a minute.
///
/// Threads: one at a time.
final class RetryDelays {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /// By table id.
    private final Map<Long, Delay> delays = new HashMap<>();

    private record Delay(Duration pause, long untilNanos) {}

    /// Whether it is too early to retry.
    boolean holds(long tableId, long nowNanos) {
        Delay last = delays.get(tableId);
        return last != null && last.untilNanos - nowNanos > 0;
    }

    void failed(long tableId, long nowNanos) {
        Delay last = delays.get(tableId);
        Duration pause = last == null ? FIRST_PAUSE : last.pause.multipliedBy(2);
        if (pause.compareTo(LONGEST_PAUSE) > 0) {
            pause = LONGEST_PAUSE;
        }
        delays.put(tableId, new Delay(pause, nowNanos + pause.toNanos()));
    }

    void succeeded(long tableId) {
        delays.remove(tableId);
    }

    /// Forgets all other tables.
    void retain(Collection<Long> tableIds) {
        delays.keySet().retainAll(tableIds);
    }
}
