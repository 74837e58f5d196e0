package io.cleave.yt.tree;

import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;

import java.util.Optional;

/// A node as one view of the tree shows it.
///
/// @param path the absolute path in the catalog; objects in `//sys` have one, too
/// @param entry the directory, table or view of the catalog
/// @param row what is stored for clients of YTsaurus
/// @param object an object in `//sys` that is not stored
/// @param map a directory of such objects
record TreeNode(
        String path,
        ObjectId id,
        ObjectType type,
        Optional<CatalogView.Node> entry,
        Optional<CypressNode> row,
        Optional<SystemObject> object,
        Optional<SystemMap> map) {
    boolean isMap() {
        return type == ObjectType.MAP_NODE || map.isPresent();
    }

    /// Whether the node is fixed: clients can change its attributes, but nothing else.
    boolean isSystem() {
        return object.isPresent() || map.isPresent();
    }

    boolean isLink() {
        return type == ObjectType.LINK;
    }

    Optional<Table> table() {
        return entry.flatMap(CatalogView.Node::table);
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
