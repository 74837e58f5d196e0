package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.PathEntry.Kind;

import java.util.List;

/// What stands at paths of the tree at one moment.
record Listing(String database, CatalogView view) {
    /// The database and `/` included; SCHEME_ERROR when nothing is there.
    PathEntry describe(String path) {
        if (path.equals("/")) {
            return new PathEntry("/", "/", Kind.DIRECTORY, 0);
        }
        if (path.equals(database)) {
            return new PathEntry(database.substring(1), database, Kind.DATABASE, 0);
        }
        return entry(view.find(path).orElseThrow(() -> unknown(path)));
    }

    /// What stands right below a directory, by name.
    List<PathEntry> list(String path) {
        if (path.equals("/")) {
            return List.of(describe(database));
        }
        if (!path.equals(database)) {
            Node node = view.find(path).orElseThrow(() -> unknown(path));
            if (!node.isDirectory()) {
                return List.of();
            }
        }
        return view.children(path).stream().map(Listing::entry).toList();
    }

    private static StatusException unknown(String path) {
        return path.indexOf('/', 1) < 0
                ? new StatusException(Status.SCHEME_ERROR, "Root not found")
                : Paths.missing(path);
    }

    private static PathEntry entry(Node node) {
        Kind kind = node.view().isPresent() ? Kind.VIEW : Kind.TABLE;
        return new PathEntry(
                node.name(),
                node.path(),
                node.isDirectory() ? Kind.DIRECTORY : kind,
                node.createdMicros());
    }
}
