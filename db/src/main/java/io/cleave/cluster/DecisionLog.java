package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.Decision;
import io.cleave.balance.Rule;
import io.cleave.schema.KeyRange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/// The last decisions about tablets, in memory. What is said again and again is one entry.
///
/// Threads: any.
final class DecisionLog {
    static final int CAPACITY = 1000;

    /// What was not said for so long is a new entry when it is said again.
    private static final long PAUSE_MICROS = 60_000_000;

    private final ReentrantLock lock = new ReentrantLock();

    /// The oldest first.
    @GuardedBy("lock")
    private final Deque<Long> order = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Map<Long, PartitionDecision> entries = new HashMap<>();

    /// The numbers of what may be said again.
    @GuardedBy("lock")
    private final Map<Said, Long> said = new HashMap<>();

    @GuardedBy("lock")
    private long lastNumber;

    private record Said(long tableId, long tabletId, Rule rule, String kind) {}

    /// Returns its number.
    long add(PartitionDecision entry) {
        lock.lock();
        try {
            long number = ++lastNumber;
            entries.put(number, entry.numbered(number));
            order.addLast(number);
            if (order.size() > CAPACITY) {
                long oldest = order.removeFirst();
                entries.remove(oldest);
                said.values().removeIf(at -> at == oldest);
            }
            return number;
        } finally {
            lock.unlock();
        }
    }

    /// Notes what may have been said before; true if it was not.
    boolean say(PartitionDecision entry) {
        Decision decision = entry.decision();
        var what =
                new Said(
                        entry.tableId(),
                        decision.tabletIds().getFirst(),
                        decision.rule(),
                        entry.kind());
        lock.lock();
        try {
            Long number = said.get(what);
            PartitionDecision before = number == null ? null : entries.get(number);
            if (before != null && entry.micros() - before.lastMicros() < PAUSE_MICROS) {
                entries.put(before.number(), before.again(entry));
                return false;
            }
            said.put(what, add(entry));
            return true;
        } finally {
            lock.unlock();
        }
    }

    void change(long number, UnaryOperator<PartitionDecision> change) {
        lock.lock();
        try {
            entries.computeIfPresent(number, (_, entry) -> change.apply(entry));
        } finally {
            lock.unlock();
        }
    }

    /// The oldest first.
    List<PartitionDecision> list() {
        lock.lock();
        try {
            List<PartitionDecision> all = new ArrayList<>();
            for (long number : order) {
                all.add(Objects.requireNonNull(entries.get(number)));
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /// Those about keys of a range.
    List<PartitionDecision> list(long tableId, KeyRange range) {
        return list().stream()
                .filter(entry -> entry.tableId() == tableId && entry.range().intersects(range))
                .toList();
    }
}
