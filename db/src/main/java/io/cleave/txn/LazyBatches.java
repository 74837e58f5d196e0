package io.cleave.txn;

import io.cleave.codec.RowReader;
import io.cleave.tablet.CellService;
import io.cleave.tablet.ColumnScan;
import io.cleave.tablet.MovedException;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.lock.LockOwner;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;

/// A batch scan over the tablets of a range, one tablet after the other. A tablet is opened and
/// locked when the scan reaches it.
final class LazyBatches implements BatchStream {
    private final RowReader columns;
    private final long snapshot;
    private final @Nullable TransactionLocks locks;

    private final Runnable step;

    /// The remaining parts, the next one first.
    private final ArrayDeque<Part> parts;

    private @Nullable TabletBatches open;

    LazyBatches(
            RowReader columns,
            long snapshot,
            @Nullable TransactionLocks locks,
            List<Part> parts,
            Runnable step) {
        this.step = step;
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

    private void open(Part part) {
        try {
            CellService cell = part.route().cell();
            LockOwner owner = TransactionLocks.in(cell, locks);
            ColumnScan scan =
                    cell.scanColumns(part.route(), part.range(), columns, snapshot, owner);
            scan.onStep(step);
            open = new TabletBatches(scan);
        } catch (MovedException moved) {
            moved.find(part.range()).reversed().forEach(parts::addFirst);
        }
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
