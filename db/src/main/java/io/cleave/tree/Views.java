package io.cleave.tree;

import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.View;

import java.util.List;
import java.util.Optional;

/// The catalog changes that create and drop views. Empty if there is nothing to do.
final class Views {
    private Views() {}

    static Optional<List<CatalogChange>> creation(
            Catalog catalog, NewPaths newPaths, SchemeChange.CreateView create) {
        Optional<Node> there = catalog.view().find(create.path());
        if (there.isPresent()) {
            if (there.get().view().isEmpty()) {
                throw PathErrors.problem(
                        create.path(),
                        "unexpected path type, a %s is there"
                                .formatted(there.get().isDirectory() ? "directory" : "table"));
            }
            if (create.ifNotExists()) {
                return Optional.empty();
            }
            throw PathErrors.problem(
                    create.path(),
                    "path exist, request doesn't accept it (id: [OwnerId: 1, LocalPathId: "
                            + there.get().view().get().id()
                            + "], type: EPathTypeView, state: EPathStateNoChanges)");
        }
        List<CatalogChange> changes = newPaths.parents(catalog.view(), create.path(), 1);
        changes.add(
                new PutNode(
                        Node.of(
                                new View(
                                        catalog.newId(),
                                        create.path(),
                                        create.text(),
                                        create.pathPrefix(),
                                        newPaths.env().wallMicros()))));
        return Optional.of(changes);
    }

    static Optional<List<CatalogChange>> removal(CatalogView view, SchemeChange.DropView drop) {
        Optional<Node> there = view.find(drop.path());
        if (there.isEmpty()) {
            if (drop.ifExists()) {
                return Optional.empty();
            }
            throw PathErrors.missing(drop.path());
        }
        if (there.get().view().isEmpty()) {
            throw PathErrors.problem(drop.path(), "path is not a view");
        }
        return Optional.of(List.of(new RemoveNode(drop.path())));
    }
}
