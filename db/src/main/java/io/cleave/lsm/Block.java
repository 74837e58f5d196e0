package io.cleave.lsm;

/// A block of a table file, checked, uncompressed and taken apart as far as every reader needs:
/// what the cache holds. Never changes, but for the cache's own notes.
abstract class Block {
    final byte[] bytes;

    /// Where it stands, once a table has it: [BlockCache] lets it go there.
    BlockSlots slots = BlockSlots.NONE;

    int number;

    /// How often it was asked for since the cache last looked, up to a few. Racy: a lost count is a
    /// use forgotten.
    byte uses;

    Block(byte[] bytes) {
        this.bytes = bytes;
    }
}
