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

    /// For which a force failed: in memory they look written, and no later force writes them.
    private final List<Before> doubtful = new ArrayList<>();

    /// What was written over since the last force, the oldest first.
    private final List<Before> overwritten = new ArrayList<>();

    /// What was there before a cut that was not forced.
    private byte @Nullable [] uncut;

    /// What the disk has from an offset on where newer bytes may not have reached it.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Before(int from, byte[] bytes) {
        int to() {
            return from + bytes.length;
        }

        /// What is left in front of another range, if that goes to the end.
        Before without(Before other) {
            return other.to() < to() ? this : upTo(other.from);
        }

        void copyTo(byte[] file, int copiedFrom, int copiedTo) {
            System.arraycopy(bytes, copiedFrom - from, file, copiedFrom, copiedTo - copiedFrom);
        }

        Before upTo(int end) {
            return new Before(from, Arrays.copyOf(bytes, Math.clamp(end - from, 0, bytes.length)));
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

    /// Past the end, too. What was there is what a crash may leave, until the next force.
    void write(ByteBuffer more, int offset) {
        int end = offset + more.remaining();
        if (offset < forcedSize) {
            int to = Math.min(end, forcedSize);
            overwritten.add(new Before(offset, Arrays.copyOfRange(bytes, offset, to)));
        }
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        more.get(bytes, offset, more.remaining());
        size = Math.max(size, end);
    }

    void truncate(int length) {
        if (length < forcedSize && uncut == null) {
            uncut = copy();
        }
        doubtful.replaceAll(before -> before.upTo(length));
        overwritten.replaceAll(before -> before.upTo(length));
        bytes = Arrays.copyOf(bytes, length);
        size = Math.min(size, length);
        forcedSize = Math.min(forcedSize, length);
    }

    void force() {
        for (Before again : overwritten) {
            doubtful.replaceAll(before -> before.without(again));
        }
        overwritten.clear();
        forcedSize = size;
        uncut = null;
    }

    void forceFailed() {
        doubtful.addAll(overwritten);
        overwritten.clear();
        doubtful.add(new Before(forcedSize, new byte[size - forcedSize]));
        forcedSize = size;
    }

    /// Of what was not forced: nothing, all, a front part, or some sectors and zeroes between. So
    /// it is with what was written over, where there is between them what was there before.
    byte[] afterCrash(Random random) {
        if (uncut != null && random.nextBoolean()) {
            return uncut;
        }
        int kind = random.nextInt(4);
        int length = forcedSize + random.nextInt(size - forcedSize + 1);
        byte[] left = Arrays.copyOf(bytes, kind == 0 ? forcedSize : kind == 1 ? size : length);
        if (kind == 3) {
            loseSectors(left, new Before(forcedSize, new byte[left.length - forcedSize]), random);
        }
        for (Before before : overwritten.reversed()) {
            switch (kind) {
                case 0 -> before.copyTo(left, before.from(), before.to());
                case 1 -> {}
                default -> loseSectors(left, before, random);
            }
        }
        doubtful.reversed().forEach(before -> loseSectors(left, before, random));
        return left;
    }

    private static void loseSectors(byte[] left, Before before, Random random) {
        int from = before.from();
        int end = Math.min(before.to(), left.length);
        while (from < end) {
            int to = Math.min(end, (from / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (random.nextBoolean()) {
                before.copyTo(left, from, to);
            }
            from = to;
        }
    }
}
