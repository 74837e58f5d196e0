package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.TabletWrites.KeyedChange;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/// What transactions over several cells hold in one tablet between their prepare and their outcome:
/// *intents* on the keys that they write, and *pins* on what they have read. Another's write waits
/// for both; another's read that is to be committed waits for intents; plain reads wait for
/// nothing.
///
/// Threads: under the cell's lock.
final class Engagements {
    /// As the id of a transaction that holds nothing.
    static final long NOBODY = 0;

    private final long cellId;
    private final LockTable locks;

    /// Who will write the key, or not.
    private final TreeMap<Bytes, Long> intents = new TreeMap<>();

    /// Whose locks are pinned.
    private final Map<Long, ReadLocks> pins = new HashMap<>();

    /// Everyone who has something here.
    private final Set<Long> engaged = new HashSet<>();

    /// How many they are, for those who do not hold the lock.
    private volatile int count;

    private boolean closed;
    private boolean sealed;

    Engagements(long cellId, LockTable locks) {
        this.cellId = cellId;
        this.locks = locks;
    }

    long cellId() {
        return cellId;
    }

    /// From any thread.
    int count() {
        return count;
    }

    private void engage(long transactionId) {
        engaged.add(transactionId);
        count = engaged.size();
    }

    private void disengage(long transactionId) {
        engaged.remove(transactionId);
        count = engaged.size();
    }

    boolean isEmpty() {
        return intents.isEmpty() && pins.isEmpty();
    }

    /// No more prepares: the tablet is about to be changed.
    void close() {
        closed = true;
    }

    void open() {
        closed = false;
    }

    /// The tablet is on its way to another cell.
    void seal(boolean newSealed) {
        sealed = newSealed;
    }

    boolean isClosed() {
        return closed || sealed;
    }

    boolean isSealed() {
        return sealed;
    }

    /// Whether another's intent or pin is on a key that is to be written.
    boolean hinderWrites(long transactionId, List<KeyedChange> changes) {
        if (isEmpty()) {
            return false;
        }
        for (KeyedChange change : changes) {
            if (intents.getOrDefault(change.key(), transactionId) != transactionId) {
                return true;
            }
            for (Map.Entry<Long, ReadLocks> pin : pins.entrySet()) {
                if (pin.getKey() != transactionId && locks.holds(pin.getValue(), change.key())) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether another's intent is on something that the owner has read.
    boolean hinderReads(long transactionId, ReadLocks owner) {
        if (intents.isEmpty()) {
            return false;
        }
        List<Bytes> foreign =
                intents.entrySet().stream()
                        .filter(intent -> intent.getValue() != transactionId)
                        .map(Map.Entry::getKey)
                        .toList();
        return locks.holdsAny(owner, foreign);
    }

    /// Whether anyone's intent or pin is in the range.
    boolean hinder(KeyRange range) {
        if (isEmpty()) {
            return false;
        }
        Bytes to = range.to();
        NavigableMap<Bytes, Long> inside = intents.tailMap(range.from(), true);
        return !(to == null ? inside : inside.headMap(to, false)).isEmpty()
                || pins.values().stream().anyMatch(owner -> locks.holdsAny(owner, range));
    }

    void intend(long transactionId, List<KeyedChange> changes) {
        engage(transactionId);
        changes.forEach(change -> intents.put(change.key(), transactionId));
    }

    void pin(long transactionId, ReadLocks owner) {
        engage(transactionId);
        pins.put(transactionId, owner);
    }

    void release(long transactionId, List<KeyedChange> changes) {
        disengage(transactionId);
        changes.forEach(change -> intents.remove(change.key(), transactionId));
    }

    void unpin(long transactionId) {
        disengage(transactionId);
        pins.remove(transactionId);
    }
}
