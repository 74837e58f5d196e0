package io.cleave.tree;

import io.cleave.base.Env;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.CypressNode;
import io.cleave.catalog.PathErrors;

import java.util.List;
import java.util.Optional;

/// Creates directories and removes empty ones. The caller holds the lock for catalog changes.
final class Directories {
    private final Catalog catalog;
    private final NewPaths newPaths;
    private final Env env;

    Directories(Catalog catalog, NewPaths newPaths, Env env) {
        this.catalog = catalog;
        this.newPaths = newPaths;
        this.env = env;
    }

    /// Creates the directory and the missing ones above it. Returns false if it already existed.
    boolean make(String path) {
        Optional<Node> there = catalog.view().find(path);
        if (there.isPresent()) {
            if (there.get().isDirectory()) {
                return false;
            }
            throw PathErrors.problem(
                    path,
                    "unexpected path type, a %s is there"
                            .formatted(there.get().view().isPresent() ? "view" : "table"));
        }
        List<CatalogChange> changes = newPaths.parents(catalog.view(), path, 1);
        changes.add(new PutNode(Node.directory(path, env.wallMicros())));
        catalog.change(changes);
        return true;
    }

    void remove(String path) {
        Node node = catalog.view().find(path).orElseThrow(() -> PathErrors.missing(path));
        if (!node.isDirectory()) {
            throw PathErrors.problem(path, "path is not a directory");
        }
        if (!catalog.view().children(path).isEmpty()
                || catalog.view().cypressChildren(path).stream().anyMatch(CypressNode::isOwn)) {
            throw PathErrors.problem(path, "path has children, request doesn't accept it");
        }
        catalog.change(List.of(new RemoveNode(path)));
    }
}
