package io.cleave.cluster;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What has to be there before something can stand at a new path.
record NewPaths(String database, Env env) {
    static final int MAX_PATHS = 10_000;

    /// Checks the path, and makes the directories above it that are missing.
    List<CatalogChange> parents(CatalogView view, String path) {
        Paths.check(database, path);
        List<CatalogChange> changes = new ArrayList<>();
        for (String parent : Paths.parents(database, path)) {
            Optional<Node> node = view.find(parent);
            if (node.isEmpty()) {
                changes.add(new PutNode(Node.directory(parent, env.wallMicros())));
            } else if (!node.get().isDirectory()) {
                throw Paths.problem(parent, "path is not a directory");
            }
        }
        // The directories, and what is to stand there itself.
        if (view.nodeCount() + changes.size() + 1 > MAX_PATHS) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "paths count has reached maximum value in the domain: " + MAX_PATHS);
        }
        return changes;
    }
}
