package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Divides a scan at the bounds of tablets, and large tablets at keys from their histograms. All
/// parts are opened and locked here, so that they can be read later without further lookups.
final class TabletParts {
    private final RowCodec codec;
    private final ReadColumns columns;
    private final long snapshot;
    private final @Nullable ReadLocks locks;
    private final long partBytes;
    private final Runnable step;
    private final List<ScanPart> parts = new ArrayList<>();

    TabletParts(
            RowCodec codec,
            ReadColumns columns,
            long snapshot,
            @Nullable ReadLocks locks,
            long partBytes,
            Runnable step) {
        this.step = step;
        this.codec = codec;
        this.columns = columns;
        this.snapshot = snapshot;
        this.locks = locks;
        this.partBytes = partBytes;
    }

    List<ScanPart> parts() {
        return parts;
    }

    void add(List<Part> found) {
        var waiting = new ArrayDeque<>(found);
        while (!waiting.isEmpty()) {
            Part part = waiting.removeFirst();
            List<Part> now = part.route().find(part.range());
            Tablet first = now.getFirst().route().tablet();
            if (now.size() > 1 || (locks != null && !first.lock(locks, part.range()))) {
                // If the tablet was retired meanwhile, continues with its successors.
                now.reversed().forEach(waiting::addFirst);
            } else {
                open(first, part.range().intersection(first.range()));
            }
        }
    }

    private void open(Tablet tablet, KeyRange range) {
        Bytes from = range.from();
        for (Bytes cut : tablet.cuts(range, partBytes)) {
            open(tablet, from, cut);
            from = cut;
        }
        open(tablet, from, range.to());
    }

    private void open(Tablet tablet, Bytes from, @Nullable Bytes to) {
        RowCursor cursor =
                tablet.scan(
                        new KeyRange(from, to),
                        columns.stored(),
                        snapshot,
                        Direction.FORWARD,
                        locks);
        cursor.onStep(step);
        parts.add(() -> new TabletBatches(tablet, cursor, codec, columns));
    }
}
