package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Rows on disk, apart by the hash of their keys, so that each part can be worked on alone. A part
/// that is still too large is parted again at the next level, by a hash with another seed: as long
/// as it has several keys, they come apart.
final class Partitions {
    private static final int BITS = 4;

    private final long seed;
    private final List<SpillFile> files;

    /// By part: the key of its first row, and whether it has a row with another one or none.
    private final @Nullable RowKey[] keys = new RowKey[1 << BITS];

    private final boolean[] hasOthers = new boolean[1 << BITS];

    /// Where the next row without a key goes.
    private int turn;

    Partitions(Running run, int level) {
        seed = level + 1L;
        files = run.spill().newFiles(1 << BITS);
    }

    void add(RowKey key, Value[] row) {
        int part = (int) (key.hash(seed) >>> (Long.SIZE - BITS));
        RowKey first = keys[part];
        if (first == null) {
            keys[part] = key;
        } else if (!hasOthers[part]) {
            hasOthers[part] = !first.equals(key);
        }
        files.get(part).add(row);
    }

    /// A row that is equal to no other.
    void addKeyless(Value[] row) {
        hasOthers[turn] = true;
        files.get(turn).add(row);
        turn = (turn + 1) % files.size();
    }

    /// Whether the part can be parted again; if not, all its rows have one key.
    boolean hasSeveralKeys(int part) {
        return hasOthers[part];
    }

    /// That of the first row which has one, or null.
    @Nullable RowKey key(int part) {
        return keys[part];
    }

    /// Removes the files: their rows are not wanted any more.
    void remove(Spill spill) {
        files.forEach(spill::remove);
    }

    /// All rows are there: the files take no more memory until they are read.
    List<SpillFile> files() {
        files.forEach(SpillFile::flush);
        return files;
    }
}
