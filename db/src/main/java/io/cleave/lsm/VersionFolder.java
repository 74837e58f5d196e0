package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.Merge;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.Source;
import io.cleave.lsm.table.TablesWriter;

/// Writes the versions of one key after another, without those that no snapshot can see.
///
/// Versions newer than the oldest snapshot are kept. The others can only be seen merged, so they
/// become one version, with the timestamp of the newest. If the result is an ERASE and no older
/// data lies below, nothing is written.
final class VersionFolder {
    private final long oldestSnapshot;
    private final boolean bottom;

    /// Range erases that every snapshot sees. The versions they hide are left out; see
    /// [RangeErases].
    private final RangeErases erases;

    private final TablesWriter out;

    /// The fields of a version that is kept.
    private final Row kept = new Row(Projection.ALL);

    /// The merged fields of the versions that are not kept.
    private final Row sum = new Row(Projection.ALL);

    private int summed;
    private long sumTimestamp;
    private long floor;

    VersionFolder(long oldestSnapshot, boolean bottom, RangeErases erases, TablesWriter out) {
        this.oldestSnapshot = oldestSnapshot;
        this.erases = erases;
        this.bottom = bottom;
        this.out = out;
    }

    void fold(Merge merge) {
        out.beginKey();
        // The key is read from the first source. Sources with the same key move past it only later.
        Source first = merge.source(0);
        sum.begin(Bytes.EMPTY);
        summed = 0;
        floor =
                erases.isEmpty()
                        ? RangeErases.NEVER
                        : erases.floor(first.key, first.keyBytes, oldestSnapshot);
        boolean complete = false;
        for (int index = 0; index < merge.tied() && !complete; index++) {
            complete = foldSource(first, merge.source(index));
        }
        if (summed > 0) {
            writeSum(first, complete);
        }
    }

    private boolean foldSource(Source first, Source source) {
        do {
            if (source.timestamp > oldestSnapshot) {
                keep(first, source);
            } else if (source.timestamp <= floor) {
                return true;
            } else {
                if (summed == 0) {
                    sumTimestamp = source.timestamp;
                }
                summed++;
                if (source.addTo(sum)) {
                    return true;
                }
            }
        } while (source.nextVersion());
        return false;
    }

    private void keep(Source first, Source source) {
        kept.begin(Bytes.EMPTY);
        source.addTo(kept);
        RowChange.Kind kind = RowChange.kind(source.kind);
        out.add(first.key, first.keyBytes, source.timestamp, kind, kept);
    }

    private void writeSum(Source first, boolean complete) {
        if (!sum.exists()) {
            if (!bottom) {
                out.add(first.key, first.keyBytes, sumTimestamp, RowChange.Kind.ERASE, sum);
            }
            return;
        }
        // On top of a REPLACE, an ERASE or nothing, data below does not matter any more.
        RowChange.Kind kind = complete || bottom ? RowChange.Kind.REPLACE : RowChange.Kind.UPSERT;
        out.add(first.key, first.keyBytes, sumTimestamp, kind, sum);
    }
}
