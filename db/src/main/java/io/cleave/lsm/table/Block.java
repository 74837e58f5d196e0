package io.cleave.lsm.table;

/// A block of a table file in memory: verified, uncompressed and parsed. The block cache holds
/// these objects. A block never changes, except for the fields below, which belong to the cache.
abstract class Block {
    final byte[] bytes;

    /// The slots that hold this block once it is cached; [BlockCache] evicts it from there.
    BlockSlots slots = BlockSlots.NONE;

    int number;

    /// The number of uses since the cache last looked at this block, up to a small maximum. Updated
    /// without a lock, so some uses may not be counted.
    byte uses;

    Block(byte[] bytes) {
        this.bytes = bytes;
    }
}
