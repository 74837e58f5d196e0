package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.catalog.CatalogChange.PutCypress;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/// Reads the whole catalog from the tablets of the system cell.
public final class CatalogReader {
    private final LongFunction<@Nullable Tablet> tablets;
    private final long snapshot;
    private long nextId;
    private long nextCellId;

    private CatalogReader(LongFunction<@Nullable Tablet> tablets, long snapshot) {
        this.tablets = tablets;
        this.snapshot = snapshot;
    }

    /// The catalog, and the lowest id that was not given out.
    public record Contents(CatalogView view, long nextId) {}

    /// The catalog of a store that was never used.
    public static Contents nothing() {
        return new Contents(CatalogView.EMPTY, 0);
    }

    /// Reads the catalog of a replayed cell; an empty one if the cell is new.
    static Contents read(Cell cell) {
        if (cell.tablet(SystemTables.PATHS) == null) {
            return nothing();
        }
        long snapshot = cell.timeline().take();
        try {
            return read(cell::tablet, snapshot);
        } finally {
            cell.timeline().release(snapshot);
        }
    }

    public static Contents read(LongFunction<@Nullable Tablet> tablets, long snapshot) {
        var reader = new CatalogReader(tablets, snapshot);
        CatalogView view = reader.readView();
        reader.readCounters();
        return new Contents(view.withNextCellId(reader.nextCellId), reader.nextId);
    }

    private CatalogView readView() {
        List<CatalogChange> rows = new ArrayList<>();
        read(SystemTables.PATHS, row -> rows.add(new PutNode(SystemTables.readNode(row))));
        Map<Long, List<TabletPlace>> places = new HashMap<>();
        read(
                SystemTables.TABLETS,
                row ->
                        places.computeIfAbsent(
                                        SystemTables.readTableId(row), _ -> new ArrayList<>())
                                .add(SystemTables.readPlace(row)));
        places.forEach((tableId, of) -> rows.add(new PutTablets(tableId, of)));
        readIfThere(SystemTables.BUNDLES, row -> rows.add(SystemTables.readBundle(row)));
        readIfThere(SystemTables.USERS, row -> rows.add(AccessRows.readUser(row)));
        readIfThere(SystemTables.GROUPS, row -> rows.add(AccessRows.readGroup(row)));
        readIfThere(SystemTables.ACLS, row -> rows.add(AccessRows.readAcl(row)));
        readIfThere(SystemTables.CYPRESS, row -> rows.add(new PutCypress(CypressRows.read(row))));
        readIfThere(SystemTables.CELLS, row -> rows.add(SystemTables.readCell(row)));
        return CatalogView.EMPTY.with(rows);
    }

    /// Stores of older versions lack some tables until they are opened for writing.
    private void readIfThere(long tabletId, Consumer<Row> reader) {
        if (tablets.apply(tabletId) != null) {
            read(tabletId, reader);
        }
    }

    private void readCounters() {
        Bytes idKey = SystemTables.counterKey(Catalog.NEXT_ID);
        Bytes cellKey = SystemTables.counterKey(Catalog.NEXT_CELL);
        read(
                SystemTables.COUNTERS,
                row -> {
                    if (row.key().equals(idKey)) {
                        nextId = SystemTables.readCounter(row);
                    } else if (row.key().equals(cellKey)) {
                        nextCellId = SystemTables.readCounter(row);
                    }
                });
    }

    private void read(long tabletId, Consumer<Row> reader) {
        Tablet tablet = tablets.apply(tabletId);
        if (tablet == null) {
            throw new IllegalStateException("the system cell has no tablet " + tabletId);
        }
        RowCursor rows =
                tablet.scan(KeyRange.ALL, Projection.ALL, snapshot, Direction.FORWARD, null);
        while (rows.next()) {
            reader.accept(rows.row());
        }
    }
}
