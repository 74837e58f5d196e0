package io.cleave.control;

import java.util.ArrayList;
import java.util.List;

/// Chooses the stored changes that are erased, from their rows, oldest first: those that are too
/// old, and the oldest ones while all rows together are too large.
final class DecisionExpiry {
    /// Limit of the rows that are chosen at once.
    static final int MOST = 1000;

    /// A time further in the future comes from a wrong clock.
    static final long FUTURE_MICROS = 3_600_000_000L;

    private final long nowMicros;
    private final long oldestMicros;
    private final long excessBytes;
    private final List<Long> erased = new ArrayList<>();
    private long erasedBytes;
    private long sinceMicros = Long.MIN_VALUE;
    private long firstKept = Long.MAX_VALUE;

    /// @param madeMicros when it was decided
    /// @param lastMicros when it was last tried
    record Row(long number, long bytes, long madeMicros, long lastMicros) {}

    /// @param excessBytes how much smaller all rows together should be
    DecisionExpiry(DecisionLimits limits, long nowMicros, long excessBytes) {
        this.nowMicros = nowMicros;
        this.excessBytes = excessBytes;
        oldestMicros = limits.oldestMicros(nowMicros);
    }

    /// Takes the next row. Returns false if no later row has to be looked at now.
    boolean add(Row row) {
        if (erased.size() >= MOST) {
            keep(row);
            return false;
        }
        if (erasedBytes < excessBytes || row.lastMicros < oldestMicros) {
            erase(row);
            return true;
        }
        keep(row);
        // Behind a change that was tried again and again, and behind one with a wrong time, there
        // may be older ones.
        return row.madeMicros < oldestMicros || isFuture(row);
    }

    private boolean isFuture(Row row) {
        return row.madeMicros > nowMicros + FUTURE_MICROS;
    }

    private void erase(Row row) {
        erased.add(row.number);
        erasedBytes += row.bytes;
        if (!isFuture(row)) {
            sinceMicros = Math.max(sinceMicros, row.madeMicros + 1);
        }
    }

    /// Keeps a row that the log still needs.
    void keep(Row row) {
        firstKept = Math.min(firstKept, row.number);
    }

    /// The numbers of the rows to be erased, ascending.
    List<Long> erased() {
        return erased;
    }

    long erasedBytes() {
        return erasedBytes;
    }

    /// Every change from this time on is kept; the least time if nothing is erased.
    long sinceMicros() {
        return sinceMicros;
    }

    /// The number of the first row that is kept; the greatest number if all are erased.
    long firstKept() {
        return firstKept;
    }

    /// Whether there may be more to erase.
    boolean isFull() {
        return erased.size() >= MOST;
    }
}
