package io.cleave.tree;

import io.cleave.base.Check;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutCypress;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.tree.Scheme.Renaming;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A series of table renames. Each step sees the result of the steps before it.
final class Renames {
    private final NewPaths newPaths;
    private CatalogView view;
    private final List<CatalogChange> changes = new ArrayList<>();
    private final Set<Long> renamed = new HashSet<>();
    private final Set<Long> replaced = new HashSet<>();

    Renames(CatalogView view, NewPaths newPaths) {
        this.view = view;
        this.newPaths = newPaths;
    }

    void add(Renaming renaming) {
        Node node =
                view.find(renaming.from()).orElseThrow(() -> PathErrors.missing(renaming.from()));
        Table old = PathErrors.tableAt(node);
        Alterations.refuseIndexTable(old);
        Table table = TableAlteration.apply(old, List.of(new TableChange.Rename(renaming.to())));
        add(renaming.from(), table, renaming.replace());
    }

    /// Moves the table from `from` to the path it has now; with `replace` it replaces the table
    /// there.
    void add(String from, Table table, boolean replace) {
        String to = table.path();
        List<CatalogChange> step = new ArrayList<>();
        Optional<Node> there = view.find(to);
        if (there.isPresent()) {
            // A table that replaces itself would be dropped.
            if (!replace || to.equals(from)) {
                throw PathErrors.problem(to, "path exist, request doesn't accept it");
            }
            replace(PathErrors.tableAt(there.get()), step);
        } else {
            step.addAll(newPaths.parents(view, to, 0));
        }
        renamed.add(table.id());
        step.add(new RemoveNode(from));
        step.add(new PutNode(Node.of(table)));
        for (Index index : table.indexes()) {
            String indexFrom = Index.path(from, index.name());
            String indexTo = Index.path(to, index.name());
            Paths.check(newPaths.database(), indexTo);
            Table moved =
                    view.find(indexFrom)
                            .map(PathErrors::tableAt)
                            .orElseThrow(() -> PathErrors.missing(indexFrom))
                            .movedTo(indexTo);
            renamed.add(moved.id());
            step.add(new RemoveNode(indexFrom));
            step.add(new PutNode(Node.of(moved)));
        }
        step.add(new PutAcl(to, view.access().acl(from)));
        view.cypress(from).ifPresent(node -> step.add(new PutCypress(node.at(to))));
        view = view.with(step);
        changes.addAll(step);
    }

    private void replace(Table there, List<CatalogChange> step) {
        // Refuses to replace a hidden table.
        Paths.check(newPaths.database(), there.path());
        Alterations.refuseIndexTable(there);
        List<Table> gone = new ArrayList<>(view.indexTables(there).values());
        gone.add(there);
        for (Table table : gone) {
            replaced.add(table.id());
            step.add(new RemoveNode(table.path()));
            step.add(new RemoveTablets(table.id()));
        }
    }

    List<CatalogChange> changes() {
        Check.that(
                view.tables().stream().noneMatch(table -> replaced.contains(table.id())),
                "some of the replaced tables %s still exist",
                replaced);
        return changes;
    }

    /// The tables that the renames remove.
    Set<Long> replaced() {
        return replaced;
    }

    /// All tables that the renames touch.
    Set<Long> tables() {
        Set<Long> tables = new HashSet<>(renamed);
        tables.addAll(replaced);
        return tables;
    }
}
