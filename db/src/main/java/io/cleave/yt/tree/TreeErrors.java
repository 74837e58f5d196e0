package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.schema.ObjectId;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.function.Supplier;

/// The errors of commands on the tree, with YTsaurus' codes and texts.
final class TreeErrors {
    static final int SAME_TRANSACTION_LOCK_CONFLICT = 400;
    static final int DESCENDANT_TRANSACTION_LOCK_CONFLICT = 401;
    static final int TOO_MANY_LOCKS = 405;
    static final int MAX_STRING_LENGTH = 503;
    static final int MAX_ATTRIBUTE_SIZE = 504;
    static final int CANNOT_REMOVE_NONEMPTY = 506;
    static final int PREREQUISITE_CHECK_FAILED = 1000;
    static final int TRANSACTION_DEPTH_LIMIT = 11_002;

    private TreeErrors() {}

    static YtException generic(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }

    /// The place in a value that a path has reached at `depth`, for messages.
    static String at(List<Bytes> path, int depth) {
        var text = new StringBuilder();
        for (Bytes key : path.subList(0, depth)) {
            text.append('/').append(YPath.literal(key));
        }
        return text.isEmpty() ? "Root node" : "Node " + text;
    }

    static YtException noChild(String nodePath, String key) {
        return new YtException(
                YtCodes.RESOLVE_ERROR,
                "Node %s has no child with key \"%s\"".formatted(nodePath, YPath.literal(key)));
    }

    static YtException noSuchObject(ObjectId id) {
        return new YtException(YtCodes.RESOLVE_ERROR, "No such object " + id);
    }

    static YtException noSuchBundle(String name) {
        return new YtException(
                YtCodes.RESOLVE_ERROR, "No such tablet cell bundle \"%s\"".formatted(name));
    }

    static YtException noAttribute(String name) {
        return new YtException(
                YtCodes.RESOLVE_ERROR,
                "Attribute \"%s\" is not found".formatted(YPath.literal(name)));
    }

    static YtException noCustomAttribute(String name) {
        return new YtException(
                YtCodes.RESOLVE_ERROR,
                "Custom attribute \"%s\" is not found".formatted(YPath.literal(name)));
    }

    static YtException cannotRemoveAttribute(String name) {
        return generic("Attribute \"%s\" cannot be removed".formatted(YPath.literal(name)));
    }

    static YtException cannotSetAttribute(String name) {
        return generic("Builtin attribute \"%s\" cannot be set".formatted(YPath.literal(name)));
    }

    static YtException alreadyExists(String nodePath) {
        return new YtException(
                YtCodes.ALREADY_EXISTS, "Node %s already exists".formatted(nodePath));
    }

    static YtException cannotHaveChildren(String nodePath) {
        return generic("Node %s cannot have children".formatted(nodePath));
    }

    static YtException unsupported(String method, String type) {
        return YtError.of(
                        YtCodes.NO_SUCH_METHOD, "\"%s\" method is not supported".formatted(method))
                .with("type", type)
                .exception();
    }

    static YtException noSuchTransaction(ObjectId id) {
        return new YtException(YtCodes.NO_SUCH_TRANSACTION, "No such transaction " + id);
    }

    /// Resolves a path with `work`. If `work` fails, the error is wrapped in an error that names
    /// the path.
    static <T> T resolving(YPath path, String method, Supplier<T> work) {
        try {
            return work.get();
        } catch (YtException e) {
            throw YtError.of(YtCodes.RESOLVE_ERROR, "Error resolving path " + path.text())
                    .with("method", method)
                    .with(e.error())
                    .exception();
        }
    }

    /// The error for a name that YDB does not allow. The message of `e` repeats the path of the
    /// database, so only the part after it is used.
    static YtException badName(String nodePath, StatusException e) {
        String why = message(e);
        String mark = "error: ";
        int at = why.indexOf(mark);
        return generic(
                "Node %s cannot be created: %s"
                        .formatted(nodePath, at < 0 ? why : why.substring(at + mark.length())));
    }

    /// An error of the catalog, for a client of YTsaurus.
    static YtException of(StatusException e) {
        return generic(message(e));
    }

    static String message(StatusException e) {
        return e.issues().isEmpty() ? e.status().name() : e.issues().getFirst().message();
    }
}
