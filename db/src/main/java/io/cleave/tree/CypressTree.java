package io.cleave.tree;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.HeldTables;
import io.cleave.cluster.TableLocks.LockedTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The stored tree for clients of YTsaurus: the view of the catalog, and changes that are made in
/// one commit of the catalog.
///
/// Threads: any.
public final class CypressTree {
    /// The greatest number of nodes, including directories and tables.
    public static final int MAX_NODES = 100_000;

    /// The greatest size of all values and attributes. They are kept in memory.
    public static final long MAX_BYTES = 64L << 20;

    private final Tablets tablets;
    private final HeldTables held;
    private final Env env;

    public CypressTree(Tablets tablets, Env env) {
        this.tablets = tablets;
        this.held = tablets.held();
        this.env = env;
    }

    /// The path of the database, `/local`.
    public String database() {
        return tablets.database();
    }

    public CatalogView view() {
        return held.view();
    }

    /// A number that changes with every view.
    public long changeCount() {
        return held.catalog().changes();
    }

    /// A number that was never given before and is greater than all earlier ones of this process:
    /// an id or a revision.
    public long newNumber() {
        return held.catalog().newId();
    }

    public Env env() {
        return env;
    }

    /// Throws if nothing can be created at the path because of its name.
    public void checkName(String path) {
        Paths.check(database(), path);
    }

    /// The view after these changes. Throws ABORTED if one of them does not fit the view.
    public CatalogView with(CatalogView view, List<CypressChange> changes) {
        CatalogView changed = view;
        for (CypressChange change : changes) {
            changed = changed.with(change.steps(changed, database()));
        }
        return changed;
    }

    /// Makes all the changes durable and visible, or none of them. Throws ABORTED if the tree has
    /// changed so that they no longer fit.
    public void commit(List<CypressChange> changes) {
        boolean done = changes.isEmpty();
        while (!done) {
            Set<Long> touched = touched(changes);
            Set<Long> gone = new HashSet<>();
            try (LockedTables _ = held.take(touched, Purpose.CHANGE)) {
                done =
                        held.changing(
                                () -> {
                                    // An index may have been added to one of the tables.
                                    if (!touched.equals(touched(changes))) {
                                        return false;
                                    }
                                    gone.addAll(commitHeld(changes));
                                    return true;
                                });
                if (!gone.isEmpty()) {
                    tablets.forget(gone);
                }
            }
        }
    }

    /// Gives the tablets of altered tables their new settings, after a commit. The commit is not
    /// undone if this fails because a cell has failed.
    public void configure(List<CypressChange> changes) {
        if (changes.stream().anyMatch(CypressChange.AlterTable.class::isInstance)) {
            try (LockedTables _ = held.take(touched(changes), Purpose.CHANGE)) {
                configureHeld(changes);
            }
        }
    }

    private void configureHeld(List<CypressChange> changes) {
        CatalogView view = held.view();
        for (CypressChange change : changes) {
            if (change instanceof CypressChange.AlterTable alter) {
                alter.table(view)
                        .ifPresent(
                                table -> {
                                    tablets.configure(table);
                                    view.indexTables(table).values().forEach(tablets::configure);
                                });
            }
        }
    }

    /// Commits under the lock of the catalog. Returns the tables that are gone.
    private Set<Long> commitHeld(List<CypressChange> changes) {
        CatalogView before = held.view();
        CatalogView view = before;
        List<CatalogChange> all = new ArrayList<>();
        for (CypressChange change : changes) {
            List<CatalogChange> steps = change.steps(view, database());
            view = view.with(steps);
            all.addAll(steps);
        }
        checkLimits(before, view);
        held.catalog().change(all);
        Set<Long> gone = new HashSet<>();
        for (CatalogChange change : all) {
            if (change instanceof CatalogChange.RemoveTablets(long tableId)) {
                gone.add(tableId);
            }
        }
        return gone;
    }

    /// The tables that the changes remove, move or alter, with their index tables.
    private Set<Long> touched(List<CypressChange> changes) {
        CatalogView view = held.view();
        Set<Long> ids = new HashSet<>();
        for (CypressChange change : changes) {
            Optional<Table> table =
                    switch (change) {
                        case CypressChange.RemoveTable(String path, long tableId) ->
                                table(view, path, tableId);
                        case CypressChange.MoveTable(long tableId, String from, _) ->
                                table(view, from, tableId);
                        case CypressChange.AlterTable alter -> alter.table(view);
                        default -> Optional.empty();
                    };
            table.ifPresent(found -> ids.addAll(view.idsWithIndexes(found)));
        }
        return ids;
    }

    private static Optional<Table> table(CatalogView view, String path, long tableId) {
        return view.find(path).flatMap(Node::table).filter(table -> table.id() == tableId);
    }

    private static void checkLimits(CatalogView before, CatalogView after) {
        // A directory or table may have a row, too.
        int nodes = Math.max(after.nodeCount(), after.cypressCount());
        if (nodes > MAX_NODES && nodes > Math.max(before.nodeCount(), before.cypressCount())) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "The tree has %d nodes, which is the limit; remove some".formatted(MAX_NODES));
        }
        if (after.cypressBytes() > MAX_BYTES && after.cypressBytes() > before.cypressBytes()) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "All documents and attributes together may have %d bytes; remove some"
                            .formatted(MAX_BYTES));
        }
    }
}
