package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.hash.IntHash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Counts distinct values by the low 32 bits of their hashes. Up to [#MAX_HASHES] hashes are
/// counted exactly. Beyond that, only hashes that end in a certain number of zero bits are kept,
/// and the result is extrapolated. Formats and results are those of YTsaurus.
///
/// ```
///  0  u32  count       the number of hashes
///  4  u8   degree      kept hashes end in this many zero bits
///  5  u8   power       the table has 2^power places
///  6  u8   has_zero    whether the hash 0 is among them; it is not in the table
///  7  u8   unused
///  8  u32[2^power]     the table with open addressing; 0 is an empty place
/// ```
final class UniqueSketch {
    static final int MAX_HASHES = 1 << 16;

    private static final int HEADER_BYTES = 8;
    private static final int FIRST_POWER = 4;
    private static final int MAX_POWER = 17;

    private int count;
    private int degree;
    private boolean hasZero;
    private int power = FIRST_POWER;
    private int[] table = new int[1 << FIRST_POWER];

    int sizeBytes() {
        return HEADER_BYTES + table.length * Integer.BYTES;
    }

    void add(int hash) {
        if (!isKept(hash)) {
            return;
        }
        insert(hash);
        while (count > table.length / 2) {
            if (count > MAX_HASHES) {
                degree++;
                rebuild(power);
            } else {
                rebuild(power + 1);
            }
        }
    }

    private boolean isKept(int hash) {
        return degree >= Integer.SIZE ? hash == 0 : hash == (hash >>> degree) << degree;
    }

    private void insert(int hash) {
        if (hash == 0) {
            count += hasZero ? 0 : 1;
            hasZero = true;
            return;
        }
        int place = place(hash);
        while (table[place] != 0 && table[place] != hash) {
            place = (place + 1) & (table.length - 1);
        }
        if (table[place] == 0) {
            table[place] = hash;
            count++;
        }
    }

    private int place(int hash) {
        return (hash >>> (Integer.SIZE - MAX_POWER)) & (table.length - 1);
    }

    private void rebuild(int newPower) {
        int[] old = table;
        power = newPower;
        table = new int[1 << newPower];
        count = hasZero ? 1 : 0;
        for (int hash : old) {
            if (hash != 0 && isKept(hash)) {
                insert(hash);
            }
        }
    }

    /// Adds another sketch, given as its bytes.
    void merge(Bytes state) {
        ByteBuffer in = ByteBuffer.wrap(state.array()).order(ByteOrder.LITTLE_ENDIAN);
        int otherPower = state.length() < HEADER_BYTES ? -1 : in.get(5);
        int otherDegree = state.length() < HEADER_BYTES ? -1 : in.get(4);
        boolean valid =
                otherPower >= FIRST_POWER
                        && otherPower <= MAX_POWER
                        && otherDegree >= 0
                        && otherDegree <= Integer.SIZE
                        && state.length() == HEADER_BYTES + (Integer.BYTES << otherPower);
        if (!valid) {
            throw YtQueryErrors.failure("Invalid state of function \"uniq\"");
        }
        if (otherDegree > degree) {
            degree = otherDegree;
            rebuild(power);
        }
        if (in.get(6) != 0) {
            add(0);
        }
        for (int at = HEADER_BYTES; at < state.length(); at += Integer.BYTES) {
            int hash = in.getInt(at);
            if (hash != 0) {
                add(hash);
            }
        }
    }

    Bytes state() {
        var out = ByteBuffer.allocate(sizeBytes()).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(count).put((byte) degree).put((byte) power);
        out.put((byte) (hasZero ? 1 : 0)).put((byte) 0);
        Arrays.stream(table).forEach(out::putInt);
        return Bytes.wrap(out.array());
    }

    long estimate() {
        if (degree == 0) {
            return count;
        }
        long extrapolated = (long) count << degree;
        long fuzzed = extrapolated + (IntHash.farm(count) & ((1L << degree) - 1));
        // Different values can have the same 32 bits. The logarithm corrects for this.
        double hashes = 0x1p32;
        return Math.round(hashes * (Math.log(hashes) - Math.log(hashes - fuzzed)));
    }
}
