package io.cleave.lsm.memtable;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The keys of a [Memtable] with their links, in chunks of words. A node is identified by its
/// place: the number of the chunk, and the word within it. A node is never moved or freed.
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
/// A *prefix* is a word that partly orders keys. The prefix of the next node is stored in the link,
/// so a search has to read the next node only if two prefixes are equal.
///
/// Threads: one writer, any number of readers. The writer sets a link before the prefix of that
/// link, and a reader reads the prefix first, so the link that it reads is at least as new. Links
/// only ever change to lesser keys. Hence a prefix that is less than the wanted one is also right
/// for the link, and a greater prefix can only hide a node that is still being added.
final class MemtableNodes {
    static final int NONE = 0;
    static final long NO_PREFIX = Long.MAX_VALUE;
    static final int MAX_KEY_BYTES = (1 << 24) - 1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// With its header, the array of a chunk has 1 MiB. That is one G1 region on a small heap. On a
    /// larger heap it is at most half a region, so it is not a humongous object.
    private static final int PLACE_BITS = 17;

    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int CHUNK_WORDS = (1 << PLACE_BITS) - ARRAY_HEADER_BYTES / Long.BYTES;

    /// Chunks start small, because most tablets are small.
    private static final int FIRST_CHUNK_WORDS = 1 << 6;

    private static final int LINK_WORDS = 2;
    private static final int VERSION_BITS = 40;
    private static final long VERSION_MASK = (1L << VERSION_BITS) - 1;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    /// The first chunk has no words, so that no node is at [#NONE]. The writer replaces this array,
    /// and puts a chunk into it, before it sets a link to a node in that chunk. A chunk stays in
    /// the array.
    private long[][] chunks = {new long[0], new long[0]};

    // Used only by the writer.
    private int chunkCount = 1;
    private int filled;
    private int filledWords;

    private volatile long allocatedBytes;

    /// The size of a node in bytes.
    static int bytes(int height, int keyBytes) {
        return words(height, keyBytes) * Long.BYTES;
    }

    private static int words(int height, int keyBytes) {
        return height * LINK_WORDS + 1 + (keyBytes + Long.BYTES - 1) / Long.BYTES;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    /// Creates a node that is not linked yet.
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

    /// The prefix of the next node on a level; `chunk` and `word` are those of the current node.
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

    /// Sets a link of a node that no reader can see yet.
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

    /// Copies the key. `target` must have room for a whole number of words.
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

    /// Compares a node's key with another. Zero padding matters only if one key is a prefix of the
    /// other and the rest is zeros; then the lengths decide.
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

    /// Eight bytes of a key, padded with zeros after its end.
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
