package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// A sorted sequence of versions, by key and then newest first, with a place in it: a memtable or a
/// run of tables. Its fields show the version at that place, without an object of its own; they
/// mean something only after a move that returned true.
///
/// Moves go by keys, in both directions, and always arrive at the newest version of a key.
abstract class Source {
    byte[] key = Bytes.EMPTY.array();
    int keyBytes;
    long timestamp;

    /// See [RowChange.Kind#code].
    int kind;

    /// To the first key that is at least `bound`.
    abstract boolean seek(Bytes bound);

    /// To the last key before `bound`; null is after all keys.
    abstract boolean seekBefore(@Nullable Bytes bound);

    /// To the next older version of the same key. After false, only moves by key are left.
    abstract boolean nextVersion();

    abstract boolean nextKey();

    abstract boolean previousKey();

    /// Adds the cells of the current version where no newer one has set them. An ERASE has none.
    abstract void readCells(Row into);

    /// Gives away all rows of the block that begins at the current key and moves behind it, if that
    /// is right: each of them has one version, which the snapshot sees, and all keys are before
    /// both bounds (null is none). Returns how many; 0 where it is not, and nothing has moved.
    int takeBlock(
            long snapshot, @Nullable Bytes bound, @Nullable Source other, CellBatches batches) {
        return 0;
    }

    /// Whether a [#takeBlock] that took something has moved to a key; false at the end.
    boolean hasKey() {
        return true;
    }

    final int compareKey(Source other) {
        return Keys.compare(key, 0, keyBytes, other.key, 0, other.keyBytes);
    }

    final int compareKey(Bytes bound) {
        return Keys.compare(key, 0, keyBytes, bound.array(), 0, bound.length());
    }

    /// Adds the current version, the next older one, to the row. True when nothing older can change
    /// it.
    final boolean addTo(Row row) {
        if (kind == RowChange.Kind.ERASE.code || timestamp <= row.floor) {
            return true;
        }
        row.addVersion(timestamp);
        readCells(row);
        return kind == RowChange.Kind.REPLACE.code || row.isComplete();
    }

    /// Merges what the snapshot sees of the current key, from the current version on. True when
    /// nothing older can change the row.
    final boolean mergeInto(Row row, long snapshot, ReadWatch watch) {
        do {
            if (timestamp > snapshot) {
                watch.newerVersion();
            } else if (addTo(row)) {
                return true;
            }
        } while (nextVersion());
        return false;
    }
}
