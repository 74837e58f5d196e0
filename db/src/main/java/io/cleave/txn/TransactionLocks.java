package io.cleave.txn;

import io.cleave.memory.MemoryPool;
import io.cleave.tablet.CellService;
import io.cleave.tablet.lock.LockOwner;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The read locks of a transaction, as far as the transaction knows of them: their owner, and the
/// cells that have some. The locks themselves are in the cells.
///
/// Threads: one at a time.
final class TransactionLocks {
    private final LockOwner owner;

    /// The cells in which something was locked.
    private final List<CellService> cells = new ArrayList<>(1);

    /// The ids of the cells that have locks, as a multi-cell commit has found.
    private Set<Long> found = Set.of();

    /// Whether locks have moved to cells that are not known.
    private boolean haveMoved;

    TransactionLocks(MemoryPool pool) {
        this(LockOwner.of(pool));
    }

    TransactionLocks(LockOwner owner) {
        this.owner = owner;
    }

    LockOwner owner() {
        return owner;
    }

    /// Must be called before a read that locks something in the cell.
    LockOwner in(CellService cell) {
        if (!cells.contains(cell)) {
            cells.add(cell);
        }
        return owner;
    }

    static @Nullable LockOwner in(CellService cell, @Nullable TransactionLocks locks) {
        return locks == null ? null : locks.in(cell);
    }

    /// Whether no other cell has locks.
    boolean isWithin(long cellId) {
        for (CellService cell : cells) {
            if (cell.id() != cellId) {
                return false;
            }
        }
        return !haveMoved;
    }

    /// The cells that may have locks, in the order of their ids.
    SortedSet<Long> cellIds() {
        SortedSet<Long> ids = new TreeSet<>(found);
        cells.forEach(cell -> ids.add(cell.id()));
        return ids;
    }

    /// A multi-cell commit was told that locks are in these cells.
    void found(Set<Long> inCells) {
        Set<Long> all = new TreeSet<>(found);
        all.addAll(inCells);
        found = all;
    }

    /// A cell has told that locks are no longer there. A multi-cell commit finds out where they
    /// are.
    void moved() {
        haveMoved = true;
    }

    void countAll() {
        cells.forEach(cell -> cell.countLocks(owner.id()));
    }

    void release() {
        cells.forEach(cell -> cell.releaseLocks(owner.id()));
    }
}
