package io.cleave.lsm;

import java.util.Arrays;

/// Fills one data block.
///
/// ```
/// entries, by key and then newest first:
///   varint  shared << 1 | same     shared: bytes of the key that the entry before has too
///                                  same:   1 if it is the same key, in an older version
///   varint  rest                   bytes of the key that follow
///   varint  length                 bytes of the change
///   u64     timestamp
///   rest of the key, change
/// u32 each  offset of every restart point
/// u32       number of restart points
/// ```
///
/// A restart point is an entry with its whole key (shared = 0): where a search begins. The first
/// entry is one; after that, every `restartKeys`-th key, never an older version.
final class BlockWriter {
    private final int restartKeys;
    private final Output out;
    private int[] restarts = new int[64];
    private int restartCount;
    private int keysSinceRestart;
    private int keyCount;
    private byte[] lastKey = new byte[64];
    private int lastKeyBytes;

    BlockWriter(int restartKeys, int blockBytes) {
        this.restartKeys = restartKeys;
        out = new Output(blockBytes + blockBytes / 4);
    }

    /// `sameKey`: an older version of the key of the entry before, also if that one is in the block
    /// before.
    void add(Entry version, boolean sameKey) {
        boolean first = restartCount == 0;
        int shared = 0;
        if (sameKey && !first) {
            shared = version.keyBytes;
        } else if (first || keysSinceRestart == restartKeys) {
            addRestart(out.length());
        } else {
            shared = commonPrefix(version.key, version.keyBytes);
        }
        if (!sameKey || first) {
            keysSinceRestart++;
            rememberKey(version);
        }
        keyCount += sameKey ? 0 : 1;
        out.putVarint(shared << 1 | (sameKey && !first ? 1 : 0));
        out.putVarint(version.keyBytes - shared).putVarint(version.to - version.from);
        out.putLong(version.timestamp);
        out.put(version.key, shared, version.keyBytes);
        out.put(version.change, version.from, version.to);
    }

    private void addRestart(int offset) {
        if (restartCount == restarts.length) {
            restarts = Arrays.copyOf(restarts, restartCount * 2);
        }
        restarts[restartCount++] = offset;
        keysSinceRestart = 0;
    }

    private int commonPrefix(byte[] key, int keyBytes) {
        int mismatch = Arrays.mismatch(lastKey, 0, lastKeyBytes, key, 0, keyBytes);
        return mismatch < 0 ? keyBytes : mismatch;
    }

    private void rememberKey(Entry version) {
        if (lastKey.length < version.keyBytes) {
            lastKey = new byte[version.keyBytes * 2];
        }
        System.arraycopy(version.key, 0, lastKey, 0, version.keyBytes);
        lastKeyBytes = version.keyBytes;
    }

    boolean isEmpty() {
        return restartCount == 0;
    }

    /// So far, without the restart points.
    int bytes() {
        return out.length();
    }

    /// Keys that begin in this block.
    int keyCount() {
        return keyCount;
    }

    /// Ends the block; what is returned holds until the next add.
    Output finish() {
        for (int index = 0; index < restartCount; index++) {
            out.putInt(restarts[index]);
        }
        return out.putInt(restartCount);
    }

    void clear() {
        out.clear();
        restartCount = 0;
        keyCount = 0;
    }
}
