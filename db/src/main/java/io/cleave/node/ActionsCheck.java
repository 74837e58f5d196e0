package io.cleave.node;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.catalog.CatalogView;
import io.cleave.control.action.ActionCodec;
import io.cleave.control.action.TabletAction;

import java.util.SortedMap;

/// Checks the rows of actions, which are changes of tablets: a start refuses a row that it cannot
/// read, and goes on with actions that are not finished.
record ActionsCheck(FsckReport report, CatalogView view) {
    private static final String REMEDY =
            "start the version of Cleave that wrote it, or restore all logs from one copy";

    void run(SortedMap<Long, Bytes> rows) {
        rows.forEach(
                (number, row) -> {
                    try {
                        check(ActionCodec.decode(number, row));
                    } catch (CorruptionException e) {
                        report.damage(e, REMEDY);
                    }
                });
    }

    private void check(TabletAction action) {
        if (action.isFinished()) {
            return;
        }
        boolean hasTable =
                view.tables().stream().anyMatch(table -> table.id() == action.content().tableId());
        report.note(
                "action " + action.id().text(),
                "the server ended while it was to %s tablets of %s; the next start %s"
                        .formatted(
                                action.kind().text(),
                                action.content().path(),
                                hasTable ? "finishes it" : "ends it, because the table is gone"));
    }
}
