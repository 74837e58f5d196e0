package io.cleave.yt.table;

import io.cleave.access.Caller;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Mounts, unmounts, freezes and unfreezes tablets. Each command returns when the tablets have
/// their final state. All tablets are checked before the first one is changed.
///
/// Threads: any.
final class TabletMounting {
    private final YtTables tables;
    private final InMemoryTables inMemory;

    TabletMounting(YtTables tables) {
        this.tables = tables;
        inMemory = new InMemoryTables(tables);
    }

    void mount(Caller caller, String path, CommandParameters parameters) {
        MountCommand action =
                parameters.flag("freeze", false) ? MountCommand.MOUNT_FROZEN : MountCommand.MOUNT;
        boolean _ =
                tables.locked(
                        caller,
                        path,
                        table -> {
                            List<TabletInfo> tablets = tables.tablets(table);
                            TabletSpan span = TabletSpan.of(parameters, tablets.size());
                            var _ = next(table, tablets, span, action);
                            Optional<List<Long>> cells = cells(table, span, parameters);
                            inMemory.checkFits(table);
                            place(table, span.of(tablets), cells);
                            return true;
                        });
        change(caller, path, parameters, action);
        inMemory.apply(caller, path);
    }

    void unmount(Caller caller, String path, CommandParameters parameters) {
        boolean forced = parameters.flag("force", false);
        change(
                caller,
                path,
                parameters,
                forced ? MountCommand.FORCED_UNMOUNT : MountCommand.UNMOUNT);
        inMemory.apply(caller, path);
    }

    /// Runs a command that only changes the state of tablets.
    void change(Caller caller, String path, CommandParameters parameters, MountCommand action) {
        tables.changeStates(
                caller,
                path,
                (table, tablets) ->
                        next(table, tablets, TabletSpan.of(parameters, tablets.size()), action));
    }

    /// Applies the settings that take effect when a table is mounted or remounted.
    void remount(Caller caller, String path, CommandParameters parameters) {
        Table table = tables.table(path);
        var _ = TabletSpan.of(parameters, tables.tablets(table).size());
        if (!YtTables.states(table).all(state -> state == MountState.UNMOUNTED)) {
            inMemory.checkFits(table);
            inMemory.apply(caller, path);
        }
    }

    private static MountStates next(
            Table table, List<TabletInfo> tablets, TabletSpan span, MountCommand action) {
        MountStates states = YtTables.states(table);
        MountStates changed = states;
        for (TabletInfo tablet : span.of(tablets)) {
            MountState state = states.at(tablet.range().from());
            MountState next = action.next(MountGate.tabletId(tablet.tabletId()), state);
            if (next != state) {
                changed = changed.with(tablet.range(), next);
            }
        }
        return changed;
    }

    /// The cells that the client has chosen for the tablets of the span; empty if it has chosen
    /// none.
    private Optional<List<Long>> cells(Table table, TabletSpan span, CommandParameters parameters) {
        Optional<String> one = parameters.text("cell_id").filter(id -> !id.equals("0-0-0-0"));
        List<YsonNode> each =
                parameters
                        .find("target_cell_ids")
                        .map(
                                given ->
                                        given.bare() instanceof YsonNode.Items(var items)
                                                ? items
                                                : List.of(given))
                        .orElse(List.of());
        if (one.isPresent() && !each.isEmpty()) {
            throw problem("At most one of \"cell_id\" and \"target_cell_ids\" must be specified");
        }
        if (!each.isEmpty() && each.size() != span.count()) {
            throw problem(
                    ("\"target_cell_ids\" must either be empty or contain exactly"
                         + " \"last_tablet_index\" - \"first_tablet_index\" + 1 entries (%d != %d -"
                         + " %d + 1)")
                            .formatted(each.size(), span.last(), span.first()));
        }
        List<Long> bundle = bundle(table);
        List<Long> chosen = new ArrayList<>();
        for (int index = 0; index < span.count(); index++) {
            if (one.isPresent()) {
                chosen.add(cell(table, bundle, one.get()));
            } else if (!each.isEmpty()) {
                YsonNode id = each.get(index);
                chosen.add(cell(table, bundle, id.string().orElse(id.print())));
            }
        }
        return chosen.isEmpty() ? Optional.empty() : Optional.of(chosen);
    }

    private List<Long> bundle(Table table) {
        List<Long> cells = tables.resharding().runningCells(Bundles.of(table));
        if (cells.isEmpty()) {
            throw problem("No healthy tablet cells in bundle \"%s\"".formatted(Bundles.of(table)));
        }
        return cells;
    }

    private long cell(Table table, List<Long> bundle, String text) {
        long cellId =
                ObjectId.parse(text)
                        .filter(id -> id.type().equals(Optional.of(ObjectType.TABLET_CELL)))
                        .map(ObjectId::number)
                        .orElseThrow(() -> noSuchCell(text));
        if (bundle.contains(cellId)) {
            return cellId;
        }
        for (Map.Entry<String, List<Long>> other : tables.resharding().bundles().entrySet()) {
            if (other.getValue().contains(cellId)) {
                throw problem(
                        ("Cannot mount tablets into cell %s since it belongs to bundle \"%s\" while"
                                        + " table %s is configured to use bundle \"%s\"")
                                .formatted(
                                        text,
                                        other.getKey(),
                                        tables.ypath(table),
                                        Bundles.of(table)));
            }
        }
        throw noSuchCell(text);
    }

    private static YtException noSuchCell(String text) {
        return new YtException(YtCodes.NO_SUCH_CELL, "No such tablet cell %s".formatted(text));
    }

    /// Moves tablets to their cells before they are mounted. The client may have chosen the cells.
    /// Otherwise the tablets are spread evenly: the numbers that two cells of the bundle get differ
    /// by at most one.
    private void place(Table table, List<TabletInfo> tablets, Optional<List<Long>> cells) {
        List<TabletInfo> unmounted =
                tablets.stream()
                        .filter(tablet -> YtTables.state(table, tablet) == MountState.UNMOUNTED)
                        .toList();
        for (int index = 0; index < tablets.size(); index++) {
            if (cells.isPresent() && unmounted.contains(tablets.get(index))) {
                move(table, tablets.get(index), cells.get().get(index));
            }
        }
        if (cells.isEmpty()) {
            spread(table, unmounted, bundle(table));
        }
    }

    private void spread(Table table, List<TabletInfo> tablets, List<Long> cells) {
        Map<Long, Integer> counts = new TreeMap<>();
        cells.forEach(cell -> counts.put(cell, 0));
        tablets.forEach(tablet -> counts.merge(tablet.cellId(), 1, Integer::sum));
        int most = (tablets.size() + cells.size() - 1) / cells.size();
        for (TabletInfo tablet : tablets) {
            boolean outside = !cells.contains(tablet.cellId());
            if (!outside && counts.getOrDefault(tablet.cellId(), 0) <= most) {
                continue;
            }
            long target =
                    cells.stream()
                            .min(Comparator.comparingInt(cell -> counts.getOrDefault(cell, 0)))
                            .orElseThrow();
            move(table, tablet, target);
            counts.merge(tablet.cellId(), -1, Integer::sum);
            counts.merge(target, 1, Integer::sum);
        }
    }

    private void move(Table table, TabletInfo tablet, long cellId) {
        if (tablet.cellId() != cellId) {
            var _ = tables.resharding().move(table.path(), tablet.tabletId(), cellId);
        }
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
