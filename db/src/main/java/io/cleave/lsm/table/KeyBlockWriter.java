package io.cleave.lsm.table;

import io.cleave.base.ByteWriter;
import io.cleave.lsm.row.FieldsWriter;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Writes key blocks. The format is described in [KeyBlock].
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

    /// Adds a version. `common` is the number of leading bytes that its key shares with the key
    /// before it. `sameKey` says that this is an older version of that key; the newer version may
    /// be in the block before.
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

    /// The number of keys whose newest version in the table is in this block.
    int keys() {
        return keys;
    }

    /// Bytes so far, without fields and restart points.
    int bytes() {
        return entries.length();
    }

    /// Writes the block and starts the next one. `fields` has the fields of the rows; null if they
    /// are stored apart from the keys.
    void finish(ByteWriter out, @Nullable FieldsWriter fields) {
        out.put(entries.array(), 0, entries.length());
        if (fields != null) {
            fields.finish(out);
        }
        int fieldsTo = out.length();
        for (int index = 0; index < restartCount; index++) {
            out.putInt(restartOffsets[index]);
        }
        for (int index = 0; index < restartCount; index++) {
            out.putInt(restartRows[index]);
        }
        out.putLong(baseTimestamp);
        out.putInt(entries.length());
        out.putInt(fieldsTo);
        out.putInt(rows);
        out.putInt(restartCount);
        entries.clear();
        restartCount = 0;
        rows = 0;
        keys = 0;
    }
}
