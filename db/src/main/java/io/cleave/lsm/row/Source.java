package io.cleave.lsm.row;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// A cursor over a sorted sequence of versions, by key and then newest first. The sequence is a
/// memtable or a run of tables. Its members show the current version; they are valid only after a
/// move that returned true.
///
/// Moves go from key to key, in both directions, and always arrive at the newest version of a key.
public abstract class Source {
    public byte[] key = Bytes.EMPTY.array();
    public int keyBytes;
    public long timestamp;

    /// See [RowChange.Kind#code].
    public int kind;

    /// Moves to the first key that is at least `bound`.
    public abstract boolean seek(Bytes bound);

    /// Moves to the last key before `bound`; if `bound` is null, to the last key.
    public abstract boolean seekBefore(@Nullable Bytes bound);

    /// Moves to the next older version of the same key. After it returned false, only moves by key
    /// are possible.
    public abstract boolean nextVersion();

    public abstract boolean nextKey();

    public abstract boolean previousKey();

    /// Adds the fields of the current version, except for columns that a newer version has set. An
    /// ERASE has no fields.
    public abstract void readFields(Row into);

    /// Passes on all rows of the block that begins at the current key, and moves past the block.
    /// Requires that each row has one version, which the snapshot sees, and that all keys are
    /// before `bound` and before the key of `other` (null means no bound). Returns the number of
    /// rows; 0 if the block does not qualify, and then nothing has moved.
    public int takeBlock(
            long snapshot, @Nullable Bytes bound, @Nullable Source other, FieldBatches batches) {
        return 0;
    }

    /// Whether the source is at a key after a [#takeBlock] that returned rows; false at the end.
    public boolean hasKey() {
        return true;
    }

    final int compareKey(Source other) {
        return Keys.compare(key, 0, keyBytes, other.key, 0, other.keyBytes);
    }

    public final int compareKey(Bytes bound) {
        return Keys.compare(key, 0, keyBytes, bound.array(), 0, bound.length());
    }

    /// Adds the current version, the next older one, to the row. Returns true if no older version
    /// can change the row.
    public final boolean addTo(Row row) {
        if (kind == RowChange.Kind.ERASE.code || timestamp <= row.floor) {
            return true;
        }
        row.addVersion(timestamp);
        readFields(row);
        return kind == RowChange.Kind.REPLACE.code || row.isComplete();
    }

    /// Merges the versions of the current key that the snapshot sees, from the current version on.
    /// Returns true if no older version can change the row.
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
