package io.cleave.tablet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The optimistic locks of one transaction: what it has read, in which tablets, and whether someone
/// has since written there. A broken lock never mends; the transaction can then only be rolled
/// back, or commit without writes.
///
/// Threads: one transaction's thread adds and releases; any writer may break.
public final class ReadLocks {
    /// So many points of one tablet become a lock on the whole tablet.
    static final int MAX_POINTS_PER_TABLET = 10_000;

    private final List<LockTable> tables = new ArrayList<>();

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
        tables.forEach(table -> table.remove(this));
        tables.clear();
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
