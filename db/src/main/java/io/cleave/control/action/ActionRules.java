package io.cleave.control.action;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.ReshardPlan;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Which actions may begin, and which go on: YTsaurus' rules with its texts, in its order. Pure.
final class ActionRules {
    private ActionRules() {}

    /// The tablets of the request, which are all there.
    ///
    /// @param tablets of the table, in key order
    static List<TabletInfo> tablets(ActionRequest request, List<TabletInfo> tablets) {
        if (request.tabletIds().isEmpty()) {
            throw refused("Invalid number of tablets: expected more than zero");
        }
        Map<Long, TabletInfo> byId = new HashMap<>();
        tablets.forEach(tablet -> byId.put(tablet.tabletId(), tablet));
        List<TabletInfo> named = new ArrayList<>();
        for (long tabletId : request.tabletIds()) {
            TabletInfo tablet = byId.remove(tabletId);
            if (tablet == null) {
                throw refused(
                        request.tabletIds().indexOf(tabletId) < named.size()
                                ? "Tablet %s is named twice".formatted(text(tabletId))
                                : "No such tablet %s".formatted(text(tabletId)));
            }
            named.add(tablet);
        }
        return named;
    }

    /// What the request comes to; throws BAD_REQUEST if it may not begin.
    ///
    /// @param named the tablets of the request
    /// @param tablets of the table, in key order
    /// @param bundles the cells of each bundle, by its name
    static Content content(
            ActionRequest request,
            List<TabletInfo> named,
            List<TabletInfo> tablets,
            Map<String, List<Long>> bundles,
            long nowMicros) {
        Table table = request.table();
        MountState mounted = mounted(table, named);
        checkCells(request, bundles);
        switch (request.kind()) {
            case MOVE -> checkMove(request);
            case RESHARD -> checkReshard(request, named, tablets);
        }
        return new Content(
                request.kind(),
                table.id(),
                table.path(),
                Bundles.of(table),
                hull(named),
                request.cellIds(),
                request.pivotKeys(),
                switch (request.kind()) {
                    case MOVE -> List.of();
                    case RESHARD -> named.stream().map(tablet -> tablet.range().from()).toList();
                },
                request.tabletCount(),
                mounted,
                request.skipFreezing(),
                request.keeping(),
                request.origin(),
                0,
                nowMicros);
    }

    /// The state of the tablets, which is the same for all.
    private static MountState mounted(Table table, List<TabletInfo> named) {
        MountStates states = states(table);
        for (TabletInfo tablet : named) {
            MountState state = states.at(tablet.range().from());
            if (state != MountState.MOUNTED && state != MountState.FROZEN) {
                throw refused(
                        "Tablet %s is in state \"%s\""
                                .formatted(text(tablet.tabletId()), state.text()));
            }
        }
        MountState first = states.at(named.getFirst().range().from());
        if (named.stream().anyMatch(tablet -> states.at(tablet.range().from()) != first)) {
            throw refused("Tablets are in mixed state");
        }
        return first;
    }

    private static MountStates states(Table table) {
        return table.options().yt().map(YtTable::states).orElse(MountStates.MOUNTED);
    }

    private static void checkCells(ActionRequest request, Map<String, List<Long>> bundles) {
        List<Long> own = bundles.getOrDefault(Bundles.of(request.table()), List.of());
        for (long cellId : request.cellIds()) {
            if (own.contains(cellId)) {
                continue;
            }
            String cell = ObjectId.of(ObjectType.TABLET_CELL, cellId).text();
            boolean isThere = bundles.values().stream().anyMatch(cells -> cells.contains(cellId));
            throw refused(
                    isThere
                            ? "Table %s and tablet cell %s belong to different bundles"
                                    .formatted(request.table().path(), cell)
                            : "No such tablet cell %s".formatted(cell));
        }
    }

    private static void checkMove(ActionRequest request) {
        if (!request.cellIds().isEmpty()
                && request.cellIds().size() != request.tabletIds().size()) {
            throw refused(
                    "Number of destination cells and tablets mismatch: %d tablets, %d cells"
                            .formatted(request.tabletIds().size(), request.cellIds().size()));
        }
        if (!request.pivotKeys().isEmpty()) {
            throw refused(
                    "Invalid number of pivot keys: expected 0, actual %d"
                            .formatted(request.pivotKeys().size()));
        }
        if (request.tabletCount().isPresent()) {
            throw refused(
                    "Invalid number of tablets: expected none, actual %d"
                            .formatted(request.tabletCount().getAsInt()));
        }
    }

    private static void checkReshard(
            ActionRequest request, List<TabletInfo> named, List<TabletInfo> tablets) {
        if (request.pivotKeys().isEmpty() || request.tabletCount().orElse(1) < 1) {
            throw refused(
                    "Invalid number of new tablets: expected pivot keys or tablet count greater"
                            + " than 1");
        }
        int cells = request.cellIds().size();
        if (cells > 0) {
            if (request.tabletCount().isPresent()) {
                if (cells != request.tabletCount().getAsInt()) {
                    throw refused(
                            ("Number of destination cells and tablet count mismatch: tablet count"
                                            + " %d, cells %d")
                                    .formatted(request.tabletCount().getAsInt(), cells));
                }
            } else if (cells != request.pivotKeys().size()) {
                throw refused(
                        "Number of destination cells and pivot keys mismatch: pivot keys %d, cells %d"
                                .formatted(request.pivotKeys().size(), cells));
            }
        }
        for (int index = 1; index < named.size(); index++) {
            TabletInfo before = named.get(index - 1);
            TabletInfo tablet = named.get(index);
            if (!Objects.equals(before.range().to(), tablet.range().from())) {
                throw refused(
                        "Tablets %s and %s are not consequent"
                                .formatted(text(before.tabletId()), text(tablet.tabletId())));
            }
        }
        var _ = ReshardPlan.of(named, tablets.size(), request.pivotKeys());
    }

    /// From the first key of the tablets to the end of the last one.
    private static KeyRange hull(List<TabletInfo> named) {
        KeyRange hull = named.getFirst().range();
        for (TabletInfo tablet : named) {
            Bytes from = tablet.range().from();
            Bytes to = tablet.range().to();
            Bytes end = hull.to();
            hull =
                    new KeyRange(
                            from.compareTo(hull.from()) < 0 ? from : hull.from(),
                            to == null || end == null ? null : to.compareTo(end) > 0 ? to : end);
        }
        return hull;
    }

    /// Throws ABORTED if a user has changed one of the action's tablets.
    ///
    /// @param tablets of the table, in key order
    /// @param isNew whether nothing of the action was done yet. After a restart that is not known
    static void checkUntouched(
            TabletAction action, Table table, List<TabletInfo> tablets, boolean isNew) {
        Set<Long> ids = new HashSet<>(action.tabletIds());
        List<TabletInfo> touched =
                switch (action.kind()) {
                    case MOVE ->
                            tablets.stream().filter(each -> ids.contains(each.tabletId())).toList();
                    case RESHARD ->
                            tablets.stream()
                                    .filter(
                                            each ->
                                                    each.range()
                                                            .intersects(action.content().range()))
                                    .toList();
                };
        boolean isSame =
                (action.kind() == TabletAction.Kind.MOVE || isNew)
                        ? touched.stream().map(TabletInfo::tabletId).toList().size() == ids.size()
                                && touched.stream().allMatch(each -> ids.contains(each.tabletId()))
                        : isHalfDone(action.content(), touched);
        if (!isSame) {
            throw interfered("reshard_table");
        }
        MountStates states = states(table);
        for (TabletInfo tablet : touched) {
            MountState state = states.at(tablet.range().from());
            if (state != action.content().mounted()) {
                throw interfered(
                        switch (state) {
                            case UNMOUNTING, UNMOUNTED -> "unmount_table";
                            case FREEZING, FROZEN -> "freeze_table";
                            case UNFREEZING, MOUNTED -> "unfreeze_table";
                            case MOUNTING, FROZEN_MOUNTING -> "mount_table";
                        });
            }
        }
    }

    /// Whether the action itself can have made these tablets. A merge that a user has made may look
    /// the same; the action then undoes nothing that the user cannot see.
    private static boolean isHalfDone(Content content, List<TabletInfo> touched) {
        Set<Bytes> known = new HashSet<>(content.oldKeys());
        known.addAll(content.pivotKeys());
        return touched.getFirst().range().from().equals(content.range().from())
                && Objects.equals(touched.getLast().range().to(), content.range().to())
                && touched.stream().allMatch(tablet -> known.contains(tablet.range().from()));
    }

    private static StatusException interfered(String request) {
        return new StatusException(
                Status.ABORTED,
                "User request \"%s\" interfered with the action".formatted(request));
    }

    static String text(long tabletId) {
        return ObjectId.of(ObjectType.TABLET, tabletId).text();
    }

    static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }
}
