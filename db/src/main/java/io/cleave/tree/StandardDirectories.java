package io.cleave.tree;

import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

import java.util.List;

/// The directories that YTsaurus' clients expect in every database: the root, `home`, `tmp` and
/// `sys`. They need not be stored. When such a client creates something below one of them, the
/// directory is stored with an id by which it is known again; YDB's listings do not show it while
/// it is empty.
public final class StandardDirectories {
    public static final List<String> NAMES = List.of("home", "sys", "tmp");

    private StandardDirectories() {}

    public static boolean contains(String database, String path) {
        return path.equals(database)
                || (path.startsWith(database + "/")
                        && NAMES.contains(path.substring(database.length() + 1)));
    }

    /// The id of a standard directory, unless it was created by a client of YDB.
    public static ObjectId id(String path) {
        return ObjectId.named(ObjectType.MAP_NODE, path);
    }

    /// Whether YDB's listings leave the directory out.
    static boolean isHidden(String database, CatalogView view, Node node) {
        return node.isDirectory()
                && contains(database, node.path())
                && view.cypress(node.path())
                        .filter(row -> row.id().equals(id(node.path())))
                        .isPresent()
                && view.children(node.path()).isEmpty();
    }
}
