package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.tablet.lock.Engagements;
import io.cleave.tablet.lock.LockTable;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PreparedPart;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What multi-cell transactions hold in the tablets of a cell: intents on the keys that they write,
/// and pins on what they have read. Blocks conflicting commits until they are released.
///
/// Threads: under the cell's lock.
final class TransactionHolds {
    private final long cellId;
    private final CellState state;
    private final CellWaits waits;
    private final Timeline timeline;

    /// The number of parts that hold something.
    private int heldParts;

    TransactionHolds(CellJournal journal, CellWaits waits) {
        cellId = journal.cellId();
        state = journal.state();
        timeline = journal.timeline();
        this.waits = waits;
    }

    /// Whether intents or pins of other transactions block a commit.
    boolean hinder(List<TabletWrites> writes, ReadLocks locks) {
        return heldParts > 0 && hinder(Engagements.NOBODY, writes, locks.tablesIn(cellId), locks);
    }

    /// Whether a prepare must wait: a tablet is about to be split, merged or moved, or intents or
    /// pins of another transaction block it.
    boolean hinder(Preparation wanted, ReadLocks locks) {
        List<TabletWrites> writes = wanted.writes();
        List<LockTable> tables = locks.tablesIn(cellId);
        return state.isSealed(writes)
                || isClosed(writes, tables)
                || hinder(wanted.transactionId(), writes, tables, locks);
    }

    private boolean hinder(
            long transactionId,
            List<TabletWrites> writes,
            List<LockTable> tables,
            ReadLocks locks) {
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null
                    && (tablet.engagements().hinderWrites(transactionId, part.changes())
                            || tablet.engagements().hinderLocks(transactionId, part.locks()))) {
                return true;
            }
        }
        for (LockTable table : tables) {
            if (table.engagements().hinderReads(transactionId, locks)) {
                return true;
            }
        }
        return false;
    }

    private boolean isClosed(List<TabletWrites> writes, List<LockTable> tables) {
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null && tablet.engagements().isClosed()) {
                return true;
            }
        }
        return tables.stream().anyMatch(table -> table.engagements().isClosed());
    }

    /// Sets the intents and pins of a part.
    void hold(PreparedPart part) {
        heldParts++;
        for (TabletWrites writes : part.writes()) {
            Tablet tablet = state.tablet(writes.tabletId());
            if (tablet != null) {
                tablet.engagements().intend(part.transactionId(), writes.changes());
                tablet.engagements().intendLocks(part.transactionId(), writes.locks());
            }
        }
        if (!part.pinned().isEmpty()) {
            part.locks().pin(part.pinned());
            part.pinned()
                    .forEach(table -> table.engagements().pin(part.transactionId(), part.locks()));
        }
    }

    /// Applies the writes of a part, and releases it. Returns the writes that were applied.
    List<TabletWrites> commit(PreparedPart part, long timestamp) {
        List<TabletWrites> applied = withoutOverwritten(part, timestamp);
        for (TabletWrites writes : applied) {
            Tablet written = state.write(timestamp, writes);
            if (written != null) {
                written.transactions().coordinated();
            }
            state.breakLocks(writes, part.locks());
            state.leaveTraces(writes, timestamp, timeline::oldest);
        }
        release(part);
        return applied;
    }

    /// Removes changes to keys that have a newer version. Intents block other writers, so normally
    /// there is none. A newer version exists only if the outcome was lost with a part of the log
    /// and that loss was accepted. Then the newer version stays.
    private List<TabletWrites> withoutOverwritten(PreparedPart part, long timestamp) {
        if (!part.isRestored()) {
            return part.writes();
        }
        List<TabletWrites> left = new ArrayList<>();
        for (TabletWrites writes : part.writes()) {
            Tablet tablet = state.tablet(writes.tabletId());
            left.add(
                    new TabletWrites(
                            writes.tabletId(),
                            writes.changes().stream()
                                    .filter(change -> !isNewer(tablet, change.key(), timestamp))
                                    .toList()));
        }
        return left;
    }

    private static boolean isNewer(@Nullable Tablet tablet, Bytes key, long timestamp) {
        return tablet != null && tablet.writtenSince(key, timestamp);
    }

    /// Removes the intents and pins of a part, and wakes the threads that wait for them.
    void release(PreparedPart part) {
        heldParts--;
        for (TabletWrites writes : part.writes()) {
            Tablet tablet = state.tablet(writes.tabletId());
            if (tablet != null) {
                tablet.engagements().release(part.transactionId(), writes.changes());
                tablet.engagements().releaseLocks(part.transactionId(), writes.locks());
            }
        }
        part.pinned().forEach(table -> table.engagements().unpin(part.transactionId()));
        if (!part.pinned().isEmpty()) {
            part.locks().unpin(part.pinned());
        }
        waits.wake();
    }
}
