package io.cleave.lsm.table;

import io.cleave.lsm.table.StoredFamily.CacheMode;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The pinned blocks of a table, which stay in memory because the settings of their column family
/// say so. They are kept as stored on disk, or parsed in their slots. The cache does not know the
/// latter, so it cannot evict them. Immutable.
final class PinnedBlocks {
    private final CacheMode[] modes;

    /// The blocks kept as stored on disk, by run and block number.
    private final byte[] @Nullable [] @Nullable [] stored;

    private final long blocks;
    private final long bytes;

    private PinnedBlocks(CacheMode[] modes, byte[] @Nullable [] @Nullable [] stored, Count count) {
        this.modes = modes;
        this.stored = stored;
        blocks = count.blocks;
        bytes = count.bytes;
    }

    /// The number and size of pinned blocks.
    private static final class Count {
        private long blocks;
        private long bytes;

        void add(int blockBytes) {
            blocks++;
            bytes += blockBytes;
        }
    }

    static PinnedBlocks none(int runs) {
        CacheMode[] modes = new CacheMode[runs];
        Arrays.fill(modes, CacheMode.REGULAR);
        return new PinnedBlocks(modes, new byte[runs] @Nullable [] @Nullable [], new Count());
    }

    long bytes() {
        return bytes;
    }

    /// Returns the room of the pinned blocks to the cache.
    void release(BlockCache cache) {
        cache.unpin(blocks, bytes);
    }

    byte @Nullable [] stored(int run, int number) {
        byte @Nullable [] @Nullable [] kept = stored[run];
        return kept == null ? null : kept[number];
    }

    /// Loads the runs that are to be pinned, as far as the cache has room for pinned blocks.
    PinnedBlocks changed(
            TableReader table, BlockSlots[] slots, CacheMode[] wanted, BlockCache cache) {
        if (Arrays.equals(modes, wanted)) {
            return this;
        }
        release(cache);
        byte[] @Nullable [] @Nullable [] kept = new byte[slots.length] @Nullable [] @Nullable [];
        var count = new Count();
        for (int run = 0; run < slots.length; run++) {
            if (modes[run] == CacheMode.PINNED && wanted[run] != CacheMode.PINNED) {
                slots[run].clear();
            }
            switch (wanted[run]) {
                case REGULAR -> {}
                case PINNED_COMPRESSED -> {
                    kept[run] = stored(table, run, slots[run].count(), count, cache);
                }
                case PINNED -> {
                    table.dropBlocks(run);
                    load(table, slots[run], run, count, cache);
                }
            }
        }
        return new PinnedBlocks(wanted, kept, count);
    }

    /// Blocks as stored on disk; null for those for which there was no room.
    private static byte[] @Nullable [] stored(
            TableReader table, int run, int blockCount, Count count, BlockCache cache) {
        byte[] @Nullable [] kept = new byte[blockCount] @Nullable [];
        var ahead = new ReadAhead(table, run);
        for (int number = 0; number < blockCount; number++) {
            ahead.open(number, false);
            byte[] block = table.stored(run, number);
            if (!cache.tryPin(block.length)) {
                break;
            }
            kept[number] = block;
            count.add(block.length);
        }
        return kept;
    }

    private static void load(
            TableReader table, BlockSlots slots, int run, Count count, BlockCache cache) {
        var ahead = new ReadAhead(table, run);
        for (int number = 0; number < slots.count(); number++) {
            ahead.open(number, false);
            Block read = table.read(run, number);
            if (!cache.tryPin(read.bytes.length)) {
                break;
            }
            slots.put(number, read);
            count.add(read.bytes.length);
        }
    }
}
