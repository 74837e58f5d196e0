package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.PathEntry.Kind;
import io.cleave.schema.Index;
import io.cleave.schema.Table;

import java.util.List;
import java.util.Optional;

/// What stands at the paths of the tree. Pure.
final class PathEntries {
    private PathEntries() {}

    static PathEntry describe(String database, CatalogView view, String path) {
        if (path.equals("/")) {
            return new PathEntry("/", "/", Kind.DIRECTORY, 0);
        }
        if (path.equals(database)) {
            return new PathEntry(database.substring(1), database, Kind.DATABASE, 0);
        }
        return view.find(path)
                .map(PathEntries::entry)
                .or(() -> indexEntry(view, path))
                .orElseThrow(() -> unknown(path));
    }

    static List<PathEntry> list(String database, CatalogView view, String path) {
        if (path.equals("/")) {
            return List.of(describe(database, view, database));
        }
        if (!path.equals(database) && indexEntry(view, path).isEmpty()) {
            Node node = view.find(path).orElseThrow(() -> unknown(path));
            if (!node.isDirectory()) {
                return List.of();
            }
        }
        return view.children(path).stream().map(PathEntries::entry).toList();
    }

    /// An index stands below its table as a directory does, with the table of its rows in it.
    private static Optional<PathEntry> indexEntry(CatalogView view, String path) {
        return view.find(path + "/" + Index.TABLE_NAME)
                .filter(node -> node.table().map(Table::isIndexTable).orElse(false))
                .map(
                        node ->
                                new PathEntry(
                                        path.substring(path.lastIndexOf('/') + 1),
                                        path,
                                        Kind.DIRECTORY,
                                        node.createdMicros()));
    }

    private static StatusException unknown(String path) {
        return path.indexOf('/', 1) < 0
                ? new StatusException(Status.SCHEME_ERROR, "Root not found")
                : Paths.missing(path);
    }

    private static PathEntry entry(Node node) {
        return new PathEntry(
                node.name(),
                node.path(),
                node.isDirectory() ? Kind.DIRECTORY : Kind.TABLE,
                node.createdMicros());
    }
}
