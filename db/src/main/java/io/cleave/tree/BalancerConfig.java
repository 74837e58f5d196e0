package io.cleave.tree;

import io.cleave.base.Bytes;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;

import java.util.Optional;

/// Where the settings of YTsaurus' balancer for all bundles are: the document
/// `sys/tablet_balancer/config`. It is stored when a client sets it. Clients see it, and its
/// directory, in any case.
public final class BalancerConfig {
    /// Its directory, below the database.
    public static final String DIRECTORY = "sys/tablet_balancer";

    public static final String NAME = "config";

    private BalancerConfig() {}

    public static String path(String database) {
        return directory(database) + "/" + NAME;
    }

    static String directory(String database) {
        return database + "/" + DIRECTORY;
    }

    /// The bytes of the document as it is stored; empty if it is not.
    public static Bytes bytes(CatalogView view, String database) {
        return view.cypress(path(database))
                .filter(found -> found.type() == ObjectType.DOCUMENT)
                .map(CypressNode::value)
                .orElse(Bytes.EMPTY);
    }

    /// The document as it is stored; an empty map if it is not.
    public static YsonNode stored(CatalogView view, String database) {
        return stored(view.cypress(path(database)));
    }

    /// The value of its row.
    public static YsonNode stored(Optional<CypressNode> row) {
        return row.filter(found -> found.type() == ObjectType.DOCUMENT)
                .flatMap(found -> YsonNode.parse(found.value()))
                .orElse(YsonNode.Members.EMPTY);
    }
}
