package io.cleave.tree;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The requirements of a new path: its parent directories, and the limit of all paths.
record NewPaths(String database, Env env) {
    static final int MAX_PATHS = 10_000;

    /// Checks the path, and returns the changes that create its missing parent directories. `more`
    /// is the number of further paths that are added: one for a new table and one for each of its
    /// indexes.
    List<CatalogChange> parents(CatalogView view, String path, int more) {
        Paths.check(database, path);
        List<CatalogChange> changes = new ArrayList<>();
        for (String parent : Paths.parents(database, path)) {
            Optional<Node> node = view.find(parent);
            if (node.isEmpty()) {
                changes.add(new PutNode(Node.directory(parent, env.wallMicros())));
            } else if (!node.get().isDirectory()) {
                throw PathErrors.problem(parent, "path is not a directory");
            }
        }
        checkCount(view, changes.size() + more);
        return changes;
    }

    /// Throws if `more` additional paths would exceed the limit.
    static void checkCount(CatalogView view, int more) {
        if (more > 0 && view.nodeCount() + more > MAX_PATHS) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "paths count has reached maximum value in the domain: " + MAX_PATHS);
        }
    }
}
