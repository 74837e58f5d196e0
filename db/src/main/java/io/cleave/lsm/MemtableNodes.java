package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The keys of a [Memtable] with their links, in chunks of words; a node is named by its place: the
/// chunk, and the word in it. No node is ever moved or freed.
///
/// ```
/// of each level, the highest first:
///   u64  prefix of the next node's key; NO_PREFIX if there is none
///   u32  the next node; NONE if there is none
///   u32  on level 0: the node before; else 0
/// a node's place is here:
///   u40  its newest version
///   u24  bytes of the key
/// the key as big-endian words, the last one filled up with zeros
/// ```
///
/// A *prefix* is a word that orders keys as far as it goes, and stands where the search is: only
/// where two are equal, the next node itself has to be looked at.
///
/// Threads: one writer. It sets a link before the link's prefix, and a reader takes the prefix
/// first: so the link is at least as new, and links only ever change to lesser keys. A prefix less
/// than the one searched for is then right about the link that is read, and one that is greater can
/// only hide a node whose adding has not ended.
final class MemtableNodes {
    static final int NONE = 0;
    static final long NO_PREFIX = Long.MAX_VALUE;
    static final int MAX_KEY_BYTES = (1 << 24) - 1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// With its header a chunk's array has 1 MiB: one region of G1 on a small heap, and on any
    /// other at most half of one, which is not yet a humongous object.
    private static final int PLACE_BITS = 17;

    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int CHUNK_WORDS = (1 << PLACE_BITS) - ARRAY_HEADER_BYTES / Long.BYTES;

    /// Chunks begin small, since most tablets are.
    private static final int FIRST_CHUNK_WORDS = 1 << 6;

    private static final int LINK_WORDS = 2;
    private static final int VERSION_BITS = 40;
    private static final long VERSION_MASK = (1L << VERSION_BITS) - 1;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    /// The first has no words, so that no node is at [#NONE]. The array is replaced and a chunk put
    /// into it before a link to what is new is set; a chunk once in the array stays there.
    private long[][] chunks = {new long[0], new long[0]};

    // The writer's own.
    private int chunkCount = 1;
    private int filled;
    private int filledWords;

    private volatile long allocatedBytes;

    /// How many bytes a node takes.
    static int bytes(int height, int keyBytes) {
        return words(height, keyBytes) * Long.BYTES;
    }

    private static int words(int height, int keyBytes) {
        return height * LINK_WORDS + 1 + (keyBytes + Long.BYTES - 1) / Long.BYTES;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    /// A node that nothing links to yet.
    int create(byte[] key, int height, long newest) {
        int place = allocate(words(height, key.length)) + height * LINK_WORDS;
        long[] words = chunk(place);
        int at = word(place);
        words[at] = newest | (long) key.length << VERSION_BITS;
        for (int index = 0; index < key.length; index += Long.BYTES) {
            words[++at] = keyWord(key, index);
        }
        return place;
    }

    private int allocate(int words) {
        int capacity = chunks[filled].length;
        if (capacity - filledWords < words) {
            if (words > CHUNK_WORDS / 4) {
                return addChunk(words) << PLACE_BITS;
            }
            int grown = Math.max(FIRST_CHUNK_WORDS, Math.min(4 * capacity, CHUNK_WORDS));
            filled = addChunk(Math.max(grown, words));
            filledWords = 0;
        }
        int at = filled << PLACE_BITS | filledWords;
        filledWords += words;
        return at;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private int addChunk(int words) {
        Check.that(
                chunkCount < (1 << (Integer.SIZE - PLACE_BITS)), "%d chunks of keys", chunkCount);
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunkCount * 2);
        }
        chunks[chunkCount] = new long[words];
        allocatedBytes += ARRAY_HEADER_BYTES + (long) words * Long.BYTES;
        return chunkCount++;
    }

    long[] chunk(int place) {
        return chunks[place >>> PLACE_BITS];
    }

    static int word(int place) {
        return place & (1 << PLACE_BITS) - 1;
    }

    // ---- links

    /// Of the next node on a level, given the chunk and the word of a node.
    static long nextPrefix(long[] chunk, int word, int level) {
        return (long) WORD.getAcquire(chunk, word - LINK_WORDS * (level + 1));
    }

    static int next(long[] chunk, int word, int level) {
        return (int) (long) WORD.getAcquire(chunk, word - LINK_WORDS * (level + 1) + 1);
    }

    int next(int place) {
        return next(chunk(place), word(place), 0);
    }

    int previous(int place) {
        return (int) ((long) WORD.getAcquire(chunk(place), word(place) - 1) >>> Integer.SIZE);
    }

    /// Before the node is linked.
    void initLink(int place, int level, int next, long nextPrefix) {
        long[] chunk = chunk(place);
        int at = word(place) - LINK_WORDS * (level + 1);
        chunk[at] = nextPrefix;
        chunk[at + 1] = next & INT_MASK;
    }

    void link(int place, int level, int next, long nextPrefix) {
        long[] chunk = chunk(place);
        int at = word(place) - LINK_WORDS * (level + 1);
        long previous = chunk[at + 1] & ~INT_MASK;
        WORD.setRelease(chunk, at + 1, previous | (next & INT_MASK));
        WORD.setRelease(chunk, at, nextPrefix);
    }

    void linkBack(int place, int previous) {
        long[] chunk = chunk(place);
        int at = word(place) - 1;
        WORD.setRelease(chunk, at, ((long) previous << Integer.SIZE) | (chunk[at] & INT_MASK));
    }

    // ---- versions and keys

    long newest(int place) {
        return (long) WORD.getAcquire(chunk(place), word(place)) & VERSION_MASK;
    }

    void setNewest(int place, long version) {
        long[] chunk = chunk(place);
        int at = word(place);
        WORD.setRelease(chunk, at, (chunk[at] & ~VERSION_MASK) | version);
    }

    int keyBytes(int place) {
        return (int) (chunk(place)[word(place)] >>> VERSION_BITS);
    }

    /// The target has room for whole words.
    void copyKey(int place, int keyBytes, byte[] target) {
        long[] chunk = chunk(place);
        int at = word(place) + 1;
        for (int index = 0; index < keyBytes; index += Long.BYTES) {
            BIG_ENDIAN.set(target, index, chunk[at++]);
        }
    }

    Bytes key(int place) {
        int keyBytes = keyBytes(place);
        byte[] key = new byte[(keyBytes + Long.BYTES - 1) & -Long.BYTES];
        copyKey(place, keyBytes, key);
        return Bytes.copyOf(key, 0, keyBytes);
    }

    /// A node's key against another. Padding makes no difference but where one key is the beginning
    /// of the other and only zeros follow; there the lengths tell.
    int compareKey(int place, byte[] key) {
        long[] chunk = chunk(place);
        int at = word(place);
        int keyBytes = (int) (chunk[at] >>> VERSION_BITS);
        int shorter = Math.min(keyBytes, key.length);
        for (int index = 0; index < shorter; index += Long.BYTES) {
            long mine = chunk[++at];
            long other = keyWord(key, index);
            if (mine != other) {
                return Long.compareUnsigned(mine, other);
            }
        }
        return Integer.compare(keyBytes, key.length);
    }

    /// Eight bytes of a key; what is behind its end is zero.
    static long keyWord(byte[] key, int from) {
        int missing = from + Long.BYTES - key.length;
        if (missing <= 0) {
            return (long) BIG_ENDIAN.get(key, from);
        }
        if (missing >= Long.BYTES) {
            return 0;
        }
        if (key.length >= Long.BYTES) {
            return (long) BIG_ENDIAN.get(key, key.length - Long.BYTES) << (missing * Byte.SIZE);
        }
        long word = 0;
        for (int index = from; index < key.length; index++) {
            word = (word << Byte.SIZE) | (key[index] & 0xFF);
        }
        return word << (missing * Byte.SIZE);
    }
}
