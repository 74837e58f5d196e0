package io.cleave.lsm;

import io.cleave.base.Check;

/// How a tree is laid out. All of it may change between two starts; tables keep what they were
/// written with.
///
/// @param blockBytes a data block is ended when it has this many bytes, uncompressed
/// @param restartKeys keys between two restart points of a block
/// @param tableBytes a table is ended when it has this many bytes
/// @param level0Runs flushed memtables that wait before they are merged
/// @param baseBytes how large the first level below level 0 may become; see [Levels]
/// @param levelFactor how much larger each next level may be
public record LsmOptions(
        int blockBytes,
        int restartKeys,
        long tableBytes,
        int level0Runs,
        long baseBytes,
        int levelFactor) {
    public static final LsmOptions DEFAULT =
            new LsmOptions(16 << 10, 16, 64L << 20, 4, 256L << 20, 10);

    /// Levels are 0 to this; the last one has no bound.
    static final int LAST_LEVEL = 6;

    public LsmOptions {
        Check.that(blockBytes > 0, "blockBytes %d", blockBytes);
        Check.that(restartKeys > 0, "restartKeys %d", restartKeys);
        Check.that(tableBytes > 0, "tableBytes %d", tableBytes);
        Check.that(level0Runs > 0, "level0Runs %d", level0Runs);
        Check.that(baseBytes > 0, "baseBytes %d", baseBytes);
        Check.that(levelFactor > 1, "levelFactor %d", levelFactor);
    }
}
