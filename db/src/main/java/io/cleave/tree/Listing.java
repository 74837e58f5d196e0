package io.cleave.tree;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.tree.PathEntry.Kind;

import java.util.List;
import java.util.Optional;

/// The entries of the path tree, from one view of the catalog.
record Listing(String database, CatalogView view) {
    /// Describes any path, including the database and `/`; throws SCHEME_ERROR if nothing is there.
    PathEntry describe(String path) {
        if (path.equals("/")) {
            return new PathEntry("/", "/", Kind.DIRECTORY, 0);
        }
        if (path.equals(database)) {
            return new PathEntry(database.substring(1), database, Kind.DATABASE, 0);
        }
        return view.find(path)
                .map(Listing::entry)
                .or(() -> index(path))
                .orElseThrow(() -> unknown(path));
    }

    /// The entries directly below a directory, by name.
    List<PathEntry> list(String path) {
        if (path.equals("/")) {
            return List.of(describe(database));
        }
        if (!path.equals(database) && index(path).isEmpty()) {
            Node node = view.find(path).orElseThrow(() -> unknown(path));
            if (!node.isDirectory()) {
                return List.of();
            }
        }
        return view.children(path).stream()
                .filter(node -> !StandardDirectories.isHidden(database, view, node))
                .map(Listing::entry)
                .toList();
    }

    /// An index appears below its table as a directory that contains the index table.
    private Optional<PathEntry> index(String path) {
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
                : PathErrors.missing(path);
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
