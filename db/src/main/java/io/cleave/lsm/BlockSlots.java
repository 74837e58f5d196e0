package io.cleave.lsm;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// The blocks of one run of a table that are in memory, by number: finding one is one look into an
/// array. [BlockCache] decides which stay. Threads: any.
final class BlockSlots {
    static final BlockSlots NONE = new BlockSlots(0);

    private final AtomicReferenceArray<@Nullable Block> blocks;

    BlockSlots(int count) {
        blocks = new AtomicReferenceArray<>(count);
    }

    int count() {
        return blocks.length();
    }

    @Nullable Block get(int number) {
        return blocks.getAcquire(number);
    }

    /// Null if it is there now; otherwise the block that another reader was faster with.
    @Nullable Block putIfAbsent(int number, Block block) {
        block.slots = this;
        block.number = number;
        return blocks.compareAndExchange(number, null, block);
    }

    /// For a block that stays: the cache, which may have another one here, cannot let go of it.
    void put(int number, Block block) {
        block.slots = this;
        block.number = number;
        blocks.set(number, block);
    }

    void clear() {
        for (int number = 0; number < blocks.length(); number++) {
            blocks.set(number, null);
        }
    }

    void remove(Block block) {
        blocks.compareAndSet(block.number, block, null);
    }
}
