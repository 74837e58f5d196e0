package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.catalog.DecisionRows;
import io.cleave.cluster.PartitionDecision.State;
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

/// The last decisions about tablets. They are kept in memory and, from [#save] on, in the system
/// cell.
///
/// What is done, or was to be, is one kind of entry; the other are notes, which only say something,
/// and are one entry for as long as they are said again and again. Each kind has its own bound:
/// notes of many tablets push out no split or merge, nor one another while they hold.
///
/// Threads: any.
final class DecisionLog {
    /// Of splits and merges.
    static final int CAPACITY = 1000;

    /// While so many hold, there are no new ones.
    static final int MOST_NOTES = 500;

    /// Numbers that wait to be saved. Beyond them the oldest are not saved, nor are their rows
    /// erased before the next start.
    static final int MOST_UNSAVED = 2 * (CAPACITY + MOST_NOTES);

    /// What has failed and is tried again within this time is the same entry.
    static final long RETRY_MICROS = 600_000_000;

    /// What was not said for so long holds no longer, and is a new entry when it is said again.
    private static final long PAUSE_MICROS = 60_000_000;

    /// That something was said again is saved so often.
    private static final long REPEATS_MICROS = 60_000_000;

    private static final System.Logger LOGGER = System.getLogger(DecisionLog.class.getName());

    private final DecisionRows rows;

    /// Of who saves, until it is saved: what is saved later is newer.
    private final ReentrantLock saving = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    /// By number, and so the oldest first.
    @GuardedBy("lock")
    private final SortedMap<Long, PartitionDecision> entries = new TreeMap<>();

    /// The numbers of notes.
    @GuardedBy("lock")
    private final SortedSet<Long> notes = new TreeSet<>();

    /// While there is no room for notes: until then all that are there hold.
    @GuardedBy("lock")
    private long fullUntilMicros = Long.MIN_VALUE;

    /// The numbers of what may be said again.
    @GuardedBy("lock")
    private final Map<Said, Long> said = new HashMap<>();

    /// Of changes that have failed; each is an entry.
    @GuardedBy("lock")
    private final Map<Said, Failure> failures = new HashMap<>();

    /// Of rows that are or may be there.
    @GuardedBy("saving")
    private final SortedSet<Long> saved = new TreeSet<>();

    /// The numbers of what is not saved as it is, or may be saved and is no longer kept.
    @GuardedBy("lock")
    private final SortedSet<Long> unsaved = new TreeSet<>();

    /// Those of what was only said again since it was saved.
    @GuardedBy("lock")
    private final SortedSet<Long> repeated = new TreeSet<>();

    @GuardedBy("lock")
    private long repeatsSavedMicros;

    @GuardedBy("lock")
    private long lastNumber;

    private record Said(long tableId, long tabletId, Rule rule, String kind) {
        static Said of(PartitionDecision entry) {
            return new Said(
                    entry.tableId(),
                    entry.tabletIds().getFirst(),
                    entry.content().rule(),
                    entry.kind());
        }
    }

    /// @param times one after the other
    private record Failure(long number, int times) {}

    /// With what is saved there.
    DecisionLog(DecisionRows rows) {
        this.rows = rows;
        for (Map.Entry<Long, Bytes> row : rows.read().entrySet()) {
            lastNumber = row.getKey();
            saved.add(lastNumber);
            Optional<PartitionDecision> stored = DecisionCodec.decode(lastNumber, row.getValue());
            if (stored.isPresent()) {
                PartitionDecision entry = stored.get().found();
                entries.put(entry.number(), entry);
                if (entry.state() == State.NOTED || entry.state() == State.PLANNED) {
                    notes.add(entry.number());
                    said.put(Said.of(entry), entry.number());
                }
            }
        }
        // There are more if they could not be erased.
        while (entries.size() - notes.size() > CAPACITY) {
            remove(oldestChange());
        }
        while (notes.size() > MOST_NOTES) {
            remove(notes.first());
        }
    }

    /// Adds a split or a merge; returns its number. One that has failed a while ago is that entry
    /// again.
    long add(PartitionDecision entry) {
        lock.lock();
        try {
            Failure failure = failures.get(Said.of(entry));
            PartitionDecision failed = failure == null ? null : entries.get(failure.number);
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
    private long put(PartitionDecision entry) {
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

    /// What was added is done.
    void done(long number, long tookMicros, String outcome) {
        lock.lock();
        try {
            PartitionDecision entry = entries.get(number);
            if (entry != null) {
                failures.remove(Said.of(entry));
                entries.put(number, entry.ended(State.DONE, tookMicros, outcome));
                unsaved.add(number);
            }
        } finally {
            lock.unlock();
        }
    }

    /// What was added could not be done.
    void failed(long number, long tookMicros, String why) {
        lock.lock();
        try {
            PartitionDecision entry = entries.get(number);
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

    /// Notes what may have been said before; true if it was not, and there was room.
    boolean say(PartitionDecision entry) {
        var what = Said.of(entry);
        lock.lock();
        try {
            Long number = said.get(what);
            PartitionDecision before = number == null ? null : entries.get(number);
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

    private static boolean holds(PartitionDecision note, long nowMicros) {
        return nowMicros - note.lastMicros() < PAUSE_MICROS;
    }

    /// Makes room for a note, if it is not full of those that hold.
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
            PartitionDecision note = Objects.requireNonNull(entries.get(number));
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
        // No more than has to be: they tell of the past.
        for (long number : over.subList(0, Math.min(over.size(), notes.size() - MOST_NOTES + 1))) {
            remove(number);
        }
        return notes.size() < MOST_NOTES;
    }

    void change(long number, UnaryOperator<PartitionDecision> change) {
        lock.lock();
        try {
            if (entries.computeIfPresent(number, (_, entry) -> change.apply(entry)) != null) {
                unsaved.add(number);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes durable what is new. What cannot be saved now is saved with the next.
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
        List<PartitionDecision> kept = new ArrayList<>();
        lock.lock();
        try {
            // A clock that was set back is no reason to wait for it.
            if (Math.abs(nowMicros - repeatsSavedMicros) >= REPEATS_MICROS) {
                repeatsSavedMicros = nowMicros;
                unsaved.addAll(repeated);
                repeated.clear();
            }
            taken.addAll(unsaved);
            unsaved.clear();
            for (long number : taken) {
                PartitionDecision entry = entries.get(number);
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
            // The system cell takes nothing: whatever else is wrong, this is not the worst of it.
            LOGGER.log(System.Logger.Level.DEBUG, "decisions were not saved", e);
            putBack(taken);
        } catch (RuntimeException e) {
            // Tablets are split and merged all the same.
            LOGGER.log(System.Logger.Level.WARNING, "decisions could not be saved", e);
            putBack(taken);
        }
    }

    @GuardedBy("saving")
    private void write(Collection<Long> taken, List<PartitionDecision> kept) {
        SortedMap<Long, Bytes> puts = new TreeMap<>();
        for (PartitionDecision entry : kept) {
            DecisionCodec.encode(entry).ifPresent(data -> puts.put(entry.number(), data));
        }
        List<Long> removals = new ArrayList<>();
        for (long number : taken) {
            if (saved.contains(number) && !puts.containsKey(number)) {
                removals.add(number);
            }
        }
        // Before: a commit that fails may be there all the same.
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

    /// The same with all that was only said again.
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

    /// How many numbers wait to be saved.
    int unsaved() {
        lock.lock();
        try {
            return unsaved.size();
        } finally {
            lock.unlock();
        }
    }

    /// The oldest first.
    List<PartitionDecision> list() {
        lock.lock();
        try {
            return List.copyOf(entries.values());
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
