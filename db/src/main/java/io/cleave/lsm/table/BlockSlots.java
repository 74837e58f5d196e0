package io.cleave.lsm.table;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// The cached blocks of one run of a table, by block number. A lookup is one array access.
/// [BlockCache] decides which blocks stay. Threads: any.
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

    /// Returns null if the block was put; otherwise the block that another reader put first.
    @Nullable Block putIfAbsent(int number, Block block) {
        block.slots = this;
        block.number = number;
        return blocks.compareAndExchange(number, null, block);
    }

    /// Puts a pinned block, replacing a cached one. The cache cannot evict the pinned block.
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
