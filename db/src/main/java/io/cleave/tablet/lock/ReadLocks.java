package io.cleave.tablet.lock;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The optimistic locks of one transaction: what it has read, in which tablets, and whether another
/// transaction has written there since. A broken lock stays broken; the transaction can then only
/// be rolled back, or commit without writes.
///
/// Threads: the transaction's thread adds and releases locks; any writer may break them or move
/// them to other tablets.
public final class ReadLocks implements LockOwner {
    private static final AtomicLong LAST_ID = new AtomicLong(NOBODY);

    /// At this many points in one tablet, the locks become one lock on the whole tablet.
    static final int MAX_POINTS_PER_TABLET = 10_000;

    /// Limit for one transaction, over all tablets.
    public static final int MAX_LOCKS = 100_000;

    /// Memory for a lock, in addition to its key.
    private static final int LOCK_BYTES = 192;

    /// This many bytes are not counted in the pool while a request of the transaction runs. Most
    /// transactions need no more.
    private static final int UNCOUNTED_BYTES = 16 << 10;

    /// The amount requested from the pool at once.
    private static final int STEP_BYTES = 64 << 10;

    private final long id = LAST_ID.incrementAndGet();

    /// Null for transactions that read little.
    private final @Nullable MemoryPool pool;

    private final AtomicInteger count = new AtomicInteger();

    /// The size of the keys of all locks.
    private final AtomicLong keyBytes = new AtomicLong();

    /// The bytes taken from the pool for the locks.
    private final AtomicLong pooledBytes = new AtomicLong();

    private final Queue<LockTable> tables = new ConcurrentLinkedQueue<>();

    /// Set before the locks are removed, so that a tablet that moves them at this moment sees it.
    private volatile boolean released;

    /// The lock tables in which a multi-cell commit has pinned the locks.
    private final Set<LockTable> pinned = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean ended = new AtomicBoolean();

    /// Counts the transaction itself and every cell in which the locks are pinned.
    private final AtomicInteger holders = new AtomicInteger(1);

    /// The table in which a lock was first broken; null while none is.
    private volatile @Nullable Long brokenTableId;

    /// For a transaction that reads little or nothing.
    public ReadLocks() {
        pool = null;
    }

    /// Takes the memory for the locks from the pool.
    public ReadLocks(MemoryPool pool) {
        this.pool = pool;
    }

    @Override
    public long id() {
        return id;
    }

    /// The locks of an owner; none if there is no owner.
    public static ReadLocks of(@Nullable LockOwner owner) {
        return owner == null ? new ReadLocks() : (ReadLocks) owner;
    }

    public LockState state() {
        return new LockState(cellIds(), arePinned());
    }

    /// The id of the table in which another transaction has written what this one read, or null.
    public @Nullable Long brokenTableId() {
        return brokenTableId;
    }

    public boolean broken() {
        return brokenTableId != null;
    }

    /// The cells that have locks of this transaction.
    public Set<Long> cellIds() {
        Set<Long> ids = new TreeSet<>();
        for (LockTable table : tables) {
            if (table.holds(this)) {
                ids.add(table.engagements().cellId());
            }
        }
        return ids;
    }

    /// Whether no other cell has locks of this transaction.
    public boolean isWithin(long cellId) {
        for (LockTable table : tables) {
            if (table.engagements().cellId() != cellId && table.holds(this)) {
                return false;
            }
        }
        return true;
    }

    /// The lock tables of one cell that have locks of this transaction.
    public List<LockTable> tablesIn(long cellId) {
        return tables.stream()
                .filter(table -> table.engagements().cellId() == cellId && table.holds(this))
                .toList();
    }

    /// Releases all locks at the end of the transaction. Pinned locks stay until the outcome of the
    /// multi-cell commit is known. Does nothing if it was called before.
    public void release() {
        if (ended.compareAndSet(false, true)) {
            letGo();
        }
    }

    /// Whether there are locks in a tablet that is moving to another cell. The cell's lock is held.
    public boolean areLeaving(long cellId) {
        for (LockTable table : tables) {
            Engagements engagements = table.engagements();
            if (engagements.cellId() == cellId && engagements.isSealed() && table.holds(this)) {
                return true;
            }
        }
        return false;
    }

    public void pin(List<LockTable> in) {
        holders.incrementAndGet();
        pinned.addAll(in);
    }

    public void unpin(List<LockTable> in) {
        in.forEach(pinned::remove);
        letGo();
    }

    /// Whether all locks are pinned. Pinned locks do not move to another cell.
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
                pool.give(pooledBytes.getAndSet(0));
            }
        }
    }

    boolean released() {
        return released;
    }

    /// Called when locks were added or removed: the change of their number, and of the size of
    /// their keys.
    void added(int more, long bytesOfKeys) {
        count.addAndGet(more);
        keyBytes.addAndGet(bytesOfKeys);
    }

    /// Must be called before a lock with a key of this size is added. Throws PRECONDITION_FAILED if
    /// the transaction has too many locks, and OVERLOADED if all transactions together do.
    public void checkRoom(long bytesOfKey) {
        if (count.get() >= MAX_LOCKS) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A transaction may hold at most "
                            + MAX_LOCKS
                            + " locks: read ranges rather than keys, read less, or in a snapshot"
                            + " mode");
        }
        long missing = missingBytes() + bytesOfKey;
        if (missing > UNCOUNTED_BYTES) {
            take(Math.max(STEP_BYTES, missing));
        }
    }

    /// Called when the transaction stays open between requests: from now on all its locks are
    /// counted. Throws OVERLOADED if all transactions together have too many.
    public void countAll() {
        long missing = missingBytes();
        if (missing > 0) {
            take(missing);
        }
    }

    private long missingBytes() {
        return (long) LOCK_BYTES * count.get() + keyBytes.get() - pooledBytes.get();
    }

    private void take(long bytes) {
        if (pool == null) {
            return;
        }
        if (!pool.tryTake(bytes)) {
            throw pool.exhausted("This transaction", bytes);
        }
        pooledBytes.addAndGet(bytes);
    }

    public void breakIn(long tableId) {
        if (brokenTableId == null) {
            brokenTableId = tableId;
        }
    }

    void remember(LockTable table) {
        tables.add(table);
    }
}
