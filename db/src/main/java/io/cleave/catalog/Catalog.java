package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange.AccessRow;
import io.cleave.catalog.CatalogChange.PutBundle;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.PutSequence;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CommitResult;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.TabletSpec;
import io.cleave.tablet.TabletWrites;
import io.cleave.tablet.TabletWrites.KeyedChange;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The catalog: what is on disk in the system cell, and its newest view in memory.
///
/// Threads: anyone may take the view; one at a time may change, which is the caller's lock.
public final class Catalog {
    static final String NEXT_ID = "next_id";

    /// Ids are taken from the counter in blocks, so that most of them cost no commit; a crash loses
    /// the rest of a block.
    private static final long ID_BLOCK = 1000;

    /// Below this stand the ids of the system tables.
    private static final long FIRST_ID = 1000;

    private final Cell cell;
    private final Sequences sequences;
    private final IndexPositions positions;
    private final DecisionRows decisions;
    private final List<Consumer<List<CatalogChange>>> listeners = new CopyOnWriteArrayList<>();
    private volatile CatalogView view;

    /// How many views there were before; grows when the next one can be seen.
    private volatile long changeCount;

    private long nextId;
    private long reservedTo;

    /// Reads the catalog from the system cell, and writes nothing.
    public Catalog(Cell cell) {
        this.cell = cell;
        sequences = new Sequences(cell);
        CatalogReader.Found found = CatalogReader.read(cell);
        view = found.view();
        reservedTo = found.nextId();
        nextId = reservedTo;
        positions = new IndexPositions(cell, view);
        decisions = new CellDecisionRows(cell);
    }

    /// Makes its tables in a new cell, and those that an older one lacks. To be called before the
    /// first change.
    public void createTables() {
        List<TabletSpec> missing =
                SystemTables.tablets().stream()
                        .filter(spec -> cell.tablet(spec.tabletId()) == null)
                        .toList();
        if (!missing.isEmpty()) {
            cell.createTablets(missing);
        }
        positions.removeStray();
    }

    /// Tells of every change, when it is made and before the next.
    public void onChange(Consumer<List<CatalogChange>> told) {
        listeners.add(told);
    }

    public Sequences sequences() {
        return sequences;
    }

    /// How far indexes have come that follow their tables.
    public IndexPositions positions() {
        return positions;
    }

    /// What was decided about tablets.
    public DecisionRows decisions() {
        return decisions;
    }

    public CatalogView view() {
        return view;
    }

    /// As long as it is the same number, the view is what it was when the number was first seen.
    public long changes() {
        return changeCount;
    }

    /// Every id that was ever given out is below this one.
    public long idBound() {
        return reservedTo;
    }

    /// A number that no table or tablet has had.
    public long newId() {
        if (nextId == reservedTo) {
            long reserve = Math.max(reservedTo, FIRST_ID) + ID_BLOCK;
            commit(List.of(new TabletWrites(SystemTables.COUNTERS, List.of(counter(reserve)))));
            nextId = reserve - ID_BLOCK;
            reservedTo = reserve;
        }
        return nextId++;
    }

    /// Makes the changes durable, all of them or none, and then seen.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one at a time
    public void change(List<CatalogChange> changes) {
        // A path may be left by one table and taken by another, and a bundle lose cells and get
        // others: what is said last counts.
        Map<Bytes, KeyedChange> paths = new LinkedHashMap<>();
        Map<Bytes, KeyedChange> bundles = new LinkedHashMap<>();
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
                case AccessRow _ -> {}
                case PutSequence(long sequenceId, long value, boolean used) ->
                        numbers.add(
                                SystemTables.putSequence(
                                        sequenceId,
                                        new SystemTables.SequencePosition(value, used)));
                case PutBundle(String name, List<Long> cellIds) ->
                        put(bundles, SystemTables.putBundle(name, cellIds));
            }
        }
        List<TabletWrites> writes = new ArrayList<>(accessWrites(changes));
        if (!paths.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.PATHS, List.copyOf(paths.values())));
        }
        if (!tablets.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.TABLETS, tablets));
        }
        if (!bundles.isEmpty()) {
            writes.add(new TabletWrites(SystemTables.BUNDLES, List.copyOf(bundles.values())));
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

    /// What was granted on a path goes with it, unless something else comes to stand there.
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

    /// The rows that have to change so that these are the table's places.
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
        switch (cell.commit(writes, new ReadLocks(), null)) {
            case CommitResult.Done _ -> {}
            case CommitResult.Lost(String why) ->
                    throw new StatusException(Status.UNDETERMINED, why);
            case CommitResult.Broken _, CommitResult.Gone _, CommitResult.Moved _ ->
                    throw new IllegalStateException("the catalog was changed behind its back");
        }
    }

    private static KeyedChange counter(long value) {
        return SystemTables.putCounter(NEXT_ID, value);
    }
}
