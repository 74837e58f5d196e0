package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// A sorted sequence of versions, by key and then newest first, with a place in it: a memtable or a
/// run of tables. As an [Entry] it shows the version at that place; it means something only after a
/// move that returned true.
///
/// Moves go by keys, in both directions, and always arrive at the newest version of a key.
abstract class Source extends Entry {
    /// To the first key that is at least `bound`.
    abstract boolean seek(Bytes bound);

    /// To the last key before `bound`; null is after all keys.
    abstract boolean seekBefore(@Nullable Bytes bound);

    /// To the next older version of the same key. After false, only moves by key are left.
    abstract boolean nextVersion();

    abstract boolean nextKey();

    abstract boolean previousKey();

    /// Merges what the snapshot sees of the current key, from the current version on. True when
    /// nothing older can change the row.
    final boolean mergeInto(Row row, long snapshot, ReadWatch watch) {
        do {
            if (timestamp > snapshot) {
                watch.newerVersion();
            } else if (row.merge(timestamp, change, from)) {
                return true;
            }
        } while (nextVersion());
        return false;
    }
}
