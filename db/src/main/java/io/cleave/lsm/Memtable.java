package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The newest writes of a tablet, in key order and then newest version first: a skip list.
///
/// Invariants: a version once added never changes; versions of one key only grow. Threads: one
/// writer at a time, any number of readers without locks. A reader sees every version added before
/// it took its snapshot; of those added meanwhile it sees some.
final class Memtable {
    private static final int MAX_HEIGHT = 14;
    private static final VarHandle LINK = MethodHandles.arrayElementVarHandle(Node[].class);

    /// What one key, one version and one link take on the heap beside their bytes.
    private static final int NODE_BYTES = (24 + 16) + 32 + 16;

    private static final int VERSION_BYTES = (24 + 16) + 32;
    private static final int LINK_BYTES = 4;

    private final long generation;
    private final Node head = new Node(Bytes.EMPTY, MAX_HEIGHT, null);

    // Written by the writer, read by statistics.
    private volatile long bytes;
    private volatile long keys;

    // The writer's own.
    private final Node[] path = new Node[MAX_HEIGHT];
    private long dice = 0x9e3779b97f4a7c15L;

    /// One key with its versions.
    static final class Node {
        final Bytes key;

        /// By level; links are published in release mode and read in acquire mode.
        final @Nullable Node[] next;

        /// One step back on the lowest level; the head has none.
        volatile @Nullable Node previous;

        volatile @Nullable Version newest;

        Node(Bytes key, int height, @Nullable Node previous) {
            this.key = key;
            this.next = new Node[height];
            this.previous = previous;
        }
    }

    record Version(long timestamp, Bytes change, @Nullable Version older) {}

    Memtable(long generation) {
        this.generation = generation;
    }

    /// Which freeze of the tree ends it.
    long generation() {
        return generation;
    }

    long bytes() {
        return bytes;
    }

    long keys() {
        return keys;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
    void add(Bytes key, long timestamp, Bytes change) {
        Node node = find(key, path);
        if (node == null || !node.key.equals(key)) {
            int height = height();
            node = new Node(key, height, path[0]);
            node.newest = new Version(timestamp, change, null);
            link(node);
            bytes += NODE_BYTES + height * LINK_BYTES + key.length();
            keys++;
        } else {
            node.newest = new Version(timestamp, change, node.newest);
        }
        bytes += VERSION_BYTES + change.length();
    }

    /// From the lowest level up, so that a node that can be seen at a level is linked below.
    private void link(Node node) {
        for (int level = 0; level < node.next.length; level++) {
            node.next[level] = path[level].next[level];
        }
        Node after = node.next[0];
        for (int level = 0; level < node.next.length; level++) {
            LINK.setRelease(path[level].next, level, node);
        }
        if (after != null) {
            after.previous = node;
        }
    }

    /// One in four reaches each next level. The draw must be the same on every replica, for the
    /// size decides when a memtable is frozen.
    private int height() {
        dice ^= dice << 13;
        dice ^= dice >>> 7;
        dice ^= dice << 17;
        int height = 1 + Long.numberOfTrailingZeros(dice) / 2;
        return Math.min(height, MAX_HEIGHT);
    }

    /// The first node whose key is at least `key`.
    @Nullable Node find(Bytes key) {
        return find(key, null);
    }

    private @Nullable Node find(Bytes key, Node @Nullable [] passed) {
        Node at = head;
        Node after = null;
        Node seen = null;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            after = next(at, level);
            while (after != null && after != seen && after.key.compareTo(key) < 0) {
                at = after;
                after = next(at, level);
            }
            seen = after;
            if (passed != null) {
                passed[level] = at;
            }
        }
        return after;
    }

    /// The last node whose key is less than `bound`; null is after all keys.
    @Nullable Node findBefore(@Nullable Bytes bound) {
        Node at = head;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            Node after = next(at, level);
            while (after != null && (bound == null || after.key.compareTo(bound) < 0)) {
                at = after;
                after = next(at, level);
            }
        }
        return at == head ? null : at;
    }

    static @Nullable Node next(Node node, int level) {
        return (Node) LINK.getAcquire(node.next, level);
    }

    @Nullable Node previous(Node node) {
        Node before = node.previous;
        return before == head ? null : before;
    }

    Source source() {
        return new MemtableSource(this);
    }
}
