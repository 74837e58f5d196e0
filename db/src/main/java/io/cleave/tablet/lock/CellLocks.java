package io.cleave.tablet.lock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The owners of read locks in the tablets of one cell, by their ids.
///
/// An owner is added with its first lock in a tablet of the cell, also if the tablet brings the
/// lock along from another cell. It stays until its transaction has ended, even if its locks have
/// moved away: one of them may have been broken here.
///
/// Threads: any.
public final class CellLocks {
    private final long cellId;
    private final Map<Long, ReadLocks> owners = new ConcurrentHashMap<>();

    public CellLocks(long cellId) {
        this.cellId = cellId;
    }

    long cellId() {
        return cellId;
    }

    void add(ReadLocks owner) {
        owners.put(owner.id(), owner);
    }

    void remove(ReadLocks owner) {
        owners.remove(owner.id());
    }

    /// Whether no transaction that is open has ever had a lock in this cell.
    public boolean isEmpty() {
        return owners.isEmpty();
    }

    /// The locks of the owner; none if it never had one in this cell.
    public ReadLocks find(long ownerId) {
        ReadLocks found = owners.get(ownerId);
        return found == null ? new ReadLocks() : found;
    }
}
