package io.cleave.exec;

import io.cleave.value.Value;

import java.util.List;

/// Rows on disk, apart by the hash of their keys, so that each part can be worked on alone. A part
/// that is still too large is parted again at the next level, by other bits of the hash.
final class Partitions {
    private static final int BITS = 4;

    /// Where so many levels do not help, most rows have the same key.
    private static final int MAX_LEVEL = 5;

    private final int level;
    private final List<SpillFile> files;

    /// By part: the hash of its first row, and whether another one has come.
    private final int[] hashes = new int[1 << BITS];

    private final boolean[] hasOthers = new boolean[1 << BITS];

    Partitions(Running run, int level) {
        if (level > MAX_LEVEL) {
            throw run.spill().full();
        }
        this.level = level;
        files = run.spill().newFiles(1 << BITS);
    }

    void add(int hash, Value[] row) {
        int part = place(hash);
        SpillFile file = files.get(part);
        if (file.rows() == 0) {
            hashes[part] = hash;
        }
        hasOthers[part] |= hashes[part] != hash;
        file.add(row);
    }

    /// Whether the part has rows of more than one hash, and bits of it that no level has used.
    boolean canPartAgain(int part) {
        return level < MAX_LEVEL && hasOthers[part];
    }

    private int place(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x9E3779B9;
        return (mixed ^ mixed >>> 15) >>> (BITS * level) & ((1 << BITS) - 1);
    }

    List<SpillFile> files() {
        return files;
    }
}
