package io.cleave.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.catalog.CatalogChange.AccessRow;
import io.cleave.catalog.CatalogChange.CypressRow;
import io.cleave.catalog.CatalogChange.PutBundle;
import io.cleave.catalog.CatalogChange.PutCell;
import io.cleave.catalog.CatalogChange.PutCypress;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.PutSequence;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.catalog.CatalogChange.RemoveCell;
import io.cleave.catalog.CatalogChange.RemoveCypress;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.schema.CellStage;
import io.cleave.tablet.Cell;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// The catalog: the rows in the system cell, and the newest view of them in memory.
///
/// Threads: any thread may take the view or an id. Changes are made one at a time, under a lock of
/// the caller.
public final class Catalog {
    static final String NEXT_ID = "next_id";

    /// The counter of the ids of user cells.
    static final String NEXT_CELL = "next_cell";

    /// Ids are reserved in blocks, so that most of them cost no commit. A crash skips the rest of a
    /// block.
    private static final long ID_BLOCK = 1000;

    /// Lower ids are those of the system tables.
    private static final long FIRST_ID = 1000;

    // ---- own synchronisation

    private final Cell cell;
    private final Sequences sequences;
    private final IndexPositions positions;
    private final DecisionRows decisions;
    private final RoundRows rounds;
    private final List<Consumer<List<CatalogChange>>> listeners = new CopyOnWriteArrayList<>();

    // ---- written under the lock of the caller, read without it

    private volatile CatalogView view;

    /// The number of earlier views; incremented after the next view is visible.
    private volatile long changeCount;

    // ---- guarded by the lock of ids

    /// Held while an id is taken: alterations take theirs before they hold the caller's lock.
    private final ReentrantLock idLock = new ReentrantLock();

    @GuardedBy("idLock")
    private long nextId;

    @GuardedBy("idLock")
    private long reservedTo;

    /// Reads the catalog from the system cell. Writes nothing.
    public Catalog(Cell cell) {
        this.cell = cell;
        sequences = new Sequences(cell);
        CatalogReader.Contents found = CatalogReader.read(cell);
        view = found.view();
        reservedTo = found.nextId();
        nextId = reservedTo;
        positions = new IndexPositions(cell, view);
        decisions = new CellDecisionRows(cell);
        rounds = new CellRoundRows(cell);
    }

    /// Creates the system tables in a new cell, and those that a cell of an older version lacks.
    /// Must be called before the first change.
    public void createTables() {
        List<TabletSpec> missing =
                SystemTables.tablets().stream()
                        .filter(spec -> cell.tablet(spec.tabletId()) == null)
                        .toList();
        if (!missing.isEmpty()) {
            var _ = cell.structure().create(missing);
        }
        positions.removeStray();
    }

    /// Calls `told` after each change and before the next one.
    public void onChange(Consumer<List<CatalogChange>> told) {
        listeners.add(told);
    }

    public Sequences sequences() {
        return sequences;
    }

    /// The progress of ASYNC indexes.
    public IndexPositions positions() {
        return positions;
    }

    /// The stored actions as they are now.
    public SortedMap<Long, Bytes> actions() {
        long snapshot = cell.timeline().take();
        try {
            return ActionRows.read(cell::tablet, snapshot);
        } finally {
            cell.timeline().release(snapshot);
        }
    }

    /// The stored decisions about tablets.
    public DecisionRows decisions() {
        return decisions;
    }

    /// The stored rounds of the balancer.
    public RoundRows rounds() {
        return rounds;
    }

    public CatalogView view() {
        return view;
    }

    /// A number that changes with every view: the same number means the same view.
    public long changes() {
        return changeCount;
    }

    /// An upper bound of the ids given out so far: all of them are less.
    public long idBound() {
        idLock.lock();
        try {
            return reservedTo;
        } finally {
            idLock.unlock();
        }
    }

    /// An id that no table or tablet has ever had. Any thread may call it.
    public long newId() {
        idLock.lock();
        try {
            if (nextId == reservedTo) {
                long reserve = Math.max(reservedTo, FIRST_ID) + ID_BLOCK;
                commit(List.of(new TabletWrites(SystemTables.COUNTERS, List.of(counter(reserve)))));
                nextId = reserve - ID_BLOCK;
                reservedTo = reserve;
            }
            return nextId++;
        } finally {
            idLock.unlock();
        }
    }

    /// Makes all the changes or none of them durable, and then visible.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one at a time
    public void change(List<CatalogChange> changes) {
        // One list may remove a path and put another table there, or change a bundle twice. The
        // last change of a row is the one that counts.
        Map<Bytes, KeyedChange> paths = new LinkedHashMap<>();
        Map<Bytes, KeyedChange> bundles = new LinkedHashMap<>();
        Map<Bytes, KeyedChange> cells = new LinkedHashMap<>();
        List<KeyedChange> tablets = new ArrayList<>();
        List<KeyedChange> numbers = new ArrayList<>();
        CatalogView changed = view.with(changes);
        Set<String> touched = new HashSet<>();
        for (CatalogChange change : changes) {
            switch (change) {
                case PutNode(CatalogView.Node node) -> {
                    touched.add(node.path());
                    put(paths, SystemTables.put(node));
                }
                case RemoveNode(String path) -> {
                    touched.add(path);
                    put(paths, SystemTables.removeNode(path));
                }
                case PutTablets(long tableId, List<TabletPlace> places) ->
                        tablets.addAll(difference(tableId, places));
                case RemoveTablets(long tableId) -> tablets.addAll(difference(tableId, List.of()));
                case AccessRow _, CypressRow _ -> {}
                case PutSequence(long sequenceId, long value, boolean used) ->
                        numbers.add(
                                SystemTables.putSequence(
                                        sequenceId,
                                        new SystemTables.SequencePosition(value, used)));
                case PutBundle(String name, List<Long> cellIds) ->
                        put(bundles, SystemTables.putBundle(name, cellIds));
                case PutCell(long cellId, CellStage stage) ->
                        put(cells, SystemTables.putCell(cellId, stage));
                case RemoveCell(long cellId) -> put(cells, SystemTables.removeCell(cellId));
            }
        }
        List<TabletWrites> writes = new ArrayList<>(accessWrites(changes));
        List<KeyedChange> cypress = cypressWrites(changes);
        if (!cypress.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.CYPRESS, cypress));
        }
        if (!paths.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.PATHS, List.copyOf(paths.values())));
        }
        if (!tablets.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.TABLETS, tablets));
        }
        if (!bundles.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.BUNDLES, List.copyOf(bundles.values())));
        }
        if (!cells.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.CELLS, List.copyOf(cells.values())));
        }
        if (changed.nextCellId() > view.nextCellId()) {
            KeyedChange next = SystemTables.putCounter(NEXT_CELL, changed.nextCellId());
            writes.add(new TabletWrites(SystemTables.COUNTERS, List.of(next)));
        }
        Set<Long> ended = view.sequences(touched);
        ended.removeAll(changed.sequences(touched));
        ended.forEach(sequenceId -> numbers.add(SystemTables.removeSequence(sequenceId)));
        if (!numbers.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.SEQUENCES, numbers));
        }
        Set<Long> unfollowed = positions.among(changes);
        if (!unfollowed.isEmpty()) {
            writes.add(
                    new TabletWrites(
                            SystemTables.POSITIONS,
                            unfollowed.stream().map(SystemTables::removePosition).toList()));
        }
        if (!writes.isEmpty()) {
            commit(writes);
        }
        view = changed;
        changeCount++;
        ended.forEach(sequences::forget);
        unfollowed.forEach(positions::forget);
        listeners.forEach(told -> told.accept(changes));
    }

    /// The rows of users, groups and permissions. Permissions on a removed path are erased, unless
    /// a later change sets new ones.
    private List<TabletWrites> accessWrites(List<CatalogChange> changes) {
        Map<Long, Map<Bytes, KeyedChange>> byTable = new TreeMap<>();
        for (CatalogChange change : changes) {
            if (change instanceof AccessRow row) {
                put(
                        byTable.computeIfAbsent(AccessRows.table(row), _ -> new LinkedHashMap<>()),
                        AccessRows.change(row));
            } else if (change instanceof RemoveNode(String path)
                    && view.access().acls().containsKey(path)) {
                put(
                        byTable.computeIfAbsent(SystemTables.ACLS, _ -> new LinkedHashMap<>()),
                        AccessRows.erase(path));
            }
        }
        return byTable.entrySet().stream()
                .map(rows -> new TabletWrites(rows.getKey(), List.copyOf(rows.getValue().values())))
                .toList();
    }

    /// The rows of YTsaurus' tree. The record of a removed path is erased, unless a later change
    /// puts another one there.
    private List<KeyedChange> cypressWrites(List<CatalogChange> changes) {
        Map<Bytes, KeyedChange> rows = new LinkedHashMap<>();
        for (CatalogChange change : changes) {
            switch (change) {
                case PutCypress(CypressNode node) -> put(rows, CypressRows.put(node));
                case RemoveCypress(String path) -> put(rows, CypressRows.remove(path));
                case RemoveNode(String path)
                        when view.cypress(path).isPresent()
                                || rows.containsKey(SystemTables.textKey(path)) ->
                        put(rows, CypressRows.remove(path));
                default -> {}
            }
        }
        return List.copyOf(rows.values());
    }

    /// The row changes that make `places` the tablets of the table.
    private List<KeyedChange> difference(long tableId, List<TabletPlace> places) {
        List<TabletPlace> had = view.tablets(tableId);
        Set<TabletPlace> same = new HashSet<>(had);
        Set<Bytes> begins = new HashSet<>();
        List<KeyedChange> rows = new ArrayList<>();
        for (TabletPlace place : places) {
            begins.add(place.range().from());
            if (!same.contains(place)) {
                rows.add(SystemTables.put(tableId, place));
            }
        }
        for (TabletPlace place : had) {
            if (!begins.contains(place.range().from())) {
                rows.add(SystemTables.removeTablet(tableId, place));
            }
        }
        return rows;
    }

    private static void put(Map<Bytes, KeyedChange> rows, KeyedChange row) {
        rows.put(row.key(), row);
    }

    private void commit(List<TabletWrites> writes) {
        SystemWrites.commit(cell, writes, Status.UNDETERMINED);
    }

    private static KeyedChange counter(long value) {
        return SystemTables.putCounter(NEXT_ID, value);
    }
}
