package io.cleave.lsm.table;

import io.cleave.lsm.table.StoredFamily.CacheMode;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The pinned blocks of a table, which stay in memory because the settings of their column family
/// say so. They are kept as stored on disk, or parsed in their slots. The cache does not know the
/// latter, so it cannot evict them. Of a run, the first blocks are pinned: all, or as many as there
/// was room for. Immutable.
final class PinnedBlocks {
    private final CacheMode[] modes;

    /// The blocks kept as stored on disk, by run and block number.
    private final byte[] @Nullable [] @Nullable [] stored;

    /// For each run, the memory of its first `n` blocks at index `n`, up to the last pinned block.
    private final long[][] memory;

    /// The size of the first block for which there was no room; 0 if all are pinned.
    private final int refusedBytes;

    private PinnedBlocks(
            CacheMode[] modes,
            byte[] @Nullable [] @Nullable [] stored,
            long[][] memory,
            int refusedBytes) {
        this.modes = modes;
        this.stored = stored;
        this.memory = memory;
        this.refusedBytes = refusedBytes;
    }

    static PinnedBlocks none(int runs) {
        CacheMode[] modes = new CacheMode[runs];
        Arrays.fill(modes, CacheMode.REGULAR);
        return new PinnedBlocks(
                modes, new byte[runs] @Nullable [] @Nullable [], new long[runs][1], 0);
    }

    /// The memory that all pinned blocks take.
    long bytes() {
        long bytes = 0;
        for (long[] ofRun : memory) {
            bytes += ofRun[ofRun.length - 1];
        }
        return bytes;
    }

    /// The memory that the pinned ones of the blocks `[from, to)` take.
    long bytes(int run, int from, int to) {
        long[] ofRun = memory[run];
        int pinned = ofRun.length - 1;
        return ofRun[Math.min(to, pinned)] - ofRun[Math.min(from, pinned)];
    }

    byte @Nullable [] stored(int run, int number) {
        byte @Nullable [] @Nullable [] kept = stored[run];
        return kept == null ? null : kept[number];
    }

    /// Whether every block is pinned that should be.
    boolean isAll(CacheMode[] wanted) {
        return refusedBytes == 0 && Arrays.equals(modes, wanted);
    }

    /// Returns the room of the pinned blocks to the cache.
    void release(BlockCache cache) {
        cache.unpin(bytes());
    }

    /// Loads the blocks that are to be pinned and are not, as far as the cache has room for them,
    /// and releases those that are not to be pinned any more.
    PinnedBlocks changed(
            TableReader table, BlockSlots[] slots, CacheMode[] wanted, BlockCache cache) {
        if (isAll(wanted)) {
            return this;
        }
        if (Arrays.equals(modes, wanted)) {
            return cache.hasRoomToPin(refusedBytes) ? loaded(table, slots, cache) : this;
        }
        byte[] @Nullable [] @Nullable [] kept = new byte[slots.length] @Nullable [] @Nullable [];
        long[][] ends = new long[slots.length][];
        for (int run = 0; run < slots.length; run++) {
            if (modes[run] == wanted[run]) {
                kept[run] = stored[run];
                ends[run] = memory[run];
                continue;
            }
            cache.unpin(memory[run][memory[run].length - 1]);
            ends[run] = new long[1];
            if (modes[run] == CacheMode.PINNED) {
                slots[run].clear();
            }
        }
        return new PinnedBlocks(wanted, kept, ends, 0).loaded(table, slots, cache);
    }

    private PinnedBlocks loaded(TableReader table, BlockSlots[] slots, BlockCache cache) {
        byte[] @Nullable [] @Nullable [] kept = stored.clone();
        long[][] ends = memory.clone();
        int refused = 0;
        for (int run = 0; run < slots.length; run++) {
            int blockCount = slots[run].count();
            if (modes[run] == CacheMode.REGULAR || ends[run].length > blockCount) {
                continue;
            }
            var loading = new Loading(table, slots[run], run, ends[run]);
            if (modes[run] == CacheMode.PINNED_COMPRESSED) {
                kept[run] = loading.keepStored(stored[run], cache);
            } else {
                table.dropBlocks(run);
                loading.keepParsed(cache);
            }
            ends[run] = loading.memory();
            if (refused == 0) {
                refused = loading.refusedBytes;
            }
        }
        return new PinnedBlocks(modes, kept, ends, refused);
    }

    /// Loads the blocks of a run behind those that are pinned already.
    private static final class Loading {
        private final TableReader table;
        private final BlockSlots slots;
        private final int run;
        private final ReadAhead ahead;
        private final long[] memory;
        private int pinned;
        private int refusedBytes;

        Loading(TableReader table, BlockSlots slots, int run, long[] memory) {
            this.table = table;
            this.slots = slots;
            this.run = run;
            ahead = new ReadAhead(table, run);
            pinned = memory.length - 1;
            this.memory = Arrays.copyOf(memory, slots.count() + 1);
        }

        byte[] @Nullable [] keepStored(byte @Nullable [] @Nullable [] earlier, BlockCache cache) {
            byte[] @Nullable [] kept =
                    earlier == null ? new byte[slots.count()] @Nullable [] : earlier.clone();
            while (pinned < slots.count()) {
                ahead.open(pinned, false);
                byte[] block = table.stored(run, pinned);
                if (!take(block.length, cache)) {
                    break;
                }
                kept[pinned - 1] = block;
            }
            return kept;
        }

        void keepParsed(BlockCache cache) {
            while (pinned < slots.count()) {
                ahead.open(pinned, false);
                Block read = table.read(run, pinned);
                if (!take(read.bytes.length, cache)) {
                    break;
                }
                slots.put(pinned - 1, read);
            }
        }

        private boolean take(int blockBytes, BlockCache cache) {
            if (!cache.tryPin(blockBytes)) {
                refusedBytes = blockBytes;
                return false;
            }
            memory[pinned + 1] = memory[pinned] + BlockCache.memoryOf(blockBytes);
            pinned++;
            return true;
        }

        long[] memory() {
            return Arrays.copyOf(memory, pinned + 1);
        }
    }
}
