package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Direction;
import io.cleave.base.StatusException;
import io.cleave.catalog.ActionRows;
import io.cleave.catalog.DecisionRows;
import io.cleave.catalog.DecisionRows.StoredRow;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/// The decisions about tablets: the latest are in memory ([RecentDecisions]), and after [#save] all
/// are in the system cell. Changes are erased by their age, and the oldest ones also if all rows
/// together are too large ([DecisionLimits]).
///
/// Threads: any.
final class DecisionLog {
    /// Limit of the decisions in an answer about one table.
    static final int MOST_SHOWN = 1000;

    /// How often old changes are looked for.
    static final long ERASE_MICROS = 60_000_000;

    private static final System.Logger LOGGER = System.getLogger(DecisionLog.class.getName());

    private final DecisionLimits limits;
    private final RecentDecisions recent;

    /// Held during a save, so that a later save never writes older state.
    private final ReentrantLock saving = new ReentrantLock();

    /// Changed only while `saving` is held.
    private final StoredDecisions stored;

    /// When old changes were looked for, and all of them were erased.
    @GuardedBy("saving")
    private long erasedMicros = Long.MIN_VALUE / 2;

    /// Then the next attempt waits, also if there is too much.
    @GuardedBy("saving")
    private boolean eraseFailed;

    @GuardedBy("saving")
    private long savedMicros;

    /// Starts with the latest of the saved decisions.
    ///
    /// @param goingOn the decisions whose actions an earlier process has begun and this one
    ///   finishes
    DecisionLog(DecisionRows rows, DecisionLimits limits, long nowMicros, Set<Long> goingOn) {
        this.limits = limits;
        savedMicros = nowMicros;
        stored = new StoredDecisions(rows, nowMicros, goingOn);
        recent =
                new RecentDecisions(
                        stored.latest(limits.inMemory()), stored.summary(), limits.inMemory());
    }

    /// Adds a split or a merge and returns its number. A retry of a change that failed recently
    /// updates the existing entry.
    long add(TabletDecision entry) {
        return recent.add(entry);
    }

    /// Records that the change succeeded.
    void done(long number, long tookMicros, String outcome) {
        recent.done(number, tookMicros, outcome);
    }

    /// Records that the change failed.
    void failed(long number, long tookMicros, String why) {
        recent.failed(number, tookMicros, why);
    }

    /// Adds a note or updates the one it repeats. Returns true if the note is new and there was
    /// room.
    boolean say(TabletDecision entry) {
        return recent.say(entry);
    }

    void change(long number, UnaryOperator<TabletDecision> change) {
        recent.change(number, change);
    }

    /// Makes new entries durable. Entries that cannot be saved now are saved by the next call.
    void save(long nowMicros) {
        try {
            save(nowMicros, ActionRows.Change.NONE);
        } catch (RuntimeException e) {
            report("decisions were not saved", e);
        }
    }

    /// Makes new entries durable together with these rows of actions. Throws if they cannot be
    /// saved now.
    void save(long nowMicros, ActionRows.Change actions) {
        saving.lock();
        try {
            savedMicros = nowMicros;
            RecentDecisions.Batch batch = recent.take(nowMicros);
            if (batch.isEmpty() && actions.isEmpty()) {
                return;
            }
            boolean isWritten = false;
            try {
                stored.write(batch, actions);
                isWritten = true;
            } finally {
                if (isWritten) {
                    recent.saved(stored.summary().sinceMicros());
                    stored.retain(recent.written());
                } else {
                    recent.putBack(batch);
                }
            }
        } finally {
            saving.unlock();
        }
    }

    /// Saves everything, including notes that were only repeated.
    void saveAll() {
        recent.includeRepeats();
        save(savedMicros());
    }

    private long savedMicros() {
        saving.lock();
        try {
            return savedMicros;
        } finally {
            saving.unlock();
        }
    }

    /// Neither a failed save nor a failed erase must stop splits and merges.
    private static void report(String what, RuntimeException e) {
        // A system cell that takes no writes is a worse problem, which is reported elsewhere.
        LOGGER.log(
                e instanceof StatusException
                        ? System.Logger.Level.DEBUG
                        : System.Logger.Level.WARNING,
                what,
                e);
    }

    /// Erases what exceeds the limits, a part of it in one call. What cannot be erased now is
    /// erased later.
    void erase(long nowMicros) {
        saving.lock();
        try {
            long excessBytes = stored.summary().bytes() - limits.bytes();
            // The absolute difference, so that a clock that was set back delays nothing.
            boolean isTime = Math.abs(nowMicros - erasedMicros) >= ERASE_MICROS;
            if (isTime || (excessBytes > 0 && !eraseFailed)) {
                erase(nowMicros, excessBytes);
                eraseFailed = false;
            }
        } catch (RuntimeException e) {
            report("old decisions were not erased", e);
            erasedMicros = nowMicros;
            eraseFailed = true;
        } finally {
            saving.unlock();
        }
    }

    @GuardedBy("saving")
    private void erase(long nowMicros, long excessBytes) {
        DecisionExpiry expiry = expiry(nowMicros, excessBytes);
        if (!expiry.erased().isEmpty()) {
            stored.erase(expiry);
        }
        recent.expire(
                expiry.erased(), limits.oldestMicros(nowMicros), stored.summary().sinceMicros());
        stored.retain(recent.written());
        erasedMicros = expiry.isFull() ? erasedMicros : nowMicros;
    }

    @GuardedBy("saving")
    private DecisionExpiry expiry(long nowMicros, long excessBytes) {
        var expiry = new DecisionExpiry(limits, nowMicros, excessBytes);
        long from = stored.summary().first();
        boolean hasMore = true;
        while (hasMore) {
            List<StoredRow> page = stored.page(from, Long.MAX_VALUE, Direction.FORWARD);
            hasMore = !page.isEmpty() && page.stream().allMatch(row -> add(row, expiry));
            from = page.isEmpty() ? from : page.getLast().number() + 1;
        }
        return expiry;
    }

    private boolean add(StoredRow row, DecisionExpiry expiry) {
        DecisionExpiry.Row age = DecisionCodec.age(row.number(), row.data());
        Optional<TabletDecision> entry = recent.find(row.number());
        if (entry.isEmpty()) {
            return expiry.add(age);
        }
        if (entry.get().isNote()) {
            return true;
        }
        if (entry.get().state() == State.RUNNING) {
            expiry.keep(age);
            return true;
        }
        return expiry.add(
                new DecisionExpiry.Row(
                        age.number(), age.bytes(), entry.get().micros(), entry.get().lastMicros()));
    }

    /// The number of entries waiting to be saved.
    int unsaved() {
        return recent.unsaved();
    }

    /// The entries in memory, oldest first.
    List<TabletDecision> latest() {
        return recent.latest();
    }

    /// All entries with numbers from `from` (included) to `to` (excluded), in this direction. They
    /// are read when they are needed.
    DecisionCursor scan(long from, long to, Direction direction) {
        return new DecisionCursor(stored, recent.part(from, to), from, to, direction);
    }

    /// The latest decisions about keys of the range.
    DecisionAnswer about(long tableId, KeyRange range) {
        List<TabletDecision> found = new ArrayList<>();
        DecisionCursor newest = scan(1, Long.MAX_VALUE, Direction.BACKWARD);
        while (newest.hasNext() && found.size() <= MOST_SHOWN) {
            TabletDecision entry = newest.next();
            if (entry.tableId() == tableId && entry.range().intersects(range)) {
                found.add(entry);
            }
        }
        boolean hasOlder = found.size() > MOST_SHOWN;
        return new DecisionAnswer(
                (hasOlder ? found.subList(0, MOST_SHOWN) : found).reversed(),
                hasOlder,
                sinceMicros());
    }

    /// Every change that was decided at this time or later is known, if it could be saved.
    long sinceMicros() {
        return recent.sinceMicros();
    }
}
