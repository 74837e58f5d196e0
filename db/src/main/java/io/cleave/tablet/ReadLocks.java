package io.cleave.tablet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/// The optimistic locks of one transaction: what it has read, in which tablets, and whether someone
/// has since written there. A broken lock never mends; the transaction can then only be rolled
/// back, or commit without writes.
///
/// Threads: one transaction's thread adds and releases; any writer may break.
public final class ReadLocks {
    /// So many points of one tablet become a lock on the whole tablet.
    static final int MAX_POINTS_PER_TABLET = 10_000;

    private final List<LockTable> tables = new ArrayList<>();

    /// The transaction itself, and every cell in which they are pinned.
    private final AtomicInteger holders = new AtomicInteger(1);

    /// The table where it was first broken; null while whole.
    private volatile @Nullable Long brokenTableId;

    /// Whether it was broken although nobody has written: a tablet was moved, and the lock could
    /// not go along.
    private volatile boolean lostByMove;

    /// The id of the table in which another has written what this transaction read, or null.
    public @Nullable Long brokenTableId() {
        return brokenTableId;
    }

    public boolean broken() {
        return brokenTableId != null;
    }

    public boolean lostByMove() {
        return lostByMove;
    }

    /// The cells that have some of them.
    public Set<Long> cellIds() {
        Set<Long> ids = new TreeSet<>();
        for (LockTable table : tables) {
            if (table.holds(this)) {
                ids.add(table.engagements().cellId());
            }
        }
        return ids;
    }

    /// Whether no other cell has any.
    boolean isWithin(long cellId) {
        for (LockTable table : tables) {
            if (table.engagements().cellId() != cellId && table.holds(this)) {
                return false;
            }
        }
        return true;
    }

    /// What holds them in one cell.
    List<LockTable> tablesIn(long cellId) {
        return tables.stream()
                .filter(table -> table.engagements().cellId() == cellId && table.holds(this))
                .toList();
    }

    /// Gives up all locks: the transaction has ended. Where they are pinned, nobody knows yet how;
    /// they stay until that is known.
    public void release() {
        letGo();
    }

    void pin() {
        holders.incrementAndGet();
    }

    void unpin() {
        letGo();
    }

    private void letGo() {
        if (holders.decrementAndGet() == 0) {
            tables.forEach(table -> table.remove(this));
            tables.clear();
        }
    }

    void breakIn(long tableId) {
        if (brokenTableId == null) {
            brokenTableId = tableId;
        }
    }

    void loseByMove(long tableId) {
        lostByMove = brokenTableId == null;
        breakIn(tableId);
    }

    void remember(LockTable table) {
        tables.add(table);
    }
}
