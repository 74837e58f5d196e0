package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.Rule;
import io.cleave.control.TabletDecision.State;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/// The decisions in memory: the latest changes, all notes, and whatever is not saved yet.
///
/// An entry is either a change (a split or a merge, done or attempted) or a note, which only states
/// something. A note that is repeated stays one entry. Changes and notes have separate limits: many
/// notes never push out a change, and a note that still holds is never pushed out by another.
///
/// Threads: any.
final class RecentDecisions {
    /// Limit of the notes kept. While this number of notes hold, new notes are refused.
    static final int MOST_NOTES = 500;

    /// Limit of the changes that cannot be saved, beyond those that stay in memory anyway. Beyond
    /// it the oldest are forgotten.
    static final int MOST_UNSAVED = 2000;

    /// Limit of the notes whose rows are to be removed. Beyond it the rows of the oldest stay until
    /// they are too old.
    private static final int MOST_REMOVED = 2 * MOST_NOTES;

    /// A change that failed and is retried within this time stays the same entry.
    static final long RETRY_MICROS = 600_000_000;

    /// A note that is not repeated for this long no longer holds; its next occurrence is a new
    /// entry.
    private static final long PAUSE_MICROS = 60_000_000;

    /// How often repetitions of notes are saved.
    private static final long REPEATS_MICROS = 60_000_000;

    /// Limit of the changes that are saved.
    private final int mostSaved;

    private final ReentrantLock lock = new ReentrantLock();

    /// By number, which means oldest first.
    @GuardedBy("lock")
    private final NavigableMap<Long, TabletDecision> entries = new TreeMap<>();

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

    /// The numbers of entries that differ from their saved row.
    @GuardedBy("lock")
    private final SortedSet<Long> unsaved = new TreeSet<>();

    /// The numbers of notes that were removed and may have a row.
    @GuardedBy("lock")
    private final SortedSet<Long> removed = new TreeSet<>();

    /// The numbers of notes that were only repeated since they were saved.
    @GuardedBy("lock")
    private final SortedSet<Long> repeated = new TreeSet<>();

    @GuardedBy("lock")
    private long repeatsSavedMicros;

    @GuardedBy("lock")
    private long lastNumber;

    /// Every change that was decided at this time or later is or will be saved.
    @GuardedBy("lock")
    private long sinceMicros;

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

    /// Starts with these entries, which are saved.
    RecentDecisions(List<TabletDecision> saved, DecisionSummary summary, int mostSaved) {
        this.mostSaved = mostSaved;
        lastNumber = summary.last();
        sinceMicros = summary.sinceMicros();
        for (TabletDecision entry : saved) {
            entries.put(entry.number(), entry);
            if (entry.isNote()) {
                notes.add(entry.number());
            }
        }
        // By number, so that the latest of equal notes is the one that may be repeated.
        for (long number : notes) {
            said.put(Said.of(Objects.requireNonNull(entries.get(number))), number);
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
            if (changes() > mostSaved + MOST_UNSAVED) {
                forgetOldestChange();
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
    private int changes() {
        return entries.size() - notes.size();
    }

    @GuardedBy("lock")
    private void forgetOldestChange() {
        for (TabletDecision entry : entries.values()) {
            if (!entry.isNote() && entry.state() != State.RUNNING) {
                if (unsaved.contains(entry.number())) {
                    sinceMicros = Math.max(sinceMicros, entry.micros() + 1);
                }
                remove(entry.number());
                return;
            }
        }
    }

    @GuardedBy("lock")
    private void remove(long number) {
        entries.remove(number);
        unsaved.remove(number);
        repeated.remove(number);
        if (notes.remove(number)) {
            said.values().remove(number);
            removed.add(number);
            if (removed.size() > MOST_REMOVED) {
                removed.removeFirst();
            }
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

    /// What is not saved.
    ///
    /// @param removed the numbers of notes whose rows are to be removed
    /// @param notes the numbers of all notes in memory
    /// @param sinceMicros every change that was decided at this time or later is saved or here
    record Batch(
            List<TabletDecision> entries, List<Long> removed, List<Long> notes, long sinceMicros) {
        boolean isEmpty() {
            return entries.isEmpty() && removed.isEmpty();
        }
    }

    /// What is not saved, and counts as saved from now on. Repetitions of notes are only included
    /// from time to time.
    Batch take(long nowMicros) {
        lock.lock();
        try {
            // The absolute difference, so that a clock that was set back does not delay the save.
            if (Math.abs(nowMicros - repeatsSavedMicros) >= REPEATS_MICROS) {
                repeatsSavedMicros = nowMicros;
                unsaved.addAll(repeated);
                repeated.clear();
            }
            List<TabletDecision> taken = new ArrayList<>();
            for (long number : unsaved) {
                taken.add(Objects.requireNonNull(entries.get(number)));
            }
            var batch = new Batch(taken, List.copyOf(removed), List.copyOf(notes), sinceMicros);
            unsaved.clear();
            removed.clear();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// What was taken could not be saved.
    void putBack(Batch batch) {
        lock.lock();
        try {
            for (TabletDecision entry : batch.entries) {
                if (entries.containsKey(entry.number())) {
                    unsaved.add(entry.number());
                } else if (!entry.isNote()) {
                    // It was forgotten during the write.
                    sinceMicros = Math.max(sinceMicros, entry.micros() + 1);
                }
            }
            removed.addAll(batch.removed);
            while (removed.size() > MOST_REMOVED) {
                removed.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Everything that was taken is saved, and every change since this time. Removes the oldest
    /// saved changes. A change that is running stays, because its end is not known yet.
    void saved(long savedSinceMicros) {
        lock.lock();
        try {
            sinceMicros = Math.max(sinceMicros, savedSinceMicros);
            int surplus = changes() - mostSaved;
            if (surplus <= 0) {
                return;
            }
            for (TabletDecision entry : List.copyOf(entries.values())) {
                boolean isSaved = !unsaved.contains(entry.number());
                boolean isRunning = entry.state() == State.RUNNING;
                if (surplus > 0 && isSaved && !isRunning && !entry.isNote()) {
                    remove(entry.number());
                    surplus--;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Removes these changes, whose rows were erased, and the notes that were last repeated before
    /// `oldestMicros`.
    void expire(Collection<Long> erased, long oldestMicros, long savedSinceMicros) {
        lock.lock();
        try {
            for (long number : erased) {
                if (entries.containsKey(number)) {
                    remove(number);
                }
            }
            for (long number : List.copyOf(notes)) {
                if (Objects.requireNonNull(entries.get(number)).lastMicros() < oldestMicros) {
                    remove(number);
                }
            }
            sinceMicros = Math.max(sinceMicros, savedSinceMicros);
        } finally {
            lock.unlock();
        }
    }

    Optional<TabletDecision> find(long number) {
        lock.lock();
        try {
            return Optional.ofNullable(entries.get(number));
        } finally {
            lock.unlock();
        }
    }

    /// The numbers of the rows that may be written or removed again.
    Set<Long> written() {
        lock.lock();
        try {
            Set<Long> written = new HashSet<>(entries.keySet());
            written.addAll(removed);
            return written;
        } finally {
            lock.unlock();
        }
    }

    /// The entries of a range of numbers.
    ///
    /// @param removed the numbers of notes that were removed, and may still have rows
    record Part(NavigableMap<Long, TabletDecision> entries, Set<Long> removed) {}

    Part part(long from, long to) {
        lock.lock();
        try {
            return new Part(
                    from >= to ? new TreeMap<>() : new TreeMap<>(entries.subMap(from, to)),
                    Set.copyOf(removed));
        } finally {
            lock.unlock();
        }
    }

    /// The next [#take] includes notes that were only repeated.
    void includeRepeats() {
        lock.lock();
        try {
            unsaved.addAll(repeated);
            repeated.clear();
        } finally {
            lock.unlock();
        }
    }

    /// The number of entries waiting to be saved.
    int unsaved() {
        lock.lock();
        try {
            return unsaved.size() + removed.size();
        } finally {
            lock.unlock();
        }
    }

    /// Oldest first.
    List<TabletDecision> latest() {
        lock.lock();
        try {
            return List.copyOf(entries.values());
        } finally {
            lock.unlock();
        }
    }

    /// Every change that was decided at this time or later is known, if it could be saved.
    long sinceMicros() {
        lock.lock();
        try {
            return sinceMicros;
        } finally {
            lock.unlock();
        }
    }
}
