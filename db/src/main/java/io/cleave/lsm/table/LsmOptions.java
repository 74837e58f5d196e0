package io.cleave.lsm.table;

import io.cleave.base.Check;

/// The sizes of a tree's blocks, tables and levels. Every option may change at a restart; existing
/// tables keep the options they were written with.
///
/// @param blockBytes a data block ends when it has this many bytes, uncompressed
/// @param restartKeys the number of keys between two restart points of a block
/// @param tableBytes a table ends when it has this many bytes
/// @param level0Runs the number of runs on level 0 at which they are merged
/// @param baseBytes the maximum size of the first level below level 0; see `Levels` of the package
///   `lsm`
/// @param levelFactor how many times larger each next level may be
public record LsmOptions(
        int blockBytes,
        int restartKeys,
        long tableBytes,
        int level0Runs,
        long baseBytes,
        int levelFactor) {
    public static final LsmOptions DEFAULT =
            new LsmOptions(16 << 10, 16, 64L << 20, 4, 256L << 20, 10);

    /// The number of the last level, which has no size limit. The first level is 0.
    public static final int LAST_LEVEL = 6;

    public LsmOptions {
        Check.that(blockBytes > 0, "blockBytes %d", blockBytes);
        Check.that(restartKeys > 0, "restartKeys %d", restartKeys);
        Check.that(tableBytes > 0, "tableBytes %d", tableBytes);
        Check.that(level0Runs > 0, "level0Runs %d", level0Runs);
        Check.that(baseBytes > 0, "baseBytes %d", baseBytes);
        Check.that(levelFactor > 1, "levelFactor %d", levelFactor);
    }
}
