package io.cleave.txn;

import io.cleave.codec.RowReader;
import io.cleave.tablet.CellService;
import io.cleave.tablet.ColumnScan;
import io.cleave.tablet.MovedException;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.lock.LockOwner;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Divides a scan at the bounds of tablets, and large tablets at keys that their cells choose. All
/// parts are opened and locked here, so that they can be read later without further lookups.
final class TabletParts {
    private final RowReader columns;
    private final long snapshot;
    private final @Nullable TransactionLocks locks;
    private final long partBytes;
    private final Runnable step;
    private final List<ScanPart> parts = new ArrayList<>();

    TabletParts(
            RowReader columns,
            long snapshot,
            @Nullable TransactionLocks locks,
            long partBytes,
            Runnable step) {
        this.step = step;
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
            try {
                open(part).forEach(this::add);
            } catch (MovedException moved) {
                moved.find(part.range()).reversed().forEach(waiting::addFirst);
            }
        }
    }

    private List<ColumnScan> open(Part part) throws MovedException {
        CellService cell = part.route().cell();
        LockOwner owner = TransactionLocks.in(cell, locks);
        return cell.scanParts(part.route(), part.range(), columns, snapshot, owner, partBytes);
    }

    private void add(ColumnScan scan) {
        scan.onStep(step);
        parts.add(() -> new TabletBatches(scan));
    }
}
