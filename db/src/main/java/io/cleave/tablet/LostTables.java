package io.cleave.tablet;

import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletWrites;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/// Finds tables that the catalog has lost together with the end of its log.
///
/// A transaction finds a tablet through the catalog. A commit to a tablet of a table that the
/// catalog does not have shows that the catalog once had the table. If the commit is newer than
/// everything in the catalog, then the table was not dropped before the commit, and the records
/// that name the table are missing.
///
/// A commit that is written while its table is dropped looks the same. So the check is only for a
/// catalog whose log was cut at its end. It reads the logs of cells that have such tablets again.
public final class LostTables {
    private LostTables() {}

    /// A table that tablets and commits are left of, and that the catalog does not have.
    ///
    /// @param timestamp of the newest commit to the table
    /// @param cellId a cell that has the commit
    public record LostTable(long tableId, long cellId, long timestamp) {
        /// For messages: what is lost, and how that is known.
        public String text() {
            return ("the catalog has lost table %d, and perhaps all that it logged after it was"
                            + " created: cell %d has a newer commit to the table than the end of"
                            + " the catalog's log")
                    .formatted(tableId, cellId);
        }
    }

    /// `catalogTimestamp` is the newest timestamp in the log of the catalog. Call it when all cells
    /// are open and nothing has been written yet.
    public static List<LostTable> find(
            List<Cell> cells, LongPredicate isTable, long catalogTimestamp) {
        Map<Long, LostTable> found = new TreeMap<>();
        for (Cell cell : cells) {
            search(cell.id(), cell.log(), cell.tablets(), isTable, catalogTimestamp, found);
        }
        return List.copyOf(found.values());
    }

    /// Searches images instead of open cells; the keys are the cells' ids.
    public static List<LostTable> findInImages(
            Map<Long, CellImage> images, LongPredicate isTable, long catalogTimestamp) {
        Map<Long, LostTable> found = new TreeMap<>();
        images.forEach(
                (cellId, image) -> {
                    List<Tablet> tablets = new ArrayList<>();
                    image.state().tablets().forEach(hosted -> tablets.add(hosted.tablet));
                    search(cellId, image.log(), tablets, isTable, catalogTimestamp, found);
                });
        return List.copyOf(found.values());
    }

    private static void search(
            long cellId,
            Log log,
            Collection<Tablet> tablets,
            LongPredicate isTable,
            long catalogTimestamp,
            Map<Long, LostTable> found) {
        Map<Long, Long> unnamed = new HashMap<>();
        for (Tablet tablet : tablets) {
            if (!isTable.test(tablet.tableId())) {
                unnamed.put(tablet.id(), tablet.tableId());
            }
        }
        if (unnamed.isEmpty()) {
            return;
        }
        try (LogCursor cursor = log.read(log.firstPosition())) {
            while (cursor.next()) {
                if (RecordCodec.hasRows(cursor.record())) {
                    CellRecord record = RecordCodec.decode(cursor.record());
                    long timestamp = timestamp(record);
                    if (timestamp > catalogTimestamp) {
                        for (TabletWrites writes : writes(record)) {
                            Long tableId = unnamed.get(writes.tabletId());
                            if (tableId != null) {
                                found.put(tableId, new LostTable(tableId, cellId, timestamp));
                            }
                        }
                    }
                }
            }
        }
    }

    private static long timestamp(CellRecord record) {
        return switch (record) {
            case Commit(long timestamp, _) -> timestamp;
            case Decide(long timestamp, _, _, _) -> timestamp;
            case Outcome(_, CommitDecision.Commit(long timestamp), _) -> timestamp;
            default -> Long.MIN_VALUE;
        };
    }

    private static List<TabletWrites> writes(CellRecord record) {
        return switch (record) {
            case Commit(_, List<TabletWrites> writes) -> writes;
            case Decide(_, _, _, List<TabletWrites> writes) -> writes;
            case Outcome(_, _, List<TabletWrites> writes) -> writes;
            default -> List.of();
        };
    }
}
