package io.cleave.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/// The positions of ASYNC indexes. A position is a timestamp: the index has everything that was
/// written to its table up to it. Later writes are found in the row versions of the table.
/// Therefore versions after a position are protected from compaction, starting before the cells
/// compact anything.
///
/// An index without a stored position starts at 0, before every write.
///
/// Threads: any.
public final class IndexPositions {
    private static final long NOTHING = 0;

    private final Cell cell;

    /// By the id of the index table.
    private final Map<Long, Position> positions = new ConcurrentHashMap<>();

    /// Stored positions of tables that the catalog does not have; left by a crash.
    private final Set<Long> stray = new HashSet<>();

    /// `cell` must be replayed and not started yet.
    IndexPositions(Cell cell, CatalogView view) {
        this.cell = cell;
        Map<Long, Long> stored = stored();
        for (Table table : view.tables()) {
            for (Index index : table.indexes()) {
                if (index.kind() == Index.Kind.ASYNC && index.isReady()) {
                    view.find(Index.path(table.path(), index.name()))
                            .flatMap(CatalogView.Node::table)
                            .ifPresent(
                                    rows ->
                                            begin(
                                                    rows.id(),
                                                    stored.getOrDefault(rows.id(), NOTHING)));
                }
            }
        }
        stray.addAll(stored.keySet());
        stray.removeAll(positions.keySet());
    }

    private Map<Long, Long> stored() {
        long snapshot = cell.timeline().take();
        try {
            return read(cell::tablet, snapshot);
        } finally {
            cell.timeline().release(snapshot);
        }
    }

    /// The stored positions, by the id of the index table.
    public static Map<Long, Long> read(LongFunction<@Nullable Tablet> tablets, long snapshot) {
        Map<Long, Long> stored = new HashMap<>();
        Tablet tablet = tablets.apply(SystemTables.POSITIONS);
        if (tablet != null) {
            RowCursor rows =
                    tablet.scan(KeyRange.ALL, Projection.ALL, snapshot, Direction.FORWARD, null);
            while (rows.next()) {
                stored.put(
                        SystemTables.readNumberKey(rows.row()),
                        SystemTables.readPosition(rows.row()));
            }
        }
        return stored;
    }

    void removeStray() {
        if (!stray.isEmpty()) {
            commit(stray.stream().map(SystemTables::removePosition).toList());
            stray.clear();
        }
    }

    /// The position of an index; 0 for a new index.
    public Position of(long indexTableId) {
        return positions.computeIfAbsent(indexTableId, id -> new Position(id, NOTHING));
    }

    /// Starts the position of an index that has everything of its table up to `timestamp`. The
    /// caller keeps this timestamp from being compacted until the call returns.
    public Position begin(long indexTableId, long timestamp) {
        var position = new Position(indexTableId, timestamp);
        @Nullable Position before = positions.put(indexTableId, position);
        if (before != null) {
            before.end();
        }
        return position;
    }

    /// Stores the current position, so that a start can continue from it even if nothing is written
    /// until then.
    public void keep(long indexTableId) {
        Position position = positions.get(indexTableId);
        if (position != null) {
            position.keep();
        }
    }

    /// The timestamp up to which an index is known to be complete; 0 if there is none.
    public long stored(long indexTableId) {
        Position position = positions.get(indexTableId);
        return position == null ? NOTHING : position.stored();
    }

    /// The index tables whose positions end with these changes.
    Set<Long> among(List<CatalogChange> changes) {
        Set<Long> ended = new HashSet<>();
        for (CatalogChange change : changes) {
            if (change instanceof RemoveTablets(long tableId) && positions.containsKey(tableId)) {
                ended.add(tableId);
            }
        }
        return ended;
    }

    /// Ends the position of a dropped index.
    public void forget(long indexTableId) {
        @Nullable Position ended = positions.remove(indexTableId);
        if (ended != null) {
            ended.end();
        }
    }

    /// The position of one index.
    public final class Position {
        private final long indexTableId;
        private final Timeline.Hold hold;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private boolean ended;

        private volatile long stored;

        private Position(long indexTableId, long timestamp) {
            this.indexTableId = indexTableId;
            stored = timestamp;
            hold = cell.timeline().hold(timestamp);
        }

        /// The position from which a start would continue.
        public long stored() {
            return stored;
        }

        /// Stores a new position. The index must durably have everything up to `timestamp`.
        public void store(long timestamp) {
            lock.lock();
            try {
                if (!ended && timestamp > stored) {
                    commit(List.of(SystemTables.putPosition(indexTableId, timestamp)));
                    stored = timestamp;
                    hold.moveTo(Math.max(timestamp, hold.timestamp()));
                }
            } finally {
                lock.unlock();
            }
        }

        private void keep() {
            lock.lock();
            try {
                if (!ended) {
                    commit(List.of(SystemTables.putPosition(indexTableId, stored)));
                }
            } finally {
                lock.unlock();
            }
        }

        /// Releases versions up to `timestamp` for compaction. Nothing was written to the table
        /// between the stored position and `timestamp`.
        public void pass(long timestamp) {
            hold.moveTo(Math.max(timestamp, hold.timestamp()));
        }

        private void end() {
            lock.lock();
            try {
                ended = true;
                hold.close();
            } finally {
                lock.unlock();
            }
        }
    }

    private void commit(List<KeyedChange> rows) {
        var writes = List.of(new TabletWrites(SystemTables.POSITIONS, new ArrayList<>(rows)));
        SystemWrites.commit(cell, writes, Status.UNAVAILABLE);
    }
}
