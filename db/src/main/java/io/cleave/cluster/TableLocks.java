package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// Allows one change at a time for each table, of its description or its tablets. Different tables
/// may be changed concurrently.
///
/// A change of tablets may have many steps. Before each step it checks whether someone waits to
/// drop the table.
///
/// Threads: any. A table is released by the thread that took it.
public final class TableLocks {
    private final ReentrantLock lock = new ReentrantLock();

    /// The tables that someone holds or waits for.
    @GuardedBy("lock")
    private final Map<Long, Turn> turns = new HashMap<>();

    private static final class Turn {
        final long tableId;

        /// Fair, so that a table that is constantly changed can still be dropped.
        final ReentrantLock lock = new ReentrantLock(true);

        // Guarded by `lock` of the enclosing class.
        int users;

        final AtomicInteger droppers = new AtomicInteger();

        Turn(long tableId) {
            this.tableId = tableId;
        }
    }

    /// Why a table is locked.
    public enum Purpose {
        CHANGE,
        /// Including the index tables.
        CHANGE_ALL,
        DROP
    }

    /// Waits until nobody else changes any of these tables.
    LockedTables take(Set<Long> tableIds, Purpose purpose) {
        List<Turn> taken = new ArrayList<>();
        // In a fixed order, to prevent deadlocks.
        for (long tableId : new TreeSet<>(tableIds)) {
            Turn turn = join(tableId, purpose);
            turn.lock.lock();
            taken.add(turn);
        }
        return new LockedTables(taken, purpose);
    }

    private Turn join(long tableId, Purpose purpose) {
        lock.lock();
        try {
            Turn turn = turns.computeIfAbsent(tableId, Turn::new);
            turn.users++;
            if (purpose == Purpose.DROP) {
                turn.droppers.incrementAndGet();
            }
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Turn turn, Purpose purpose) {
        lock.lock();
        try {
            if (purpose == Purpose.DROP) {
                turn.droppers.decrementAndGet();
            }
            if (--turn.users == 0) {
                turns.remove(turn.tableId);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Tables that nobody else changes until this is closed, by the thread that took it.
    public final class LockedTables implements AutoCloseable {
        private final List<Turn> taken;
        private final Purpose purpose;

        private LockedTables(List<Turn> taken, Purpose purpose) {
            this.taken = taken;
            this.purpose = purpose;
        }

        /// Whether someone waits to drop one of the tables.
        boolean isToBeDropped() {
            return taken.stream().anyMatch(turn -> turn.droppers.get() > 0);
        }

        @Override
        public void close() {
            for (Turn turn : taken.reversed()) {
                turn.lock.unlock();
                leave(turn, purpose);
            }
        }
    }
}
