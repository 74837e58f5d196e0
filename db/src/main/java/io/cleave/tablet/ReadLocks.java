package io.cleave.tablet;

import org.jspecify.annotations.Nullable;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The optimistic locks of one transaction: what it has read, in which tablets, and whether someone
/// has since written there. A broken lock never mends; the transaction can then only be rolled
/// back, or commit without writes.
///
/// Threads: one transaction's thread adds and releases; any writer may break, and hand locks on to
/// other tablets.
public final class ReadLocks {
    /// So many points of one tablet become a lock on the whole tablet.
    static final int MAX_POINTS_PER_TABLET = 10_000;

    private final Queue<LockTable> tables = new ConcurrentLinkedQueue<>();

    /// Set before the locks go, so that a tablet which hands them on at this moment sees it.
    private volatile boolean released;

    /// The table where it was first broken; null while whole.
    private volatile @Nullable Long brokenTableId;

    /// The id of the table in which another has written what this transaction read, or null.
    public @Nullable Long brokenTableId() {
        return brokenTableId;
    }

    public boolean broken() {
        return brokenTableId != null;
    }

    /// Gives up all locks: the transaction has ended.
    public void release() {
        released = true;
        tables.forEach(table -> table.remove(this));
        tables.clear();
    }

    boolean released() {
        return released;
    }

    void breakIn(long tableId) {
        if (brokenTableId == null) {
            brokenTableId = tableId;
        }
    }

    void remember(LockTable table) {
        tables.add(table);
    }
}
