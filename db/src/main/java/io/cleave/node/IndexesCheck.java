package io.cleave.node;

import io.cleave.catalog.CatalogView;
import io.cleave.cluster.Reconciliation.CellTablet;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.tablet.CellImage;
import io.cleave.tablet.Tablet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Checks all indexes of a data folder against their tables, at a timestamp at which every
/// transaction is complete in all cells.
record IndexesCheck(
        FsckReport report,
        CatalogView view,
        Map<Long, Long> positions,
        Map<Long, CellImage> cells,
        Map<Long, List<CellTablet>> tablets) {
    void run() {
        long snapshot = wholeMoment();
        for (Table table : view.tables()) {
            for (Index index : table.indexes()) {
                view.find(Index.path(table.path(), index.name()))
                        .flatMap(CatalogView.Node::table)
                        .ifPresent(rows -> check(table, index, rows, snapshot));
            }
        }
    }

    private void check(Table table, Index index, Table indexTable, long snapshot) {
        String name = "index " + table.path() + "/" + index.name();
        if (!index.isReady()) {
            report.note(name, "its build has not ended; the next start builds it");
            return;
        }
        var check =
                new IndexCheck(
                        report,
                        table,
                        index,
                        indexTable,
                        images(table),
                        images(indexTable),
                        snapshot);
        switch (index.kind()) {
            case SYNC, UNIQUE -> check.run();
            case ASYNC -> {
                long position = positions.getOrDefault(indexTable.id(), 0L);
                if (position > snapshot) {
                    report.note(name, "not compared: the next start completes a transaction");
                } else {
                    check.runSince(position);
                }
            }
        }
    }

    private List<Tablet> images(Table table) {
        List<Tablet> images = new ArrayList<>();
        for (CellTablet found : tablets.getOrDefault(table.id(), List.of())) {
            CellImage cell = Objects.requireNonNull(cells.get(found.cellId()));
            images.add(Objects.requireNonNull(cell.tablet(found.tabletId())));
        }
        return images;
    }

    /// The newest timestamp before every transaction that is decided but not yet applied by a
    /// participating cell. The next start applies these transactions.
    private long wholeMoment() {
        long moment = cells.values().stream().mapToLong(CellImage::newestTimestamp).max().orElse(0);
        for (CellImage cell : cells.values()) {
            for (Map.Entry<Long, Long> promise : cell.promised().entrySet()) {
                CellImage coordinator = cells.get(promise.getValue());
                if (coordinator != null) {
                    long decided = coordinator.decided(promise.getKey()).orElse(Long.MAX_VALUE);
                    moment = Math.min(moment, decided - 1);
                }
            }
        }
        return moment;
    }
}
