package io.cleave.tablet.lock;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowLock;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/// What multi-cell transactions hold in one tablet between prepare and outcome: *intents* on the
/// keys that they write, and *pins* on what they have read. Writes of other transactions wait for
/// both. A transaction that has read a key with another's intent waits for it when it commits.
/// Plain reads wait for nothing.
///
/// Threads: under the cell's lock.
public final class Engagements {
    /// The id of a transaction that holds nothing.
    public static final long NOBODY = 0;

    private final long cellId;
    private final LockTable locks;

    /// From key to the transaction that intends to write it.
    private final TreeMap<Bytes, Long> intents = new TreeMap<>();

    /// From transaction id to the pinned read locks.
    private final Map<Long, ReadLocks> pins = new HashMap<>();

    /// Ids of all transactions that hold something here.
    private final Set<Long> engaged = new HashSet<>();

    /// The size of `engaged`, for threads that do not hold the lock.
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

    /// May be called from any thread.
    public int count() {
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

    /// The transactions that hold something now.
    public Set<Long> transactionIds() {
        return Set.copyOf(engaged);
    }

    public boolean holdsAny(Set<Long> transactionIds) {
        return !Collections.disjoint(engaged, transactionIds);
    }

    public boolean isEmpty() {
        return intents.isEmpty() && pins.isEmpty();
    }

    /// Refuses prepares from now on: the tablet is about to be split, merged or moved.
    public void close() {
        closed = true;
    }

    public void open() {
        closed = false;
    }

    /// Marks whether the tablet is on its way to another cell.
    public void seal(boolean newSealed) {
        sealed = newSealed;
    }

    public boolean isClosed() {
        return closed || sealed;
    }

    boolean isSealed() {
        return sealed;
    }

    /// Whether another transaction has an intent or a pin on a key that is to be written.
    public boolean hinderWrites(long transactionId, List<KeyedChange> changes) {
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

    /// Whether another transaction has an intent on a row that is to be locked.
    public boolean hinderLocks(long transactionId, List<RowLock> rowLocks) {
        if (isEmpty()) {
            return false;
        }
        for (RowLock rowLock : rowLocks) {
            if (intents.getOrDefault(rowLock.key(), transactionId) != transactionId) {
                return true;
            }
        }
        return false;
    }

    /// Whether another transaction has an intent on something that the owner has read.
    public boolean hinderReads(long transactionId, ReadLocks owner) {
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

    /// Whether any transaction has an intent or a pin in the range.
    public boolean hinder(KeyRange range) {
        if (isEmpty()) {
            return false;
        }
        Bytes to = range.to();
        NavigableMap<Bytes, Long> inside = intents.tailMap(range.from(), true);
        return !(to == null ? inside : inside.headMap(to, false)).isEmpty()
                || pins.values().stream().anyMatch(owner -> locks.holdsAny(owner, range));
    }

    public void intend(long transactionId, List<KeyedChange> changes) {
        engage(transactionId);
        changes.forEach(change -> intents.put(change.key(), transactionId));
    }

    /// Rows that are locked without a write also keep other transactions away.
    public void intendLocks(long transactionId, List<RowLock> rowLocks) {
        rowLocks.forEach(rowLock -> intents.put(rowLock.key(), transactionId));
    }

    public void releaseLocks(long transactionId, List<RowLock> rowLocks) {
        rowLocks.forEach(rowLock -> intents.remove(rowLock.key(), transactionId));
    }

    public void pin(long transactionId, ReadLocks owner) {
        engage(transactionId);
        pins.put(transactionId, owner);
    }

    public void release(long transactionId, List<KeyedChange> changes) {
        disengage(transactionId);
        changes.forEach(change -> intents.remove(change.key(), transactionId));
    }

    public void unpin(long transactionId) {
        disengage(transactionId);
        pins.remove(transactionId);
    }
}
