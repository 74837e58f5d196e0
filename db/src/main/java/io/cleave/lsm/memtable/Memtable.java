package io.cleave.lsm.memtable;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.lsm.row.KeySample;
import io.cleave.lsm.row.KeySampler;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.Source;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// The newest writes of a tablet, ordered by key and then newest version first. It is a skip list
/// without an object for each row. Keys and links are in [MemtableNodes], changes in
/// [MemtableVersions]. [MemtableIndex] finds whole keys by hash.
///
/// Invariants: a version never changes once it is added; the timestamps of one key never decrease.
/// Threads: one writer at a time, any number of readers without locks. A reader sees every version
/// that was added before it took its snapshot, and possibly some that are added later.
public final class Memtable {
    private static final int MAX_HEIGHT = 20;

    /// The average number of levels of a node, since each level has half of the nodes of the level
    /// below.
    private static final int MEAN_HEIGHT = 2;

    private static final int NONE = MemtableNodes.NONE;

    // Constant after construction.

    private final long generation;

    /// The bytes that most keys are expected to begin with; the prefixes of keys leave them out.
    /// Any value is correct; a good one lets prefixes distinguish more keys.
    private final byte[] common;

    // Own synchronisation: one writer, any number of readers.

    private final MemtableNodes nodes = new MemtableNodes();
    private final MemtableVersions versions = new MemtableVersions();
    private final MemtableIndex index = new MemtableIndex();
    private final int head = nodes.create(Bytes.EMPTY.array(), MAX_HEIGHT, MemtableVersions.NONE);

    // Set by the writer, read by the statistics.
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong keys = new AtomicLong();
    private final AtomicLong deadBytes = new AtomicLong();
    private final AtomicLong erasedKeys = new AtomicLong();

    /// Held while a key is added to the sample, which is rare, and while the sample is read.
    private final ReentrantLock samplerLock = new ReentrantLock();

    private final KeySampler sampler = new KeySampler();

    /// The number of levels in use. A reader may see an older value; it then starts at a lower
    /// level.
    private int levels = 1;

    // Used only by the writer. `path` has, on each level, the node before the place of the last
    // insertion; the two prefixes are those of that node and of the node after it. Keys often come
    // in order, and then the next place is near.
    private final int[] path = new int[MAX_HEIGHT];
    private final long[] pathPrefix = new long[MAX_HEIGHT];
    private final long[] behindPrefix = new long[MAX_HEIGHT];
    private long oldestTimestamp = Long.MAX_VALUE;
    private long dice = 0x9e3779b97f4a7c15L;

    public Memtable(long generation) {
        this(generation, Bytes.EMPTY);
    }

    public Memtable(long generation, Bytes common) {
        this.generation = generation;
        this.common = common.array();
        for (int level = 0; level < MAX_HEIGHT; level++) {
            nodes.initLink(head, level, NONE, MemtableNodes.NO_PREFIX);
        }
        Arrays.fill(path, head);
        Arrays.fill(pathPrefix, Long.MIN_VALUE);
        Arrays.fill(behindPrefix, MemtableNodes.NO_PREFIX);
    }

    /// The number of the freeze that ends this memtable, counted by its tree.
    public long generation() {
        return generation;
    }

    /// The size of the rows, including a fixed estimate for their index entries. It is the same on
    /// every replica, however many chunks are allocated.
    public long bytes() {
        return bytes.getAcquire();
    }

    /// The memory allocated on the heap.
    long allocatedBytes() {
        return nodes.allocatedBytes() + versions.allocatedBytes() + index.allocatedBytes();
    }

    public long keys() {
        return keys.getAcquire();
    }

    /// The estimated part of [#bytes] that the newest versions of keys that are not erased take.
    public long liveBytes() {
        return erasedKeys() == keys() ? 0 : Math.max(0, bytes() - deadBytes.getAcquire());
    }

    /// The number of keys whose newest version is an ERASE.
    public long erasedKeys() {
        return erasedKeys.getAcquire();
    }

    /// A sample of the keys in `[from, to)`; without `to`, up to the last.
    public KeySample sample(Bytes from, @Nullable Bytes to) {
        samplerLock.lock();
        try {
            return sampler.sample(
                    node ->
                            nodes.compareKey(node, from.array()) >= 0
                                    && (to == null || nodes.compareKey(node, to.array()) < 0),
                    node -> versions.isErase(nodes.newest(node)));
        } finally {
            samplerLock.unlock();
        }
    }

    /// Adds a version. Only for the writer.
    public void add(Bytes key, long timestamp, Bytes change) {
        oldestTimestamp = Math.min(oldestTimestamp, timestamp);
        byte[] array = key.array();
        Check.that(array.length <= MemtableNodes.MAX_KEY_BYTES, "a key of %d bytes", array.length);
        long hash = Keys.hash(array, array.length);
        int known = index.node(array, hash, nodes);
        if (known != NONE) {
            long older = nodes.newest(known);
            long newest = versions.timestamp(older);
            Check.that(timestamp >= newest, "timestamp %d of a key after %d", timestamp, newest);
            long version = versions.create(timestamp, older, change);
            nodes.setNewest(known, version);
            index.setNewest(known, hash, version);
            int versionBytes = MemtableVersions.bytes(older, change);
            grow(versionBytes, 0);
            boolean wasErased = versions.isErase(older);
            boolean isErased = RowChange.isErase(change);
            die(wasErased ? 0 : versions.bytes(older), 0);
            if (isErased) {
                die(versionBytes, 0);
            }
            if (wasErased != isErased) {
                int nodeBytes = MemtableNodes.bytes(MEAN_HEIGHT, array.length);
                die(isErased ? nodeBytes : -nodeBytes, isErased ? 1 : -1);
            }
        } else {
            long prefix = prefix(array);
            findPath(array, prefix);
            int height = height();
            long newest = versions.create(timestamp, MemtableVersions.NONE, change);
            int node = nodes.create(array, height, newest);
            link(node, prefix, height, nodes.next(path[0]));
            index.add(node, hash, newest);
            int versionBytes = MemtableVersions.bytes(MemtableVersions.NONE, change);
            int nodeBytes = MemtableNodes.bytes(height, array.length) + MemtableIndex.BYTES_A_KEY;
            grow(nodeBytes + versionBytes, 1);
            if (RowChange.isErase(change)) {
                die(nodeBytes + versionBytes, 1);
            }
            if (sampler.takes(hash)) {
                addSampled(hash, node);
            }
        }
    }

    /// The oldest timestamp, or the greatest possible one if the memtable is empty. Only for the
    /// writer.
    public long oldestTimestamp() {
        return oldestTimestamp;
    }

    private void addSampled(long hash, int node) {
        samplerLock.lock();
        try {
            sampler.add(hash, node);
        } finally {
            samplerLock.unlock();
        }
    }

    private void die(int moreBytes, int moreKeys) {
        deadBytes.setRelease(deadBytes.getPlain() + moreBytes);
        erasedKeys.setRelease(erasedKeys.getPlain() + moreKeys);
    }

    private void grow(int moreBytes, int moreKeys) {
        bytes.setRelease(bytes.getPlain() + moreBytes);
        keys.setRelease(keys.getPlain() + moreKeys);
    }

    /// Sets `path`, on each level, to the last node before the key. The search starts at the lowest
    /// level on which the key belongs between the same nodes as the last key.
    private void findPath(byte[] key, long prefix) {
        int level = 0;
        while (level < levels && !isAround(level, key, prefix)) {
            level++;
        }
        int at = level == levels ? head : path[level];
        long atPrefix = level == levels ? Long.MIN_VALUE : pathPrefix[level];
        long[] chunk = nodes.chunk(at);
        int word = MemtableNodes.word(at);
        while (--level >= 0) {
            long nextPrefix;
            while (true) {
                nextPrefix = MemtableNodes.nextPrefix(chunk, word, level);
                if (nextPrefix > prefix) {
                    break;
                }
                int next = MemtableNodes.next(chunk, word, level);
                if (nextPrefix == prefix && !isBefore(next, key)) {
                    break;
                }
                at = next;
                atPrefix = nextPrefix;
                chunk = nodes.chunk(at);
                word = MemtableNodes.word(at);
            }
            path[level] = at;
            pathPrefix[level] = atPrefix;
            behindPrefix[level] = nextPrefix;
        }
    }

    private boolean isAround(int level, byte[] key, long prefix) {
        if (pathPrefix[level] > prefix || behindPrefix[level] < prefix) {
            return false;
        }
        int at = path[level];
        if (pathPrefix[level] == prefix && at != head && !isBefore(at, key)) {
            return false;
        }
        return behindPrefix[level] > prefix
                || !isBefore(
                        MemtableNodes.next(nodes.chunk(at), MemtableNodes.word(at), level), key);
    }

    private boolean isBefore(int node, byte[] key) {
        return node != NONE && nodes.compareKey(node, key) < 0;
    }

    /// Links a node from the lowest level up, so that a node that is visible on a level is also
    /// linked on the levels below.
    private void link(int node, long prefix, int height, int after) {
        for (int level = 0; level < height; level++) {
            int next = nextOnLevel(path[level], level);
            nodes.initLink(node, level, next, behindPrefix[level]);
        }
        nodes.linkBack(node, path[0]);
        for (int level = 0; level < height; level++) {
            nodes.link(path[level], level, node, prefix);
            path[level] = node;
            pathPrefix[level] = prefix;
        }
        if (after != NONE) {
            nodes.linkBack(after, node);
        }
        levels = Math.max(levels, height);
    }

    /// Each level has half of the nodes of the level below. A step to the right is expensive,
    /// because the next node is seldom in a CPU cache; a step down stays in the node. The
    /// pseudo-random numbers must be the same on every replica, because the size decides when a
    /// memtable is frozen.
    private int height() {
        dice ^= dice << 13;
        dice ^= dice >>> 7;
        dice ^= dice << 17;
        int height = 1 + Long.numberOfTrailingZeros(dice);
        return Math.min(height, MAX_HEIGHT);
    }

    /// A number that partly orders keys: a lesser key never has a greater prefix.
    private long prefix(byte[] key) {
        int skipped = common.length;
        if (skipped > 0) {
            int order =
                    Arrays.compareUnsigned(
                            key, 0, Math.min(key.length, skipped), common, 0, skipped);
            if (order != 0) {
                return order < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
        }
        return MemtableNodes.keyWord(key, skipped) ^ Long.MIN_VALUE;
    }

    /// Merges the versions of the key that the snapshot sees; the hash is [Keys#hash]. Returns true
    /// if no older version can change the row.
    public boolean mergeInto(Row row, Bytes key, long hash, long snapshot, ReadWatch watch) {
        long newest = index.newest(key.array(), hash, nodes);
        return newest != MemtableVersions.NONE && versions.mergeInto(row, newest, snapshot, watch);
    }

    /// The first node whose key is at least `key`.
    int find(Bytes key) {
        byte[] array = key.array();
        int found = nodes.next(lastBefore(array, prefix(array)));
        while (isBefore(found, array)) {
            // This node was added after the search.
            found = nodes.next(found);
        }
        return found;
    }

    /// The last node whose key is less than `bound`; if `bound` is null, the last node.
    int findBefore(@Nullable Bytes bound) {
        int found = bound == null ? last() : lastBefore(bound.array(), prefix(bound.array()));
        return found == head ? NONE : found;
    }

    private int last() {
        int at = head;
        for (int level = levels - 1; level >= 0; level--) {
            int next = nextOnLevel(at, level);
            while (next != NONE) {
                at = next;
                next = nextOnLevel(at, level);
            }
        }
        return at;
    }

    /// The last node whose key is less than `key`, or the head.
    private int lastBefore(byte[] key, long prefix) {
        int at = head;
        long[] chunk = nodes.chunk(at);
        int word = MemtableNodes.word(at);
        int notBefore = NONE;
        for (int level = levels - 1; level >= 0; level--) {
            while (true) {
                long nextPrefix = MemtableNodes.nextPrefix(chunk, word, level);
                if (nextPrefix > prefix) {
                    break;
                }
                int next = MemtableNodes.next(chunk, word, level);
                if (nextPrefix == prefix && (next == notBefore || !isBefore(next, key))) {
                    notBefore = next;
                    break;
                }
                at = next;
                chunk = nodes.chunk(at);
                word = MemtableNodes.word(at);
            }
        }
        return at;
    }

    int next(int node) {
        return nodes.next(node);
    }

    /// The next node on a level; the first node if `node` is NONE.
    int nextOnLevel(int node, int level) {
        int at = node == NONE ? head : node;
        return MemtableNodes.next(nodes.chunk(at), MemtableNodes.word(at), level);
    }

    int levels() {
        return levels;
    }

    int previous(int node) {
        int before = nodes.previous(node);
        return before == head ? NONE : before;
    }

    /// The common prefix of all keys, at most up to their last eight bytes, for which the prefix
    /// word has room. It is a good guess for the next memtable of the same tree.
    public Bytes commonPrefix() {
        Source keysInOrder = source();
        if (!keysInOrder.seek(Bytes.EMPTY)) {
            return Bytes.wrap(common);
        }
        byte[] first = Arrays.copyOf(keysInOrder.key, keysInOrder.keyBytes);
        Check.that(keysInOrder.seekBefore(null), "a first key, but no last one");
        return commonPrefix(first, first.length, keysInOrder.key, keysInOrder.keyBytes);
    }

    static Bytes commonPrefix(byte[] first, int firstBytes, byte[] last, int lastBytes) {
        int shared = Keys.common(first, firstBytes, last, lastBytes);
        int most = Math.max(0, Math.min(firstBytes, lastBytes) - Long.BYTES);
        return Bytes.copyOf(first, 0, Math.min(shared, most));
    }

    /// A copy of this memtable with a longer common prefix, or this memtable if its prefix cannot
    /// be improved. Only for the writer.
    public Memtable withBetterPrefixes() {
        Bytes better = commonPrefix();
        if (better.length() <= common.length) {
            return this;
        }
        var copy = new Memtable(generation, better);
        MemtableSource source = source();
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            source.visitVersions(copy::add);
        }
        return copy;
    }

    MemtableNodes nodes() {
        return nodes;
    }

    MemtableVersions versions() {
        return versions;
    }

    public MemtableSource source() {
        return new MemtableSource(this);
    }
}
