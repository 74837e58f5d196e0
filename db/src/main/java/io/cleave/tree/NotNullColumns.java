package io.cleave.tree;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableChange.AddColumn;
import io.cleave.schema.TableChange.DropColumn;
import io.cleave.schema.TableChange.EndNotNull;
import io.cleave.schema.TableChange.SetNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Makes columns NOT NULL on a table that has rows: columns of SET NOT NULL, and added columns that
/// a sequence fills.
///
/// First, writers stop writing NULL. After all writers that did not know this have ended, rows
/// without a number get one from the sequence, and all rows of a snapshot are checked. Only then
/// does the column become NOT NULL. If a NULL is found, or the process ends before, the change is
/// undone.
///
/// No lock is held meanwhile, and the table may be renamed and its tablets split and moved.
final class NotNullColumns {
    private final Tablets tablets;
    private final Alterations alterations;
    private final ColumnWork rows;

    NotNullColumns(Tablets tablets, Alterations alterations, ColumnWork rows) {
        this.tablets = tablets;
        this.alterations = alterations;
        this.rows = rows;
    }

    /// Whether some of the changes make a column NOT NULL.
    static boolean concerns(List<TableChange> changes) {
        return changes.stream().anyMatch(NotNullColumns::isOne);
    }

    private static boolean isOne(TableChange change) {
        return change instanceof SetNotNull
                || (change instanceof AddColumn add
                        && add.column().preset().isPresent()
                        && add.column().preset().get() instanceof Preset.FromSequence);
    }

    void alter(String path, List<TableChange> changes) {
        // Other changes of the same statement could not be undone.
        if (!changes.stream().allMatch(NotNullColumns::isOne)) {
            throw new StatusException(
                    Status.UNSUPPORTED,
                    "SET NOT NULL and the addition of serial columns can not be used together with"
                            + " another table action");
        }
        Begun begun =
                tablets.held()
                        .with(
                                path,
                                Purpose.CHANGE_ALL,
                                (table, _) -> {
                                    alterations.run(table, changes);
                                    return begun(table, tablets.table(path));
                                });
        boolean done = false;
        try {
            finish(begun);
            done = true;
        } finally {
            if (!done) {
                undo(begun);
            }
        }
    }

    /// The columns that one statement is making NOT NULL.
    private record Begun(long tableId, List<Column> columns) {}

    private static Begun begun(Table before, Table now) {
        return new Begun(
                now.id(),
                now.columns().stream()
                        .filter(Column::settingNotNull)
                        .filter(
                                column ->
                                        before.columns().stream()
                                                .noneMatch(
                                                        known ->
                                                                known.id() == column.id()
                                                                        && known.settingNotNull()))
                        .toList());
    }

    private void finish(Begun begun) {
        tablets.olderCommits().end(begun.tableId());
        long whole = 0;
        for (Column column : begun.columns()) {
            if (column.sequence().isPresent()) {
                rows.fill(begun.tableId(), column.id());
            }
            whole = Math.max(whole, rows.check(begun.tableId(), column.id()));
        }
        long from = whole;
        change(
                begun,
                table -> {
                    // An earlier snapshot may contain a NULL.
                    tablets.held()
                            .view()
                            .idsWithIndexes(table)
                            .forEach(tableId -> tablets.wholeFrom(tableId, from));
                    return ends(table, begun, true);
                });
    }

    private void undo(Begun begun) {
        try {
            change(begun, table -> ends(table, begun, false));
        } catch (StatusException _) {
            // The table was dropped or changed, and there is nothing to undo; or writes are
            // impossible, and the next start undoes it.
        }
    }

    /// The changes that end the transition of those columns that are still in it.
    private static List<TableChange> ends(Table table, Begun begun, boolean holds) {
        List<TableChange> ends = new ArrayList<>();
        for (Column column : table.columns()) {
            boolean ours =
                    column.settingNotNull()
                            && begun.columns().stream().anyMatch(one -> one.id() == column.id());
            if (ours) {
                ends.add(end(column, holds));
            }
        }
        if (holds && ends.size() < begun.columns().size()) {
            throw new StatusException(
                    Status.ABORTED,
                    "A column of '%s' was changed while it was being set NOT NULL; retry"
                            .formatted(table.path()));
        }
        return ends;
    }

    private static TableChange end(Column column, boolean holds) {
        // A column added for a sequence is removed again.
        return !holds && column.sequence().isPresent()
                ? new DropColumn(column.name())
                : new EndNotNull(column.name(), holds);
    }

    private void change(Begun begun, Function<Table, List<TableChange>> changes) {
        boolean done = false;
        while (!done) {
            Table there =
                    tablets.tables().stream()
                            .filter(table -> table.id() == begun.tableId())
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new StatusException(
                                                    Status.SCHEME_ERROR,
                                                    "The table was dropped while the request ran"));
            done =
                    tablets.held()
                            .ifThere(
                                    there.path(),
                                    Purpose.CHANGE_ALL,
                                    (table, _) -> {
                                        if (table.id() != begun.tableId()) {
                                            return false;
                                        }
                                        List<TableChange> ends = changes.apply(table);
                                        if (!ends.isEmpty()) {
                                            alterations.run(table, ends);
                                        }
                                        return true;
                                    })
                            .orElse(false);
        }
    }

    /// The changes that undo every transition that the end of the process interrupted.
    static Optional<List<CatalogChange>> undoing(CatalogView view) {
        List<CatalogChange> changes = new ArrayList<>();
        for (Table table : view.tables()) {
            List<TableChange> ends =
                    table.columns().stream()
                            .filter(Column::settingNotNull)
                            .map(column -> end(column, false))
                            .toList();
            if (!ends.isEmpty()) {
                changes.add(new PutNode(Node.of(undone(table, ends))));
            }
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes);
    }

    private static Table undone(Table table, List<TableChange> ends) {
        try {
            return TableAlteration.apply(table, ends);
        } catch (StatusException _) {
            // A column that may not be dropped stays, with the numbers it has: one table must not
            // prevent all others from being opened.
            return TableAlteration.withoutSettingNotNull(table);
        }
    }
}
