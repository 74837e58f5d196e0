package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.codec.RowReader;
import io.cleave.tablet.CellService;
import io.cleave.tablet.MovedException;
import io.cleave.tablet.Route.Part;
import io.cleave.tablet.RowScan;
import io.cleave.tablet.lock.LockOwner;
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
    private final RowReader reader;
    private final ReadColumns columns;
    private final long snapshot;
    private final Direction direction;
    private final @Nullable TransactionLocks locks;

    private final Runnable step;

    /// The remaining parts, the next one first.
    private final ArrayDeque<Part> parts = new ArrayDeque<>();

    /// The transaction's writes to the table, if there are any.
    private final @Nullable Effects own;

    private final Iterator<Map.Entry<Bytes, Effect>> effects;

    /// The scan of the current tablet. It is at the next stored row; null if there is none left.
    private @Nullable RowScan stored;

    /// The next effect; null if there is none left.
    private Map.@Nullable Entry<Bytes, Effect> effect;

    private Value @Nullable [] current;

    MergedStream(
            ScanRequest request,
            @Nullable TransactionLocks locks,
            List<Part> parts,
            @Nullable Effects own,
            Runnable step) {
        this.step = step;
        this.own = own;
        this.locks = locks;
        reader = request.reader();
        columns = request.columns();
        snapshot = request.snapshot();
        direction = request.direction();
        this.parts.addAll(direction == Direction.FORWARD ? parts : parts.reversed());
        effects = own == null ? Collections.emptyIterator() : own.in(request.range(), direction);
        nextStored();
        nextEffect();
    }

    @Override
    public boolean next() {
        while (stored != null || effect != null) {
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
        Value @Nullable [] values = stored != null && order <= 0 ? stored.row() : null;
        if (own != null && effect != null && order >= 0) {
            values = own.over(values, effect.getKey(), effect.getValue(), columns);
            nextEffect();
        }
        if (order <= 0) {
            nextStored();
        }
        return values;
    }

    private int order() {
        if (effect == null) {
            return -1;
        }
        if (stored == null) {
            return 1;
        }
        int order = stored.key().compareTo(effect.getKey());
        return direction == Direction.FORWARD ? order : -order;
    }

    private void nextStored() {
        while (stored == null || !stored.next()) {
            closeTablet();
            Part part = parts.poll();
            if (part == null) {
                return;
            }
            open(part);
        }
    }

    /// If the tablet has moved, the scan continues with its successors.
    private void open(Part part) {
        try {
            CellService cell = part.route().cell();
            LockOwner owner = TransactionLocks.in(cell, locks);
            RowScan opened =
                    cell.scan(part.route(), part.range(), direction, reader, snapshot, owner);
            opened.onStep(step);
            stored = opened;
        } catch (MovedException moved) {
            List<Part> now = moved.find(part.range());
            (direction == Direction.FORWARD ? now.reversed() : now).forEach(parts::addFirst);
        }
    }

    private void nextEffect() {
        effect = effects.hasNext() ? effects.next() : null;
    }

    private void closeTablet() {
        if (stored != null) {
            stored.close();
            stored = null;
        }
    }
}
