package io.cleave.tablet;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// The optimistic locks of one transaction: what it has read, in which tablets, and whether someone
/// has since written there. A broken lock never mends; the transaction can then only be rolled
/// back, or commit without writes.
///
/// Threads: one transaction's thread adds and releases; any writer may break, and hand locks on to
/// other tablets.
public final class ReadLocks {
    /// So many points of one tablet become a lock on the whole tablet.
    static final int MAX_POINTS_PER_TABLET = 10_000;

    /// Of one transaction, in all tablets together.
    public static final int MAX_LOCKS = 100_000;

    /// What a lock takes in memory, its key included.
    private static final int LOCK_BYTES = 256;

    /// So many locks are not counted in the pool: most transactions have no more.
    private static final int UNCOUNTED_LOCKS = 64;

    /// The pool is asked for so many at once.
    private static final int LOCKS_A_STEP = 256;

    /// Null where nobody reads much.
    private final @Nullable MemoryPool pool;

    private final AtomicInteger count = new AtomicInteger();

    /// How many of them are taken from the pool.
    private final AtomicInteger pooledCount = new AtomicInteger();

    private final Queue<LockTable> tables = new ConcurrentLinkedQueue<>();

    /// Set before the locks go, so that a tablet which hands them on at this moment sees it.
    private volatile boolean released;

    /// Those in which a commit over several cells holds them.
    private final Set<LockTable> pinned = ConcurrentHashMap.newKeySet();

    /// The transaction itself, and every cell in which they are pinned.
    private final AtomicInteger holders = new AtomicInteger(1);

    /// The table where it was first broken; null while whole.
    private volatile @Nullable Long brokenTableId;

    /// For one that is going to read little or nothing.
    public ReadLocks() {
        pool = null;
    }

    /// They are taken from the pool.
    public ReadLocks(MemoryPool pool) {
        this.pool = pool;
    }

    /// The id of the table in which another has written what this transaction read, or null.
    public @Nullable Long brokenTableId() {
        return brokenTableId;
    }

    public boolean broken() {
        return brokenTableId != null;
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
    public boolean isWithin(long cellId) {
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

    /// Whether some are in a tablet that is on its way to another cell. Under the cell's lock.
    boolean areLeaving(long cellId) {
        for (LockTable table : tables) {
            Engagements engagements = table.engagements();
            if (engagements.cellId() == cellId && engagements.isSealed() && table.holds(this)) {
                return true;
            }
        }
        return false;
    }

    void pin(List<LockTable> in) {
        holders.incrementAndGet();
        pinned.addAll(in);
    }

    void unpin(List<LockTable> in) {
        in.forEach(pinned::remove);
        letGo();
    }

    /// Whether all are pinned: none goes to another cell then.
    public boolean arePinned() {
        for (LockTable table : tables) {
            if (!pinned.contains(table) && table.holds(this)) {
                return false;
            }
        }
        return true;
    }

    private void letGo() {
        if (holders.decrementAndGet() == 0) {
            released = true;
            tables.forEach(table -> table.remove(this));
            tables.clear();
            if (pool != null) {
                pool.give((long) pooledCount.getAndSet(0) * LOCK_BYTES);
            }
        }
    }

    boolean released() {
        return released;
    }

    /// So many more are held.
    void added(int more) {
        count.addAndGet(more);
    }

    /// PRECONDITION_FAILED when there may be no more, OVERLOADED when all transactions together
    /// have too many.
    void checkRoom() {
        if (count.get() >= MAX_LOCKS) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A transaction may hold at most "
                            + MAX_LOCKS
                            + " locks: read ranges rather than keys, read less, or in a snapshot"
                            + " mode");
        }
        if (pool != null && count.get() > pooledCount.get() + UNCOUNTED_LOCKS) {
            long bytes = (long) LOCKS_A_STEP * LOCK_BYTES;
            if (!pool.tryTake(bytes)) {
                throw pool.exhausted("This transaction", bytes);
            }
            pooledCount.addAndGet(LOCKS_A_STEP);
        }
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
