package io.cleave.lsm;

import io.cleave.base.Check;

/// How a tree is laid out. All of it may change between two starts; tables keep what they were
/// written with.
///
/// @param blockBytes a data block is ended when it has this many bytes, uncompressed
/// @param restartKeys keys between two restart points of a block
/// @param tableBytes a table is ended when it has this many bytes
/// @param level0Runs flushed memtables that wait before they are merged into level 1
/// @param level1Bytes how large level 1 may become
/// @param levelFactor how much larger each next level may be
public record LsmOptions(
        int blockBytes,
        int restartKeys,
        long tableBytes,
        int level0Runs,
        long level1Bytes,
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
        Check.that(level1Bytes > 0, "level1Bytes %d", level1Bytes);
        Check.that(levelFactor > 1, "levelFactor %d", levelFactor);
    }

    /// How large a level from 1 on may become.
    long levelBytes(int level) {
        if (level >= LAST_LEVEL) {
            return Long.MAX_VALUE;
        }
        long bytes = level1Bytes;
        for (int above = 1; above < level; above++) {
            bytes *= levelFactor;
        }
        return bytes;
    }
}
