package io.cleave.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// Which blocks of all tables stay in memory, up to a number of bytes.
///
/// The blocks themselves hang in their tables' [BlockSlots], so a hit asks nobody and takes no
/// lock; it only leaves a note on the block. Here are two queues in the manner of S3-FIFO: a new
/// block enters the small one, and goes on to the main one only if it was asked for again by the
/// time it reaches the end, or if it was here not long ago. So a scan of everything passes through
/// the small queue and leaves the main one as it was. At the end of the main queue, a block that
/// was asked for gets another round.
///
/// Threads: any; the lock is taken by misses only.
final class BlockCache {
    /// What a block takes beside its bytes: its object, its parts, its place in a queue.
    private static final int BLOCK_BYTES = 160;

    /// One in so many bytes is for the small queue.
    private static final int SMALL_PART = 10;

    private static final int MOST_USES = 3;
    private static final int GHOSTS = 1 << 16;

    /// One in so many bytes at the most is for pinned blocks.
    private static final int PINNED_PART = 2;

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Block> small = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Deque<Block> main = new ArrayDeque<>();

    /// Marks of blocks that left the small queue not long ago, each at a place that follows from
    /// it.
    @GuardedBy("lock")
    private final int[] ghosts = new int[GHOSTS];

    @GuardedBy("lock")
    private long smallBytes;

    @GuardedBy("lock")
    private long mainBytes;

    /// Of blocks that stay because their owners said so; the others have what is left.
    @GuardedBy("lock")
    private long pinnedBytes;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /// Whether a block that had to be read stays for others.
    enum Use {
        KEEP,
        /// For compaction, which reads everything once.
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

    /// Takes a block that was read; returns the one to use, for another reader may have been
    /// faster.
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

    /// Whether a block of so many bytes may stay for good: then its owner keeps it. If not, it is
    /// cached like any other.
    boolean tryPin(int blockBytes) {
        lock.lock();
        try {
            long weight = blockBytes + (long) BLOCK_BYTES;
            if (pinnedBytes + weight > maxBytes / PINNED_PART) {
                return false;
            }
            pinnedBytes += weight;
            evictBeyond(maxBytes);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// So many blocks, with so many bytes together, stay no longer.
    void unpin(long blocks, long blockBytes) {
        lock.lock();
        try {
            pinnedBytes -= blockBytes + blocks * BLOCK_BYTES;
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

    /// Lets all blocks of a run go. A reader that is still on it may bring some back; they age out.
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

    /// Never 0; two blocks with the same mark only cost a wrong guess.
    private static int mark(Block block) {
        return (block.slots.hashCode() * 31 + block.number) | 1;
    }

    private static long weight(Block block) {
        return block.bytes.length + (long) BLOCK_BYTES;
    }

    long bytes() {
        lock.lock();
        try {
            return smallBytes + mainBytes + pinnedBytes;
        } finally {
            lock.unlock();
        }
    }

    long hits() {
        return hits.sum();
    }

    long misses() {
        return misses.sum();
    }
}
