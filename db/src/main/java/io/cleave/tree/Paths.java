package io.cleave.tree;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.Surrogates;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;

import java.util.ArrayList;
import java.util.List;

/// The rules of paths: what a name may be made of, and which directories lie above a path.
final class Paths {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_ELEMENT_LENGTH = 255;
    private static final String PUNCTUATION = "!\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~";

    private Paths() {}

    /// Throws if nothing can be created at `path`, which is absolute.
    static void check(String database, String path) {
        if (!path.startsWith(database + "/")) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Path '" + path + "' is not in the database '" + database + "'");
        }
        String[] elements = path.substring(1).split("/", -1);
        if (elements.length > MAX_DEPTH) {
            throw PathErrors.problem(path, "path depth has reached maximum value in the domain");
        }
        for (String element : elements) {
            checkElement(path, element);
        }
        if (path.startsWith(".", database.length() + 1)) {
            throw PathErrors.problem(
                    path, "names that begin with a dot are reserved by the system");
        }
    }

    /// Checks the path of an index table, which may be below a hidden table.
    static void checkOfIndex(String database, String path) {
        String shown =
                path.startsWith(database + HiddenTables.DIRECTORY)
                        ? database + path.substring(database.length() + ".tmp/".length())
                        : path;
        check(database, shown);
    }

    /// The directories above a path, outermost first, without the database itself.
    static List<String> parents(String database, String path) {
        List<String> parents = new ArrayList<>();
        int slash = path.indexOf('/', database.length() + 1);
        while (slash > 0) {
            parents.add(path.substring(0, slash));
            slash = path.indexOf('/', slash + 1);
        }
        return parents;
    }

    /// Returns false if a table is there and `ifNotExists` is set; throws otherwise.
    static boolean alreadyThere(Node node, boolean ifNotExists) {
        if (node.isDirectory()) {
            throw PathErrors.problem(node.path(), "unexpected path type, a directory is there");
        }
        if (node.view().isPresent()) {
            throw PathErrors.problem(node.path(), "unexpected path type, a view is there");
        }
        if (ifNotExists) {
            return false;
        }
        throw PathErrors.problem(
                node.path(),
                "path exist, request doesn't accept it (id: [OwnerId: 1, LocalPathId: "
                        + PathErrors.tableAt(node).id()
                        + "], type: EPathTypeTable, state: EPathStateNoChanges)");
    }

    private static void checkElement(String path, String element) {
        if (element.isEmpty()) {
            throw PathErrors.problem(path, "path part is empty");
        }
        if (element.equals(".") || element.equals("..")) {
            throw PathErrors.problem(path, "path part '" + element + "' is not allowed");
        }
        if (element.length() > MAX_ELEMENT_LENGTH) {
            throw PathErrors.problem(path, "path part is longer than " + MAX_ELEMENT_LENGTH);
        }
        for (int index = 0; index < element.length(); index++) {
            char character = element.charAt(index);
            boolean letterOrDigit =
                    (character >= '0' && character <= '9')
                            || (character >= 'a' && character <= 'z')
                            || (character >= 'A' && character <= 'Z');
            if (!letterOrDigit && PUNCTUATION.indexOf(character) < 0) {
                throw PathErrors.problem(
                        path,
                        "symbol '"
                                + Surrogates.letter(element, index)
                                + "' is not allowed in the path part '"
                                + element
                                + "'");
            }
        }
    }
}
