package io.cleave.exec.spill;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Rows on disk, partitioned by the hash of their keys, so that each part can be processed alone. A
/// part that is still too large is partitioned again at the next level, by a hash with another
/// seed, which separates the keys of the part if there are several.
public final class Partitions {
    private static final int BITS = 4;

    private final long seed;
    private final List<SpillFile> files;

    /// The key of each part's first row that has one. `hasOthers` says whether the part also has a
    /// row with another key or with no key.
    private final @Nullable RowKey[] keys = new RowKey[1 << BITS];

    private final boolean[] hasOthers = new boolean[1 << BITS];

    /// The part that takes the next row without a key.
    private int turn;

    public Partitions(Spill spill, int level) {
        seed = level + 1L;
        files = spill.newFiles(1 << BITS);
    }

    public void add(RowKey key, Value[] row) {
        int part = (int) (key.hash(seed) >>> (Long.SIZE - BITS));
        RowKey first = keys[part];
        if (first == null) {
            keys[part] = key;
        } else if (!hasOthers[part]) {
            hasOthers[part] = !first.equals(key);
        }
        files.get(part).add(row);
    }

    /// Adds a row that is equal to no other.
    public void addKeyless(Value[] row) {
        hasOthers[turn] = true;
        files.get(turn).add(row);
        turn = (turn + 1) % files.size();
    }

    /// Whether the part can be partitioned again. If not, all its rows have the same key.
    public boolean hasSeveralKeys(int part) {
        return hasOthers[part];
    }

    /// The key of the part's first row that has one; null if there is none.
    public @Nullable RowKey key(int part) {
        return keys[part];
    }

    /// Removes the files when their rows are no longer needed.
    public void remove(Spill spill) {
        files.forEach(spill::remove);
    }

    /// Called after the last row was added. The files take no memory until they are read.
    public List<SpillFile> files() {
        files.forEach(SpillFile::flush);
        return files;
    }
}
