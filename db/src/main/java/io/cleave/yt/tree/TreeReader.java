package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.tree.StandardDirectories;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Finds nodes in one view of the tree: the committed view, or the view of a transaction.
record TreeReader(CatalogView view, String database, SystemDirectory system) {
    private static final int MAX_LINKS = 64;

    /// What a command does with a path. It decides whether a link at the end of the path is
    /// followed.
    enum Method {
        GET,
        LIST,
        EXISTS,
        LOCK,
        SET,
        REMOVE,
        CREATE,
        COPY;

        boolean followsLastLink() {
            return switch (this) {
                case GET, LIST, EXISTS, LOCK -> true;
                case SET, REMOVE, CREATE, COPY -> false;
            };
        }

        /// The name that YTsaurus uses in errors.
        String text() {
            return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
        }
    }

    /// The last node on a path, and the rest of the path after it. The rest names children that do
    /// not exist, or it is a path inside a document.
    record Resolved(TreeNode node, List<Bytes> rest) {}

    /// The node at the end of a path; throws if there is none.
    TreeNode require(YPath path, Method method) {
        return TreeErrors.resolving(
                path,
                method.text(),
                () -> {
                    Resolved resolved = walk(path, method);
                    refuseRest(resolved);
                    return resolved.node();
                });
    }

    Resolved resolve(YPath path, Method method) {
        return TreeErrors.resolving(path, method.text(), () -> walk(path, method));
    }

    /// Throws if a part of the path did not resolve to a node.
    void refuseRest(Resolved resolved) {
        if (!resolved.rest().isEmpty()) {
            TreeNode node = resolved.node();
            throw node.isMap()
                    ? TreeErrors.noChild(show(node.path()), resolved.rest().getFirst().utf8())
                    : TreeErrors.cannotHaveChildren(show(node.path()));
        }
    }

    /// Like [#resolve], for callers that add the path to errors themselves.
    Resolved walk(YPath path, Method method) {
        boolean followsLast =
                method.followsLastLink() || path.attribute().isPresent() || path.isAll();
        TreeNode node = begin(path);
        List<YPath.Step> steps = path.steps();
        boolean isSuppressed = path.isRootSuppressed();
        int links = 0;
        int at = 0;
        while (true) {
            if (node.isLink() && !isSuppressed && (at < steps.size() || followsLast)) {
                if (++links > MAX_LINKS) {
                    throw new YtException(
                            YtCodes.RESOLVE_ERROR,
                            "Path %s exceeds resolve depth limit".formatted(path.text()));
                }
                YPath target = YPath.parse(node.row().orElseThrow().value());
                List<YPath.Step> further = new ArrayList<>(target.steps());
                further.addAll(steps.subList(at, steps.size()));
                steps = further;
                at = 0;
                isSuppressed = target.isRootSuppressed();
                node = begin(target);
                continue;
            }
            if (at == steps.size()) {
                return new Resolved(node, List.of());
            }
            Optional<TreeNode> child =
                    node.isMap() ? child(node, steps.get(at).key().utf8()) : Optional.empty();
            if (child.isEmpty()) {
                return new Resolved(
                        node,
                        steps.subList(at, steps.size()).stream().map(YPath.Step::key).toList());
            }
            node = child.get();
            isSuppressed = steps.get(at).isSuppressed();
            at++;
        }
    }

    private TreeNode begin(YPath path) {
        return path.id().isEmpty()
                ? root()
                : find(path.id().get()).orElseThrow(() -> TreeErrors.noSuchObject(path.id().get()));
    }

    TreeNode root() {
        return at(database).orElseThrow();
    }

    Optional<TreeNode> find(ObjectId id) {
        Optional<TreeNode> object = system.find(id).flatMap(this::at);
        if (object.isPresent()) {
            return object;
        }
        Optional<TreeNode> standard =
                StandardDirectories.NAMES.stream()
                        .map(name -> database + "/" + name)
                        .filter(path -> StandardDirectories.id(path).equals(id))
                        .findFirst()
                        .flatMap(this::at);
        if (standard.isPresent()) {
            return standard;
        }
        if (StandardDirectories.id(database).equals(id)) {
            return Optional.of(root());
        }
        return view.path(id).filter(this::isShown).flatMap(this::at);
    }

    /// Whether a catalog path is shown as a node. Hidden tables and index tables are not.
    private boolean isShown(String path) {
        return !path.startsWith(database + "/.")
                && view.find(path).flatMap(Node::table).filter(Table::isIndexTable).isEmpty();
    }

    /// The node at an absolute path of the catalog. The parent of the path must be a directory.
    Optional<TreeNode> at(String path) {
        Optional<CypressNode> row = view.cypress(path);
        Optional<Node> entry = view.find(path);
        if (entry.isPresent()) {
            return isShown(path) ? Optional.of(node(path, entry, row)) : Optional.empty();
        }
        boolean isOwn = row.isPresent() && row.get().isOwn();
        if (isOwn && !system.isAbove(path)) {
            return Optional.of(node(path, entry, row));
        }
        if (StandardDirectories.contains(database, path)) {
            return Optional.of(node(path, entry, row));
        }
        Optional<TreeNode> object = system.at(path).map(found -> found.node(path, row));
        return object.isPresent() || !isOwn ? object : Optional.of(node(path, entry, row));
    }

    private TreeNode node(String path, Optional<Node> entry, Optional<CypressNode> row) {
        return new TreeNode(
                path,
                view.id(path).orElseGet(() -> StandardDirectories.id(path)),
                type(entry, row),
                entry,
                row,
                Optional.empty(),
                Optional.empty());
    }

    private static ObjectType type(Optional<Node> entry, Optional<CypressNode> row) {
        if (entry.isPresent()) {
            return entry.get().table().isPresent()
                    ? ObjectType.TABLE
                    : entry.get().view().isPresent() ? ObjectType.VIEW : ObjectType.MAP_NODE;
        }
        return row.map(CypressNode::type).orElse(ObjectType.MAP_NODE);
    }

    Optional<TreeNode> child(TreeNode parent, String name) {
        return name.isEmpty() || name.indexOf('/') >= 0
                ? Optional.empty()
                : at(parent.path() + "/" + name);
    }

    /// The children of a map, by name.
    List<TreeNode> children(TreeNode parent) {
        String path = parent.path();
        if (parent.map().isPresent()) {
            List<TreeNode> objects = new ArrayList<>();
            parent.map()
                    .get()
                    .all()
                    .forEach((key, object) -> objects.add(object(path + "/" + key, object)));
            return objects;
        }
        List<Node> entries = view.children(path);
        List<CypressNode> rows = view.cypressChildren(path);
        boolean isRoot = path.equals(database);
        boolean isSys = path.equals(database + "/sys");
        if (!isRoot && !isSys) {
            return merged(entries, rows);
        }
        var nodes = new TreeMap<String, TreeNode>();
        merged(entries, rows).forEach(node -> nodes.put(node.path(), node));
        for (String name : isRoot ? StandardDirectories.NAMES : system.names()) {
            at(path + "/" + name).ifPresent(node -> nodes.put(node.path(), node));
        }
        return List.copyOf(nodes.values());
    }

    private TreeNode object(String path, SystemObject object) {
        return new TreeNode(
                path,
                object.id(),
                object.type(),
                Optional.empty(),
                view.cypress(path),
                Optional.of(object),
                Optional.empty());
    }

    /// The number of children of a map.
    int childCount(TreeNode parent) {
        return parent.map().isPresent()
                ? parent.map().get().keys().size()
                : children(parent).size();
    }

    /// Merges entries of the catalog with stored rows. Both lists are ordered by path.
    private List<TreeNode> merged(List<Node> entries, List<CypressNode> rows) {
        List<TreeNode> nodes = new ArrayList<>(entries.size() + rows.size());
        int entryIndex = 0;
        int rowIndex = 0;
        while (entryIndex < entries.size() || rowIndex < rows.size()) {
            int order =
                    entryIndex == entries.size()
                            ? 1
                            : rowIndex == rows.size()
                                    ? -1
                                    : Comparator.<String>naturalOrder()
                                            .compare(
                                                    entries.get(entryIndex).path(),
                                                    rows.get(rowIndex).path());
            if (order <= 0) {
                Node entry = entries.get(entryIndex++);
                Optional<CypressNode> row =
                        order == 0 ? Optional.of(rows.get(rowIndex++)) : Optional.empty();
                if (isShown(entry.path())) {
                    nodes.add(node(entry.path(), Optional.of(entry), row));
                }
            } else {
                CypressNode row = rows.get(rowIndex++);
                if (row.isOwn()) {
                    nodes.add(node(row.path(), Optional.empty(), Optional.of(row)));
                }
            }
        }
        return nodes;
    }

    Optional<TreeNode> parent(TreeNode node) {
        return node.path().equals(database)
                ? Optional.empty()
                : at(node.path().substring(0, node.path().lastIndexOf('/')));
    }

    /// A path of the catalog, in the form that clients of YTsaurus use.
    String show(String path) {
        if (path.equals(database)) {
            return "/";
        }
        var text = new StringBuilder("/");
        for (String name : path.substring(database.length() + 1).split("/", -1)) {
            text.append('/').append(YPath.literal(name));
        }
        return text.toString();
    }
}
