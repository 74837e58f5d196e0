package io.cleave.catalog;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.schema.Table;

/// The errors of requests that name a path, with YDB's statuses and texts.
public final class PathErrors {
    private PathErrors() {}

    public static StatusException problem(String path, String error) {
        return new StatusException(
                Status.SCHEME_ERROR,
                Issue.error(Issue.SCHEME, "Check failed: path: '" + path + "', error: " + error));
    }

    public static StatusException missing(String path) {
        return new StatusException(
                Status.SCHEME_ERROR,
                Issue.error(Issue.PATH_NOT_FOUND, "Path does not exist: '" + path + "'"));
    }

    /// The table of a node; throws if the node is a directory or a view.
    public static Table tableAt(Node node) {
        return node.table()
                .orElseThrow(
                        () ->
                                problem(
                                        node.path(),
                                        "path is not a table (a %s)"
                                                .formatted(
                                                        node.isDirectory()
                                                                ? "directory"
                                                                : "view")));
    }
}
