package io.cleave.cluster;

import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.Scheme.Renaming;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tables on their way to other paths, one after the other: each step sees those before it.
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
        Node node = view.find(renaming.from()).orElseThrow(() -> Paths.missing(renaming.from()));
        Table table =
                TableAlteration.apply(
                        Paths.tableAt(node), List.of(new TableChange.Rename(renaming.to())));
        add(renaming.from(), table, renaming.replace());
    }

    /// Puts the table where its path says now; with `replace` over the table that is there.
    void add(String from, Table table, boolean replace) {
        String to = table.path();
        List<CatalogChange> step = new ArrayList<>();
        Optional<Node> there = view.find(to);
        if (there.isPresent()) {
            if (!replace) {
                throw Paths.problem(to, "path exist, request doesn't accept it");
            }
            long replacedId = Paths.tableAt(there.get()).id();
            replaced.add(replacedId);
            step.add(new RemoveTablets(replacedId));
        } else {
            step.addAll(newPaths.parents(view, to));
        }
        renamed.add(table.id());
        step.add(new RemoveNode(from));
        step.add(new PutNode(Node.of(table)));
        step.add(new PutAcl(to, view.access().acl(from)));
        view = view.with(step);
        changes.addAll(step);
    }

    List<CatalogChange> changes() {
        return changes;
    }

    /// The tables that are gone then.
    Set<Long> replaced() {
        return replaced;
    }

    /// All tables that this is about.
    Set<Long> tables() {
        Set<Long> tables = new HashSet<>(renamed);
        tables.addAll(replaced);
        return tables;
    }
}
