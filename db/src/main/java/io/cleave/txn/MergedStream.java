package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.Tablet;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// A scan over the tablets of a range, one after the other, merged with the transaction's own
/// writes. A tablet is opened and locked when the scan reaches it.
final class MergedStream implements RowStream {
    private final RowCodec codec;
    private final ReadColumns columns;
    private final long snapshot;
    private final Direction direction;
    private final @Nullable ReadLocks locks;

    private final Runnable step;

    /// The remaining parts, the next one first.
    private final ArrayDeque<Part> parts = new ArrayDeque<>();

    private final Iterator<Map.Entry<Bytes, Effect>> effects;

    private @Nullable Tablet tablet;
    private @Nullable RowCursor cursor;
    private long scannedRows;

    /// The next stored row and the next effect; null if there are none left.
    private @Nullable Row storedRow;

    private Map.@Nullable Entry<Bytes, Effect> effect;

    private Value @Nullable [] current;

    MergedStream(
            RowCodec codec,
            KeyRange range,
            ReadColumns columns,
            long snapshot,
            Direction direction,
            @Nullable ReadLocks locks,
            List<Part> parts,
            @Nullable Effects own,
            Runnable step) {
        this.step = step;
        this.codec = codec;
        this.columns = columns;
        this.snapshot = snapshot;
        this.direction = direction;
        this.locks = locks;
        this.parts.addAll(direction == Direction.FORWARD ? parts : parts.reversed());
        effects = own == null ? Collections.emptyIterator() : own.in(range, direction);
        nextStored();
        nextEffect();
    }

    @Override
    public boolean next() {
        while (storedRow != null || effect != null) {
            Value @Nullable [] row = step();
            if (row != null) {
                current = row;
                return true;
            }
        }
        current = null;
        return false;
    }

    @Override
    public Value[] row() {
        if (current == null) {
            throw new IllegalStateException("no current row");
        }
        return current;
    }

    @Override
    public void close() {
        closeTablet();
    }

    /// Takes the smaller of the two heads, or both if their keys are equal. Null if the row is
    /// erased.
    private Value @Nullable [] step() {
        int order = order();
        Row row = order <= 0 ? storedRow : null;
        Map.Entry<Bytes, Effect> own = order >= 0 ? effect : null;
        Value @Nullable [] values =
                own != null
                        ? codec.read(own.getKey(), row, own.getValue(), columns)
                        : row != null ? codec.read(row, columns) : null;
        if (row != null) {
            nextStored();
        }
        if (own != null) {
            nextEffect();
        }
        return values;
    }

    private int order() {
        if (effect == null) {
            return -1;
        }
        if (storedRow == null) {
            return 1;
        }
        int order = storedRow.key().compareTo(effect.getKey());
        return direction == Direction.FORWARD ? order : -order;
    }

    private void nextStored() {
        while (true) {
            if (cursor != null && advance(cursor)) {
                storedRow = cursor.row();
                scannedRows++;
                return;
            }
            closeTablet();
            Part part = parts.poll();
            if (part == null) {
                storedRow = null;
                return;
            }
            open(part);
        }
    }

    /// Moves the cursor of the current tablet, and measures some of the steps.
    private boolean advance(RowCursor rows) {
        if (tablet == null || !tablet.meter().isScannedNoted()) {
            return rows.next();
        }
        long began = tablet.meter().beginScanned();
        boolean found = rows.next();
        if (found) {
            tablet.meter().endScanned(began, rows.row().key());
        }
        return found;
    }

    /// If the tablet was retired meanwhile, the scan continues with its successors.
    private void open(Part part) {
        List<Part> now = part.route().find(part.range());
        Tablet first = now.getFirst().route().tablet();
        if (now.size() > 1 || (locks != null && !first.lock(locks, part.range()))) {
            (direction == Direction.FORWARD ? now.reversed() : now).forEach(parts::addFirst);
            return;
        }
        tablet = first;
        RowCursor opened = tablet.scan(part.range(), columns.stored(), snapshot, direction, locks);
        opened.onStep(step);
        cursor = opened;
    }

    private void nextEffect() {
        effect = effects.hasNext() ? effects.next() : null;
    }

    private void closeTablet() {
        cursor = null;
        if (tablet != null) {
            tablet.countScanned(scannedRows);
            scannedRows = 0;
            tablet = null;
        }
    }
}
