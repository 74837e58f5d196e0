package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/// Stores the decisions about tablets in the system cell.
final class CellDecisionRows implements DecisionRows {
    private final Cell cell;

    CellDecisionRows(Cell cell) {
        this.cell = cell;
    }

    @Override
    public List<StoredRow> page(long from, long to, Direction direction) {
        List<StoredRow> found = new ArrayList<>();
        Tablet tablet = cell.tablet(SystemTables.DECISIONS);
        if (tablet == null || from >= to) {
            return found;
        }
        KeyRange range = SystemTables.entries(from, to);
        long bytes = 0;
        long snapshot = cell.timeline().take();
        try {
            RowCursor rows = tablet.scan(range, Projection.ALL, snapshot, direction, null);
            while (found.size() < PAGE_ROWS && bytes < PAGE_BYTES && rows.next()) {
                Bytes data = SystemTables.readEntry(rows.row());
                found.add(new StoredRow(SystemTables.readNumberKey(rows.row()), data));
                bytes += data.length();
            }
        } finally {
            cell.timeline().release(snapshot);
        }
        return found;
    }

    @Override
    public void change(
            SortedMap<Long, Bytes> puts, Collection<Long> removals, ActionRows.Change actions) {
        List<TabletWrites> writes = new ArrayList<>();
        add(writes, SystemTables.DECISIONS, puts, removals);
        add(writes, SystemTables.ACTIONS, actions.puts(), actions.removals());
        if (!writes.isEmpty()) {
            SystemWrites.commit(cell, writes, Status.UNAVAILABLE);
        }
    }

    private static void add(
            List<TabletWrites> writes,
            long tabletId,
            SortedMap<Long, Bytes> puts,
            Collection<Long> removals) {
        List<KeyedChange> rows = new ArrayList<>();
        puts.forEach((number, entry) -> rows.add(SystemTables.putEntry(number, entry)));
        removals.forEach(number -> rows.add(SystemTables.removeEntry(number)));
        if (!rows.isEmpty()) {
            writes.add(new TabletWrites(tabletId, rows));
        }
    }
}
