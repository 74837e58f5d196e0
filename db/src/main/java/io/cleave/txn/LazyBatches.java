package io.cleave.txn;

import io.cleave.base.Direction;
import io.cleave.lsm.row.RowCursor;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;

/// A batch scan over the tablets of a range, one tablet after the other. A tablet is opened and
/// locked when the scan reaches it.
final class LazyBatches implements BatchStream {
    private final RowCodec codec;
    private final ReadColumns columns;
    private final long snapshot;
    private final @Nullable ReadLocks locks;

    private final Runnable step;

    /// The remaining parts, the next one first.
    private final ArrayDeque<Part> parts;

    private @Nullable TabletBatches open;

    LazyBatches(
            RowCodec codec,
            ReadColumns columns,
            long snapshot,
            @Nullable ReadLocks locks,
            List<Part> parts,
            Runnable step) {
        this.step = step;
        this.codec = codec;
        this.columns = columns;
        this.snapshot = snapshot;
        this.locks = locks;
        this.parts = new ArrayDeque<>(parts);
    }

    @Override
    public @Nullable ColumnBatch next() {
        while (true) {
            if (open != null) {
                ColumnBatch batch = open.next();
                if (batch != null) {
                    return batch;
                }
                close();
            }
            Part part = parts.poll();
            if (part == null) {
                return null;
            }
            open(part);
        }
    }

    /// If the tablet was retired meanwhile, the scan continues with its successors.
    private void open(Part part) {
        List<Part> now = part.route().find(part.range());
        Tablet tablet = now.getFirst().route().tablet();
        if (now.size() > 1 || (locks != null && !tablet.lock(locks, part.range()))) {
            now.reversed().forEach(parts::addFirst);
            return;
        }
        RowCursor cursor =
                tablet.scan(part.range(), columns.stored(), snapshot, Direction.FORWARD, locks);
        cursor.onStep(step);
        open = new TabletBatches(tablet, cursor, codec, columns);
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
