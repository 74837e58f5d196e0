package io.cleave.control.action;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Resharding.LastLook;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/// Carries out one action, from wherever it was interrupted. Rows are served meanwhile. If a user
/// has changed a tablet of the action, nothing more is changed.
///
/// Threads: any.
///
/// @param isClosing then no further step begins
record ActionRun(Tablets tablets, Resharding resharding, BooleanSupplier isClosing) {
    /// How the action ended.
    sealed interface Outcome {
        /// All is done.
        ///
        /// @param tablets in key order
        record Completed(List<TabletInfo> tablets) implements Outcome {}

        record Failed(String why) implements Outcome {}

        /// There is no cell for its tablets.
        record Orphaned(String why) implements Outcome {}

        /// The process ends. The next start goes on.
        record Interrupted() implements Outcome {}
    }

    /// @param isNew whether nothing of the action was done yet. After a restart that is not known
    Outcome run(TabletAction action, boolean isNew) {
        try {
            return change(action, isNew);
        } catch (StatusException e) {
            return e.status() == Status.UNAVAILABLE ? again(action) : failed(e);
        }
    }

    /// A cell took no write, which may be over.
    private Outcome again(TabletAction action) {
        try {
            return change(action, false);
        } catch (StatusException e) {
            return failed(e);
        }
    }

    private Outcome change(TabletAction action, boolean isNew) {
        return switch (action.kind()) {
            case MOVE -> move(action);
            case RESHARD -> reshard(action, isNew);
        };
    }

    private static Outcome failed(StatusException e) {
        return new Outcome.Failed(
                e.issues().isEmpty()
                        ? String.valueOf(e.getMessage())
                        : e.issues().getFirst().message());
    }

    private Outcome move(TabletAction action) {
        Content content = action.content();
        List<TabletInfo> moved = new ArrayList<>();
        for (int index = 0; index < action.tabletIds().size(); index++) {
            if (isClosing.getAsBoolean()) {
                return new Outcome.Interrupted();
            }
            OptionalLong cellId =
                    content.cellIds().isEmpty()
                            ? chosenCell(content)
                            : OptionalLong.of(content.cellIds().get(index));
            if (cellId.isEmpty()) {
                return new Outcome.Orphaned(
                        "No healthy tablet cells in bundle \"%s\"".formatted(content.bundle()));
            }
            moved.add(
                    resharding.move(
                            content.tableId(),
                            untouched(action, true),
                            action.tabletIds().get(index),
                            cellId.getAsLong()));
        }
        return new Outcome.Completed(moved);
    }

    private OptionalLong chosenCell(Content content) {
        Table table =
                tablets.tables().stream()
                        .filter(each -> each.id() == content.tableId())
                        .findFirst()
                        .orElseThrow(() -> Resharding.removed(content.path()));
        return resharding.emptiest(table);
    }

    private Outcome reshard(TabletAction action, boolean isNew) {
        Content content = action.content();
        if (isClosing.getAsBoolean()) {
            return new Outcome.Interrupted();
        }
        List<TabletInfo> made =
                new ArrayList<>(
                        resharding.reshard(
                                content.tableId(),
                                untouched(action, isNew),
                                content.range(),
                                content.pivotKeys()));
        TabletAction changed = action.withTablets(made.stream().map(TabletInfo::tabletId).toList());
        int cells = Math.min(content.cellIds().size(), made.size());
        for (int index = 0; index < cells; index++) {
            if (isClosing.getAsBoolean()) {
                return new Outcome.Interrupted();
            }
            made.set(
                    index,
                    resharding.move(
                            content.tableId(),
                            untouched(changed, true),
                            made.get(index).tabletId(),
                            content.cellIds().get(index)));
        }
        return new Outcome.Completed(made);
    }

    private static LastLook untouched(TabletAction action, boolean isNew) {
        return (table, found) -> ActionRules.checkUntouched(action, table, found, isNew);
    }
}
