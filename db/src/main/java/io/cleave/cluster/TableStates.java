package io.cleave.cluster;

import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange.SetYt;
import io.cleave.schema.YtTable;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.Route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Changes the states of tablets. A state is part of the table's description. A tablet that is
/// being unmounted or frozen refuses new commits at once. It has its final state when every earlier
/// commit has ended and its rows are in files.
///
/// Threads: any. The lock of the table is not held while commits are awaited.
public final class TableStates {
    private final Tablets tablets;

    TableStates(Tablets tablets) {
        this.tablets = tablets;
    }

    /// Decides about the states of a table whose lock is held. Throws to refuse.
    public interface NextStates {
        MountStates next(Table table, List<TabletInfo> tablets);
    }

    /// Gives the table at the path the states that were decided. Returns when no tablet is between
    /// two states any more.
    public void change(String path, NextStates decision) {
        long tableId =
                tablets.held()
                        .with(
                                path,
                                Purpose.CHANGE,
                                (table, _) -> {
                                    MountStates next = decision.next(table, tablets.infos(table));
                                    put(table, next);
                                    return table.id();
                                });
        boolean done = false;
        while (!done) {
            done = finish(tableId);
        }
    }

    private static MountStates states(Table table) {
        return table.options().yt().orElse(YtTable.OTHER).states();
    }

    private void put(Table table, MountStates next) {
        if (!next.equals(states(table))) {
            tablets.held().change(List.of(changed(table, next)));
        }
    }

    private static CatalogChange changed(Table table, MountStates next) {
        YtTable yt = table.options().yt().orElse(YtTable.OTHER).with(next);
        return new PutNode(Node.of(TableAlteration.apply(table, List.of(new SetYt(yt)))));
    }

    /// Ends the transitions of a table. Returns false if the table changed meanwhile.
    private boolean finish(long tableId) {
        Optional<Table> seen = find(tableId);
        if (seen.isEmpty() || states(seen.get()).all(state -> !state.isTransient())) {
            return true;
        }
        tablets.olderCommits().end(tableId);
        flush(seen.get());
        return tablets.held()
                .ifThere(
                        seen.get().path(),
                        Purpose.CHANGE,
                        (table, _) -> {
                            // Commits that were made for a later version were not awaited.
                            boolean same =
                                    table.id() == tableId
                                            && table.version() == seen.get().version();
                            if (same) {
                                put(table, finished(states(table)));
                            }
                            return same;
                        })
                .orElse(false);
    }

    private static MountStates finished(MountStates states) {
        return states.with(KeyRange.ALL, MountState::finished);
    }

    private void flush(Table table) {
        MountStates states = states(table);
        Map<CellStructure, List<Long>> byCell = new LinkedHashMap<>();
        for (Route route : tablets.map(table).routes()) {
            if (states.at(route.range().from()).isTransient()) {
                byCell.computeIfAbsent(route.cell().structure(), _ -> new ArrayList<>())
                        .add(route.tabletId());
            }
        }
        byCell.forEach(CellStructure::flush);
    }

    private Optional<Table> find(long tableId) {
        return tablets.tables().stream().filter(table -> table.id() == tableId).findFirst();
    }

    /// Ends the transitions that the end of the process has interrupted.
    void finishInterrupted() {
        List<CatalogChange> changes = new ArrayList<>();
        for (Table table : tablets.tables()) {
            if (!states(table).all(state -> !state.isTransient())) {
                changes.add(changed(table, finished(states(table))));
            }
        }
        if (!changes.isEmpty()) {
            tablets.held().change(changes);
        }
    }
}
