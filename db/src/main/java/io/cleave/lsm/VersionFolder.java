package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.Arrays;

/// Passes on the versions of one key after another, without what no snapshot can see.
///
/// Versions newer than the oldest snapshot are kept as they are. Of the others only their sum can
/// be seen, so they become one version, at the time of the newest. If that is an ERASE and nothing
/// older lies below, it becomes nothing.
final class VersionFolder {
    private final long oldestSnapshot;
    private final boolean bottom;
    private final TablesWriter out;
    private final Row row = new Row();
    private final FoldedVersion folded = new FoldedVersion();

    VersionFolder(long oldestSnapshot, boolean bottom, TablesWriter out) {
        this.oldestSnapshot = oldestSnapshot;
        this.bottom = bottom;
        this.out = out;
    }

    void fold(Merge merge) {
        out.beginKey();
        row.begin(Bytes.EMPTY);
        folded.clear();
        for (int index = 0; index < merge.tied() && !folded.complete; index++) {
            foldSource(merge.source(index));
        }
        if (folded.count > 0) {
            writeFolded();
        }
    }

    private void foldSource(Source source) {
        do {
            if (source.timestamp > oldestSnapshot) {
                out.add(source);
            } else {
                folded.add(source);
                folded.complete = row.merge(source.timestamp, source.change, source.from);
            }
        } while (!folded.complete && source.nextVersion());
    }

    private void writeFolded() {
        if (!row.exists()) {
            if (!bottom) {
                out.add(folded);
            }
            return;
        }
        if (folded.count > 1) {
            // On top of a REPLACE or an ERASE, what is below does not matter any more.
            folded.replaceChange(
                    row.toChange(folded.complete ? RowChange.Kind.REPLACE : RowChange.Kind.UPSERT));
        }
        out.add(folded);
    }

    /// The newest of the versions folded, and then their sum.
    private static final class FoldedVersion extends Entry {
        int count;
        boolean complete;

        void clear() {
            count = 0;
            complete = false;
        }

        void add(Source source) {
            if (count == 0) {
                key = Arrays.copyOf(source.key, source.keyBytes);
                keyBytes = source.keyBytes;
                timestamp = source.timestamp;
                change = source.change;
                from = source.from;
                to = source.to;
            }
            count++;
        }

        void replaceChange(Bytes sum) {
            change = sum.array();
            from = 0;
            to = sum.length();
        }
    }
}
