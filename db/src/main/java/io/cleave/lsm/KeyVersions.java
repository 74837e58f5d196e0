package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.Merge;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.Source;
import io.cleave.lsm.row.VersionReader;

/// The versions of single keys of a tree, at the moment at which it was made: when a key was
/// written last, and what was written.
///
/// Threads: any.
public final class KeyVersions {
    private final TreeView view;
    private final FilterCounters filters;

    KeyVersions(TreeView view, FilterCounters filters) {
        this.view = view;
        this.filters = filters;
    }

    public static KeyVersions of(LsmTree tree) {
        return tree.versions();
    }

    /// Whether the key has a version later than `after`, or was erased with a range of keys after
    /// it. Files without such versions are not read.
    public boolean isWrittenAfter(Bytes key, long after) {
        return view.isWrittenAfter(key, after, filters);
    }

    /// Reads the versions of a key that are later than `after`, the newest first. They are complete
    /// only if `after` is held, because compaction then keeps each of them. Range erases are left
    /// out; see [#erasedAt].
    public void read(Bytes key, long after, Projection projection, VersionReader reader) {
        Bytes to = key.successor();
        var merge = new Merge(view.sourcesSince(key, to, after, projection), Direction.FORWARD);
        if (!merge.seek(key, to) || merge.source(0).compareKey(to) >= 0) {
            return;
        }
        var fields = new Row(projection);
        for (int index = 0; index < merge.tied(); index++) {
            Source source = merge.source(index);
            do {
                if (source.timestamp <= after) {
                    return;
                }
                fields.begin(key);
                source.addTo(fields);
                RowChange.Kind kind = RowChange.kind(source.kind);
                if (!reader.version(source.timestamp, kind, fields)) {
                    return;
                }
            } while (source.nextVersion());
        }
    }

    /// The timestamp of the latest range erase that covers the key, or [RangeErases#NEVER].
    public long erasedAt(Bytes key) {
        return erasedAt(key, Long.MAX_VALUE);
    }

    /// The timestamp of the latest range erase up to `through` that covers the key, or
    /// [RangeErases#NEVER].
    public long erasedAt(Bytes key, long through) {
        return view.erases().isEmpty()
                ? RangeErases.NEVER
                : view.erases().floor(key.array(), key.length(), through);
    }
}
