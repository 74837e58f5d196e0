package io.cleave.lsm;

import io.cleave.base.ByteWriter;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Fills the keys of one key block; [KeyBlock] draws it.
final class KeyBlockWriter {
    private final int restartKeys;
    private final ByteWriter entries;
    private int[] restartOffsets = new int[64];
    private int[] restartRows = new int[64];
    private int restartCount;
    private int keysSinceRestart;
    private int rows;
    private int keys;
    private long baseTimestamp;

    KeyBlockWriter(int restartKeys, int blockBytes) {
        this.restartKeys = restartKeys;
        entries = new ByteWriter(blockBytes + blockBytes / 4);
    }

    /// Adds a version. `common`: bytes that its key begins with like the key before; `sameKey`:
    /// that is all of them, for this is an older version of it, though the newer may be in the
    /// block before.
    void add(
            byte[] key,
            int keyBytes,
            int common,
            boolean sameKey,
            long timestamp,
            RowChange.Kind kind) {
        boolean first = rows == 0;
        boolean older = sameKey && !first;
        int shared = common;
        if (first) {
            baseTimestamp = timestamp;
        }
        if (!older) {
            if (first || keysSinceRestart == restartKeys) {
                addRestart();
                shared = 0;
            }
            keysSinceRestart++;
        }
        keys += sameKey ? 0 : 1;
        rows++;
        entries.putVarInt((shared << 3) | (kind.code << 1) | (older ? 1 : 0));
        entries.putVarInt(keyBytes - shared);
        entries.put(key, shared, keyBytes);
        long step = timestamp - baseTimestamp;
        entries.putVarLong((step << 1) ^ (step >> (Long.SIZE - 1)));
    }

    private void addRestart() {
        if (restartCount == restartOffsets.length) {
            restartOffsets = Arrays.copyOf(restartOffsets, restartCount * 2);
            restartRows = Arrays.copyOf(restartRows, restartCount * 2);
        }
        restartOffsets[restartCount] = entries.length();
        restartRows[restartCount++] = rows;
        keysSinceRestart = 0;
    }

    int rows() {
        return rows;
    }

    /// Keys that begin in this block.
    int keys() {
        return keys;
    }

    /// So far, without the restart points.
    int bytes() {
        return entries.length();
    }

    /// Writes the block and begins the next; `cells` are the rows' cells, null if they stand
    /// elsewhere.
    void finish(ByteWriter out, @Nullable CellsWriter cells) {
        out.put(entries.array(), 0, entries.length());
        if (cells != null) {
            cells.finish(out);
        }
        int cellsTo = out.length();
        for (int index = 0; index < restartCount; index++) {
            out.putInt(restartOffsets[index]);
        }
        for (int index = 0; index < restartCount; index++) {
            out.putInt(restartRows[index]);
        }
        out.putLong(baseTimestamp);
        out.putInt(entries.length());
        out.putInt(cellsTo);
        out.putInt(rows);
        out.putInt(restartCount);
        entries.clear();
        restartCount = 0;
        rows = 0;
        keys = 0;
    }
}
