package io.cleave.tree;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.CypressNode;
import io.cleave.catalog.PathErrors;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The requirements of a new path: its parent directories, and the limit of all paths.
///
/// @param hidden whether the paths are those of hidden tables, which have no directories
record NewPaths(String database, Env env, boolean hidden) {
    NewPaths(String database, Env env) {
        this(database, env, false);
    }

    NewPaths ofHidden() {
        return new NewPaths(database, env, true);
    }

    static final int MAX_PATHS = 10_000;

    /// Checks the path, and returns the changes that create its missing parent directories. `more`
    /// is the number of further paths that are added: one for a new table and one for each of its
    /// indexes.
    List<CatalogChange> parents(CatalogView view, String path, int more) {
        List<CatalogChange> changes = new ArrayList<>();
        if (hidden) {
            checkCount(view, more);
            return changes;
        }
        Paths.check(database, path);
        refuseCypress(view, path);
        for (String parent : Paths.parents(database, path)) {
            refuseCypress(view, parent);
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

    /// Throws if a node that only YTsaurus' clients see is at the path.
    private static void refuseCypress(CatalogView view, String path) {
        view.cypress(path)
                .filter(CypressNode::isOwn)
                .ifPresent(
                        node -> {
                            throw PathErrors.problem(
                                    path,
                                    "a %s of YTsaurus' tree is there"
                                            .formatted(node.type().text()));
                        });
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
