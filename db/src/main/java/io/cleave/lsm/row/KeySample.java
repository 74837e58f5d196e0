package io.cleave.lsm.row;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;

import java.util.Arrays;
import java.util.BitSet;

/// A sample of the keys of a memtable or a table: all keys whose hash is less than a bound. The
/// hash decides which keys are sampled, so the samples of two tables share keys in the same
/// proportion as the tables do. This tells, without reading rows, which part of an older table is
/// overwritten or erased by newer ones.
///
/// ```
/// u64     bound     of the hashes
/// varint  count     of keys, and of each, by ascending hash:
///   u64     hash    the upper 63 bits of the key's hash
///   varint  place   2 × the number of its newest version in the table, + 1 if that is an ERASE
/// ```
public final class KeySample {
    private final long bound;

    /// Ascending.
    private final long[] hashes;

    private final int[] places;
    private final BitSet erased;

    KeySample(long bound, long[] ascendingHashes, int[] places, BitSet erased) {
        Check.that(ascendingHashes.length == places.length, "%d places", places.length);
        this.bound = bound;
        hashes = ascendingHashes;
        this.places = places;
        this.erased = erased;
    }

    /// Every key with a hash less than this is in the sample.
    public long bound() {
        return bound;
    }

    public int count() {
        return hashes.length;
    }

    /// The number of sampled keys with a hash less than this.
    public int countBelow(long otherBound) {
        int found = Arrays.binarySearch(hashes, otherBound);
        return found < 0 ? -found - 1 : found;
    }

    public long hash(int index) {
        return hashes[index];
    }

    public boolean isErased(int index) {
        return erased.get(index);
    }

    /// The index of the hash; negative if it is not in the sample.
    public int find(long hash) {
        return Arrays.binarySearch(hashes, hash);
    }

    /// The sampled keys whose newest version is one of the versions `[from, to)` of the table.
    public KeySample within(int from, int to) {
        long[] keptHashes = new long[hashes.length];
        int[] keptPlaces = new int[hashes.length];
        var keptErased = new BitSet();
        int kept = 0;
        for (int index = 0; index < hashes.length; index++) {
            if (places[index] >= from && places[index] < to) {
                keptHashes[kept] = hashes[index];
                keptPlaces[kept] = places[index];
                keptErased.set(kept, erased.get(index));
                kept++;
            }
        }
        return new KeySample(
                bound,
                Arrays.copyOf(keptHashes, kept),
                Arrays.copyOf(keptPlaces, kept),
                keptErased);
    }

    public void writeTo(ByteWriter out) {
        out.putLong(bound);
        out.putVarInt(hashes.length);
        for (int index = 0; index < hashes.length; index++) {
            out.putLong(hashes[index]);
            out.putVarLong(2L * places[index] + (erased.get(index) ? 1 : 0));
        }
    }

    /// The bytes must have passed their checksum.
    public static KeySample readFrom(ByteReader in) {
        long bound = in.getLong();
        int count = in.getVarInt();
        long[] hashes = new long[count];
        int[] places = new int[count];
        var erased = new BitSet();
        for (int index = 0; index < count; index++) {
            hashes[index] = in.getLong();
            long place = in.getVarLong();
            places[index] = (int) (place >>> 1);
            erased.set(index, (place & 1) == 1);
        }
        return new KeySample(bound, hashes, places, erased);
    }
}
