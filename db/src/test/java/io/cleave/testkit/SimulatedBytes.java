package io.cleave.testkit;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// The bytes of one file of a [SimulatedDisk], under whatever name: as readers see them, and what
/// of them is durable. Under the disk's lock.
final class SimulatedBytes {
    /// What a disk writes as one.
    private static final int SECTOR_BYTES = 512;

    private byte[] bytes;
    private int size;
    private int forcedSize;

    /// Ranges for which a force failed: in memory they look written, and no later force writes
    /// them.
    private final List<Range> doubtful = new ArrayList<>();

    /// Ranges that were written again since the last force.
    private final List<Range> rewritten = new ArrayList<>();

    /// What was there before a cut that was not forced.
    private byte @Nullable [] uncut;

    private record Range(int from, int to) {
        /// What is left in front of another range, which goes to the end.
        Range without(Range other) {
            return other.to >= to ? new Range(from, Math.max(from, other.from)) : this;
        }
    }

    /// Durable from the beginning.
    SimulatedBytes(byte[] content) {
        bytes = content.clone();
        size = bytes.length;
        forcedSize = size;
    }

    int size() {
        return size;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    /// Later appends go to another array or behind these bytes.
    MemorySegment map() {
        return MemorySegment.ofArray(bytes).asSlice(0, size).asReadOnly();
    }

    int read(ByteBuffer into, long offset) {
        if (offset >= size) {
            return -1;
        }
        int count = Math.min(into.remaining(), size - (int) offset);
        into.put(bytes, (int) offset, count);
        return count;
    }

    void append(ByteBuffer more) {
        int count = more.remaining();
        if (size + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
        }
        more.get(bytes, size, count);
        size += count;
    }

    /// Forced by the next force, unlike bytes that were only there when a force failed.
    void rewrite(ByteBuffer same, int offset) {
        rewritten.add(new Range(offset, offset + same.remaining()));
        same.position(same.limit());
    }

    void truncate(int length) {
        if (length < forcedSize && uncut == null) {
            uncut = copy();
        }
        bytes = Arrays.copyOf(bytes, length);
        size = Math.min(size, length);
        forcedSize = Math.min(forcedSize, length);
    }

    void force() {
        for (Range again : rewritten) {
            doubtful.replaceAll(range -> range.without(again));
        }
        rewritten.clear();
        forcedSize = size;
        uncut = null;
    }

    void forceFailed() {
        rewritten.clear();
        doubtful.add(new Range(forcedSize, size));
        forcedSize = size;
    }

    /// Of what was not forced: nothing, all, a front part, or some sectors and zeroes between.
    byte[] afterCrash(Random random) {
        if (uncut != null && random.nextBoolean()) {
            return uncut;
        }
        int kind = random.nextInt(4);
        int length = forcedSize + random.nextInt(size - forcedSize + 1);
        byte[] left = Arrays.copyOf(bytes, kind == 0 ? forcedSize : kind == 1 ? size : length);
        if (kind == 3) {
            loseSectors(left, new Range(forcedSize, left.length), random);
        }
        doubtful.forEach(range -> loseSectors(left, range, random));
        return left;
    }

    private static void loseSectors(byte[] left, Range range, Random random) {
        int from = range.from();
        int end = Math.min(range.to(), left.length);
        while (from < end) {
            int to = Math.min(end, (from / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (random.nextBoolean()) {
                Arrays.fill(left, from, to, (byte) 0);
            }
            from = to;
        }
    }
}
