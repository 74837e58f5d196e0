package io.cleave.lsm;

import io.cleave.lsm.ColumnGroup.CacheMode;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The blocks of a table that stay in memory because its owner said so: as they are on disk, or
/// ready to read in their slots, where the cache cannot let go of what it never got. Never changes.
final class PinnedBlocks {
    private final CacheMode[] modes;

    /// By run and block, of those that are kept as they are on disk.
    private final byte[] @Nullable [][] stored;

    private final long bytes;

    private PinnedBlocks(CacheMode[] modes, byte[] @Nullable [][] stored, long bytes) {
        this.modes = modes;
        this.stored = stored;
        this.bytes = bytes;
    }

    static PinnedBlocks none(int runs) {
        CacheMode[] modes = new CacheMode[runs];
        Arrays.fill(modes, CacheMode.REGULAR);
        return new PinnedBlocks(modes, new byte[runs] @Nullable [][], 0);
    }

    long bytes() {
        return bytes;
    }

    byte @Nullable [] stored(int run, int number) {
        byte[][] blocks = stored[run];
        return blocks == null ? null : blocks[number];
    }

    /// Loads the runs whose mode wants it.
    PinnedBlocks changed(TableReader table, BlockSlots[] slots, CacheMode[] wanted) {
        if (Arrays.equals(modes, wanted)) {
            return this;
        }
        byte[] @Nullable [][] kept = new byte[slots.length] @Nullable [][];
        long total = 0;
        for (int run = 0; run < slots.length; run++) {
            if (modes[run] == CacheMode.PINNED && wanted[run] != CacheMode.PINNED) {
                slots[run].clear();
            }
            switch (wanted[run]) {
                case REGULAR -> {}
                case PINNED_COMPRESSED -> {
                    byte[][] blocks = new byte[slots[run].count()][];
                    var ahead = new ReadAhead(table, run);
                    for (int number = 0; number < blocks.length; number++) {
                        ahead.open(number, false);
                        blocks[number] = table.stored(run, number);
                        total += blocks[number].length;
                    }
                    kept[run] = blocks;
                }
                case PINNED -> {
                    table.dropBlocks(run);
                    total += load(table, slots[run], run);
                }
            }
        }
        return new PinnedBlocks(wanted, kept, total);
    }

    private static long load(TableReader table, BlockSlots slots, int run) {
        long bytes = 0;
        var ahead = new ReadAhead(table, run);
        for (int number = 0; number < slots.count(); number++) {
            ahead.open(number, false);
            Block read = table.read(run, number);
            slots.put(number, read);
            bytes += read.bytes.length;
        }
        return bytes;
    }
}
