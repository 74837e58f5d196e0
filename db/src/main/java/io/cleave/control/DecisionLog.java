package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.catalog.DecisionRows;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/// The latest decisions about tablets, in memory and, after [#save], in the system cell.
///
/// An entry is either a change (a split or a merge, done or attempted) or a note, which only states
/// something. A note that is repeated stays one entry. Changes and notes have separate limits: many
/// notes never push out a change, and a note that still holds is never pushed out by another.
///
/// Threads: any.
final class DecisionLog {
    /// Limit of the splits and merges kept.
    static final int CAPACITY = 1000;

    /// Limit of the notes kept. While this number of notes hold, new notes are refused.
    static final int MOST_NOTES = 500;

    /// Limit of the numbers waiting to be saved. Beyond it the oldest are forgotten: they are not
    /// saved, and their rows are not erased before the next start.
    static final int MOST_UNSAVED = 2 * (CAPACITY + MOST_NOTES);

    /// A change that failed and is retried within this time stays the same entry.
    static final long RETRY_MICROS = 600_000_000;

    /// A note that is not repeated for this long no longer holds; its next occurrence is a new
    /// entry.
    private static final long PAUSE_MICROS = 60_000_000;

    /// How often repetitions of notes are saved.
    private static final long REPEATS_MICROS = 60_000_000;

    private static final System.Logger LOGGER = System.getLogger(DecisionLog.class.getName());

    private final DecisionRows rows;

    /// Held during a save, so that a later save never writes older state.
    private final ReentrantLock saving = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    /// By number, which means oldest first.
    @GuardedBy("lock")
    private final SortedMap<Long, TabletDecision> entries = new TreeMap<>();

    /// The numbers of the entries that are notes.
    @GuardedBy("lock")
    private final SortedSet<Long> notes = new TreeSet<>();

    /// Set while there is no room for notes: until this time every note holds.
    @GuardedBy("lock")
    private long fullUntilMicros = Long.MIN_VALUE;

    /// The numbers of notes that may be repeated.
    @GuardedBy("lock")
    private final Map<Said, Long> said = new HashMap<>();

    /// The changes that failed; each has an entry.
    @GuardedBy("lock")
    private final Map<Said, Failure> failures = new HashMap<>();

    /// The numbers of the rows that are, or may be, in the system table.
    @GuardedBy("saving")
    private final SortedSet<Long> saved = new TreeSet<>();

    /// The numbers of entries that differ from their saved row, or that were removed and may have a
    /// row.
    @GuardedBy("lock")
    private final SortedSet<Long> unsaved = new TreeSet<>();

    /// The numbers of notes that were only repeated since they were saved.
    @GuardedBy("lock")
    private final SortedSet<Long> repeated = new TreeSet<>();

    @GuardedBy("lock")
    private long repeatsSavedMicros;

    @GuardedBy("lock")
    private long lastNumber;

    private record Said(long tableId, long tabletId, Rule rule, String kind) {
        static Said of(TabletDecision entry) {
            return new Said(
                    entry.tableId(),
                    entry.tabletIds().getFirst(),
                    entry.content().rule(),
                    entry.kind());
        }
    }

    /// @param times consecutive failures
    private record Failure(long number, int times) {}

    /// Starts with the saved decisions.
    DecisionLog(DecisionRows rows) {
        this.rows = rows;
        for (Map.Entry<Long, Bytes> row : rows.read().entrySet()) {
            lastNumber = row.getKey();
            saved.add(lastNumber);
            Optional<TabletDecision> stored = DecisionCodec.decode(lastNumber, row.getValue());
            if (stored.isPresent()) {
                TabletDecision entry = stored.get().found();
                entries.put(entry.number(), entry);
                if (entry.state() == State.NOTED || entry.state() == State.PLANNED) {
                    notes.add(entry.number());
                    said.put(Said.of(entry), entry.number());
                }
            }
        }
        // There are more than the limits if rows could not be erased.
        while (entries.size() - notes.size() > CAPACITY) {
            remove(oldestChange());
        }
        while (notes.size() > MOST_NOTES) {
            remove(notes.first());
        }
    }

    /// Adds a split or a merge and returns its number. A retry of a change that failed recently
    /// updates the existing entry.
    long add(TabletDecision entry) {
        lock.lock();
        try {
            Failure failure = failures.get(Said.of(entry));
            TabletDecision failed = failure == null ? null : entries.get(failure.number);
            if (failed != null && entry.micros() - failed.lastMicros() < RETRY_MICROS) {
                entries.put(failed.number(), failed.retried(entry));
                unsaved.add(failed.number());
                return failed.number();
            }
            failures.remove(Said.of(entry));
            long number = put(entry);
            if (entries.size() - notes.size() > CAPACITY) {
                remove(oldestChange());
            }
            return number;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private long put(TabletDecision entry) {
        long number = ++lastNumber;
        entries.put(number, entry.numbered(number));
        unsaved.add(number);
        return number;
    }

    @GuardedBy("lock")
    private long oldestChange() {
        for (long number : entries.keySet()) {
            if (!notes.contains(number)) {
                return number;
            }
        }
        throw new IllegalStateException("there are only notes");
    }

    @GuardedBy("lock")
    private void remove(long number) {
        entries.remove(number);
        unsaved.add(number);
        repeated.remove(number);
        if (notes.remove(number)) {
            said.values().remove(number);
        } else {
            failures.values().removeIf(failure -> failure.number == number);
        }
    }

    /// Records that the change succeeded.
    void done(long number, long tookMicros, String outcome) {
        lock.lock();
        try {
            TabletDecision entry = entries.get(number);
            if (entry != null) {
                failures.remove(Said.of(entry));
                entries.put(number, entry.ended(State.DONE, tookMicros, outcome));
                unsaved.add(number);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Records that the change failed.
    void failed(long number, long tookMicros, String why) {
        lock.lock();
        try {
            TabletDecision entry = entries.get(number);
            if (entry != null) {
                Failure before = failures.get(Said.of(entry));
                int times = before == null ? 1 : before.times + 1;
                failures.put(Said.of(entry), new Failure(number, times));
                String outcome = times == 1 ? why : "%s (%d times)".formatted(why, times);
                entries.put(number, entry.ended(State.FAILED, tookMicros, outcome));
                unsaved.add(number);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Adds a note or updates the one it repeats. Returns true if the note is new and there was
    /// room.
    boolean say(TabletDecision entry) {
        var what = Said.of(entry);
        lock.lock();
        try {
            Long number = said.get(what);
            TabletDecision before = number == null ? null : entries.get(number);
            if (before != null && holds(before, entry.micros())) {
                entries.put(before.number(), before.again(entry));
                repeated.add(before.number());
                return false;
            }
            if (!hasRoom(entry.micros())) {
                return false;
            }
            long added = put(entry);
            notes.add(added);
            said.put(what, added);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static boolean holds(TabletDecision note, long nowMicros) {
        return nowMicros - note.lastMicros() < PAUSE_MICROS;
    }

    /// Makes room for a note by removing notes that no longer hold; false if all of them hold.
    @GuardedBy("lock")
    private boolean hasRoom(long nowMicros) {
        if (notes.size() < MOST_NOTES) {
            return true;
        }
        if (nowMicros < fullUntilMicros) {
            return false;
        }
        List<Long> over = new ArrayList<>();
        long oldestMicros = Long.MAX_VALUE;
        for (long number : notes) {
            TabletDecision note = Objects.requireNonNull(entries.get(number));
            if (holds(note, nowMicros)) {
                oldestMicros = Math.min(oldestMicros, note.lastMicros());
            } else {
                over.add(number);
            }
        }
        if (over.isEmpty()) {
            fullUntilMicros = oldestMicros + PAUSE_MICROS;
            return false;
        }
        // Only as many as needed: they are still useful as history.
        for (long number : over.subList(0, Math.min(over.size(), notes.size() - MOST_NOTES + 1))) {
            remove(number);
        }
        return notes.size() < MOST_NOTES;
    }

    void change(long number, UnaryOperator<TabletDecision> change) {
        lock.lock();
        try {
            if (entries.computeIfPresent(number, (_, entry) -> change.apply(entry)) != null) {
                unsaved.add(number);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes new entries durable. Entries that cannot be saved now are saved by the next call.
    void save(long nowMicros) {
        saving.lock();
        try {
            saveNew(nowMicros);
        } finally {
            saving.unlock();
        }
    }

    @GuardedBy("saving")
    private void saveNew(long nowMicros) {
        List<Long> taken = new ArrayList<>();
        List<TabletDecision> kept = new ArrayList<>();
        lock.lock();
        try {
            // The absolute difference, so that a clock that was set back does not delay the save.
            if (Math.abs(nowMicros - repeatsSavedMicros) >= REPEATS_MICROS) {
                repeatsSavedMicros = nowMicros;
                unsaved.addAll(repeated);
                repeated.clear();
            }
            taken.addAll(unsaved);
            unsaved.clear();
            for (long number : taken) {
                TabletDecision entry = entries.get(number);
                if (entry != null) {
                    kept.add(entry);
                }
            }
        } finally {
            lock.unlock();
        }
        try {
            write(taken, kept);
        } catch (StatusException e) {
            // The system cell takes no writes, which is a worse problem than unsaved decisions.
            LOGGER.log(System.Logger.Level.DEBUG, "decisions were not saved", e);
            putBack(taken);
        } catch (RuntimeException e) {
            // A failed save must not stop splits and merges.
            LOGGER.log(System.Logger.Level.WARNING, "decisions could not be saved", e);
            putBack(taken);
        }
    }

    @GuardedBy("saving")
    private void write(Collection<Long> taken, List<TabletDecision> kept) {
        SortedMap<Long, Bytes> puts = new TreeMap<>();
        for (TabletDecision entry : kept) {
            DecisionCodec.encode(entry).ifPresent(data -> puts.put(entry.number(), data));
        }
        List<Long> removals = new ArrayList<>();
        for (long number : taken) {
            if (saved.contains(number) && !puts.containsKey(number)) {
                removals.add(number);
            }
        }
        // Before the write: a commit that reports a failure may still have written the rows.
        saved.addAll(puts.keySet());
        rows.change(puts, removals);
        saved.removeAll(removals);
    }

    @GuardedBy("saving")
    private void putBack(Collection<Long> taken) {
        lock.lock();
        try {
            unsaved.addAll(taken);
            while (unsaved.size() > MOST_UNSAVED) {
                unsaved.removeFirst();
            }
            Set<Long> needed = new HashSet<>(entries.keySet());
            needed.addAll(unsaved);
            saved.retainAll(needed);
        } finally {
            lock.unlock();
        }
    }

    /// Saves everything, including notes that were only repeated.
    void saveAll() {
        lock.lock();
        try {
            unsaved.addAll(repeated);
            repeated.clear();
        } finally {
            lock.unlock();
        }
        save(repeatsSavedMicros());
    }

    private long repeatsSavedMicros() {
        lock.lock();
        try {
            return repeatsSavedMicros;
        } finally {
            lock.unlock();
        }
    }

    /// The number of entries waiting to be saved.
    int unsaved() {
        lock.lock();
        try {
            return unsaved.size();
        } finally {
            lock.unlock();
        }
    }

    /// Oldest first.
    List<TabletDecision> list() {
        lock.lock();
        try {
            return List.copyOf(entries.values());
        } finally {
            lock.unlock();
        }
    }

    /// The decisions about keys of the range, oldest first.
    List<TabletDecision> list(long tableId, KeyRange range) {
        return list().stream()
                .filter(entry -> entry.tableId() == tableId && entry.range().intersects(range))
                .toList();
    }
}
