package io.cleave.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.lsm.Projection;
import io.cleave.lsm.RowCursor;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CommitResult;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.TabletWrites;
import io.cleave.tablet.TabletWrites.KeyedChange;
import io.cleave.tablet.Timeline;

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

/// How far the ASYNC indexes have come: all that was written to the table up to a moment is in the
/// index. What was written after it is found in the versions of the table's rows, so each moment is
/// held from being compacted, from before the cells compact anything.
///
/// An index without a position has come to no moment at all.
///
/// Threads: any.
public final class IndexPositions {
    private static final long NOTHING = 0;

    private final Cell cell;

    /// By the id of the index's table.
    private final Map<Long, Position> positions = new ConcurrentHashMap<>();

    /// Of tables that the catalog does not have: a crash has left them.
    private final Set<Long> stray = new HashSet<>();

    /// Of a cell that has been replayed and not started.
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

    /// What is stored, by the ids of the indexes' tables.
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

    /// That of an index's table; a new one has come to nothing.
    public Position of(long indexTableId) {
        return positions.computeIfAbsent(indexTableId, id -> new Position(id, NOTHING));
    }

    /// The index has all of the table up to this moment, which is kept until the call returns.
    public Position begin(long indexTableId, long timestamp) {
        var position = new Position(indexTableId, timestamp);
        @Nullable Position before = positions.put(indexTableId, position);
        if (before != null) {
            before.end();
        }
        return position;
    }

    /// Stores the position as it is: for a start to begin from, if nothing is written until then.
    public void keep(long indexTableId) {
        Position position = positions.get(indexTableId);
        if (position != null) {
            position.keep();
        }
    }

    /// The moment up to which an index is known to have its table; nothing where it has none.
    public long stored(long indexTableId) {
        Position position = positions.get(indexTableId);
        return position == null ? NOTHING : position.stored();
    }

    /// Those that end with these changes.
    Set<Long> among(List<CatalogChange> changes) {
        Set<Long> ended = new HashSet<>();
        for (CatalogChange change : changes) {
            if (change instanceof RemoveTablets(long tableId) && positions.containsKey(tableId)) {
                ended.add(tableId);
            }
        }
        return ended;
    }

    /// The index is gone.
    public void forget(long indexTableId) {
        @Nullable Position ended = positions.remove(indexTableId);
        if (ended != null) {
            ended.end();
        }
    }

    /// How far one index has come.
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

        /// What a start would begin from.
        public long stored() {
            return stored;
        }

        /// The index has all up to this moment, durably; a start goes on from here.
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

        /// Nothing was written to the table between what is stored and this moment: what is later
        /// is all that has to be kept.
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
        switch (cell.commit(writes, new ReadLocks(), null)) {
            case CommitResult.Done _ -> {}
            case CommitResult.Lost(String why) ->
                    throw new StatusException(Status.UNAVAILABLE, why);
            case CommitResult.Broken _, CommitResult.Gone _, CommitResult.Moved _ ->
                    throw new IllegalStateException("the catalog was changed behind its back");
        }
    }
}
