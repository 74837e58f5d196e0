package io.cleave.lsm.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// Decides which blocks of all tables stay in memory, up to a number of bytes.
///
/// The blocks themselves are in the [BlockSlots] of their tables, so a hit takes no lock; it only
/// increments the use count of the block. The cache has two queues, as in S3-FIFO. A new block
/// enters the small queue. It moves to the main queue only if it was used again before it reached
/// the end of the small queue, or if it was evicted from the small queue recently. A full scan
/// therefore passes through the small queue and does not disturb the main one. At the end of the
/// main queue, a block that was used gets another round.
///
/// Threads: any. A hit takes no lock.
public final class BlockCache {
    /// Memory of a block in addition to its bytes: its object, its parsed parts, its entry in a
    /// queue.
    private static final int BLOCK_BYTES = 160;

    /// The small queue gets 1/10 of the cache.
    private static final int SMALL_PART = 10;

    private static final int MOST_USES = 3;
    private static final int GHOSTS = 1 << 16;

    /// Pinned blocks take at most 1/2 of the cache.
    private static final int PINNED_PART = 2;

    // Constant after construction.

    private final long maxBytes;

    // Own synchronisation.

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.

    @GuardedBy("lock")
    private final Deque<Block> small = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Deque<Block> main = new ArrayDeque<>();

    /// Marks of blocks that were recently evicted from the small queue. The position of a mark is
    /// computed from the mark.
    @GuardedBy("lock")
    private final int[] ghosts = new int[GHOSTS];

    @GuardedBy("lock")
    private long smallBytes;

    @GuardedBy("lock")
    private long mainBytes;

    /// Bytes of pinned blocks, which are never evicted. The two queues share the rest of the cache.
    @GuardedBy("lock")
    private long pinnedBytes;

    /// Whether a block that was read from a blob enters the cache.
    public enum Use {
        KEEP,
        /// The block does not enter the cache. Used by compaction, which reads each block once.
        PASS
    }

    BlockCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    void hit(Block block) {
        hits.increment();
        if (block.uses < MOST_USES) {
            block.uses++;
        }
    }

    /// Caches a block that was read. Returns the block to use: another reader may have cached its
    /// own copy first.
    Block keep(BlockSlots slots, int number, Block read) {
        misses.increment();
        if (weight(read) > maxBytes / 2) {
            return read;
        }
        Block earlier = slots.putIfAbsent(number, read);
        if (earlier != null) {
            return earlier;
        }
        admit(read);
        return read;
    }

    void passed() {
        misses.increment();
    }

    private void admit(Block block) {
        lock.lock();
        try {
            if (wasHere(block)) {
                main.addLast(block);
                mainBytes += weight(block);
            } else {
                small.addLast(block);
                smallBytes += weight(block);
            }
            evictBeyond(maxBytes);
        } finally {
            lock.unlock();
        }
    }

    /// Reserves room for a pinned block of this size. On true, the owner keeps the block; on false,
    /// the block is cached like any other.
    boolean tryPin(int blockBytes) {
        lock.lock();
        try {
            if (pinnedBytes + memoryOf(blockBytes) > maxPinnedBytes()) {
                return false;
            }
            pinnedBytes += memoryOf(blockBytes);
            evictBeyond(maxBytes);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Whether [#tryPin] would succeed now.
    boolean hasRoomToPin(int blockBytes) {
        return pinnedBytes() + memoryOf(blockBytes) <= maxPinnedBytes();
    }

    /// Releases the room of pinned blocks, which is the sum of their [#memoryOf].
    void unpin(long memoryBytes) {
        lock.lock();
        try {
            pinnedBytes -= memoryBytes;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void evictBeyond(long bytes) {
        while (smallBytes + mainBytes + pinnedBytes > bytes && smallBytes + mainBytes > 0) {
            evict();
        }
    }

    @GuardedBy("lock")
    private void evict() {
        if (smallBytes > maxBytes / SMALL_PART || main.isEmpty()) {
            Block oldest = small.removeFirst();
            smallBytes -= weight(oldest);
            if (oldest.uses > 0) {
                oldest.uses = 0;
                main.addLast(oldest);
                mainBytes += weight(oldest);
            } else {
                ghosts[ghostPlace(oldest)] = mark(oldest);
                oldest.slots.remove(oldest);
            }
        } else {
            Block oldest = main.removeFirst();
            if (oldest.uses > 0) {
                oldest.uses--;
                main.addLast(oldest);
            } else {
                mainBytes -= weight(oldest);
                oldest.slots.remove(oldest);
            }
        }
    }

    /// Evicts all blocks of a run. A reader that still uses the run may cache some of them again;
    /// these age out.
    void drop(BlockSlots slots) {
        lock.lock();
        try {
            smallBytes -= remove(small, slots);
            mainBytes -= remove(main, slots);
        } finally {
            lock.unlock();
        }
    }

    private static long remove(Deque<Block> queue, BlockSlots slots) {
        long bytes = 0;
        for (var blocks = queue.iterator(); blocks.hasNext(); ) {
            Block block = blocks.next();
            if (block.slots == slots) {
                slots.remove(block);
                bytes += weight(block);
                blocks.remove();
            }
        }
        return bytes;
    }

    @GuardedBy("lock")
    private boolean wasHere(Block block) {
        return ghosts[ghostPlace(block)] == mark(block);
    }

    private static int ghostPlace(Block block) {
        return ((mark(block) * 0x9E3779B9) >>> 16) & (GHOSTS - 1);
    }

    /// Never 0. If two blocks have the same mark, a block may enter the wrong queue; nothing else
    /// happens.
    private static int mark(Block block) {
        return (block.slots.hashCode() * 31 + block.number) | 1;
    }

    private static long weight(Block block) {
        return memoryOf(block.bytes.length);
    }

    /// The memory that a block with this many bytes takes.
    static long memoryOf(int blockBytes) {
        return blockBytes + (long) BLOCK_BYTES;
    }

    long bytes() {
        lock.lock();
        try {
            return smallBytes + mainBytes + pinnedBytes;
        } finally {
            lock.unlock();
        }
    }

    long pinnedBytes() {
        lock.lock();
        try {
            return pinnedBytes;
        } finally {
            lock.unlock();
        }
    }

    long maxPinnedBytes() {
        return maxBytes / PINNED_PART;
    }

    long hits() {
        return hits.sum();
    }

    long misses() {
        return misses.sum();
    }
}
