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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/// The last decisions about tablets. What is said again and again is one entry. They are kept in
/// memory and, from [#save] on, in the system cell.
///
/// Threads: any.
final class DecisionLog {
    static final int CAPACITY = 1000;

    /// What was not said for so long is a new entry when it is said again.
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

    /// The numbers of what may be said again.
    @GuardedBy("lock")
    private final Map<Said, Long> said = new HashMap<>();

    /// The numbers of what is not saved as it is, or is saved and no longer kept.
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

    /// With what is saved there.
    DecisionLog(DecisionRows rows) {
        this.rows = rows;
        for (Map.Entry<Long, Bytes> row : rows.read().entrySet()) {
            lastNumber = row.getKey();
            Optional<PartitionDecision> stored = DecisionCodec.decode(lastNumber, row.getValue());
            if (stored.isPresent()) {
                PartitionDecision entry = stored.get().found();
                entries.put(entry.number(), entry);
                if (entry.state() == State.NOTED || entry.state() == State.PLANNED) {
                    said.put(Said.of(entry), entry.number());
                }
            }
        }
    }

    /// Returns its number.
    long add(PartitionDecision entry) {
        lock.lock();
        try {
            long number = ++lastNumber;
            entries.put(number, entry.numbered(number));
            unsaved.add(number);
            while (entries.size() > CAPACITY) {
                long oldest = entries.firstKey();
                entries.remove(oldest);
                unsaved.add(oldest);
                repeated.remove(oldest);
                said.values().removeIf(at -> at == oldest);
            }
            return number;
        } finally {
            lock.unlock();
        }
    }

    /// Notes what may have been said before; true if it was not.
    boolean say(PartitionDecision entry) {
        var what = Said.of(entry);
        lock.lock();
        try {
            Long number = said.get(what);
            PartitionDecision before = number == null ? null : entries.get(number);
            if (before != null && entry.micros() - before.lastMicros() < PAUSE_MICROS) {
                entries.put(before.number(), before.again(entry));
                repeated.add(before.number());
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

    private void write(Collection<Long> taken, List<PartitionDecision> kept) {
        SortedMap<Long, Bytes> puts = new TreeMap<>();
        for (PartitionDecision entry : kept) {
            DecisionCodec.encode(entry).ifPresent(data -> puts.put(entry.number(), data));
        }
        rows.change(puts, taken.stream().filter(number -> !puts.containsKey(number)).toList());
    }

    private void putBack(Collection<Long> taken) {
        lock.lock();
        try {
            unsaved.addAll(taken);
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
