package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.tree.CypressChange;
import io.cleave.tree.CypressTree;
import io.cleave.tree.StandardDirectories;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Collects the changes of one command. Each step of the command sees the changes of earlier steps.
/// Nothing is stored before the command ends.
///
/// Threads: one at a time, under the lock of [TreeService].
final class TreeEditor {
    /// The greatest size of the value of a node, and of all its attributes together.
    static final int MAX_NODE_BYTES = 4 << 20;

    /// The limit of YTsaurus.
    static final int MAX_STRING_BYTES = 65_536;

    private final TreeService service;
    private final CypressTree tree;
    private final Caller caller;
    private final @Nullable MasterTransaction transaction;
    private final long nowMicros;
    private TreeReader reader;

    private final List<CypressChange> changes = new ArrayList<>();
    private final CommandLocks locks;
    private final List<Table> hiddenTables = new ArrayList<>();

    TreeEditor(TreeService service, Caller caller, @Nullable MasterTransaction transaction) {
        this.service = service;
        this.tree = service.tree();
        this.caller = caller;
        this.transaction = transaction;
        nowMicros = tree.env().wallMicros();
        reader = service.reader(view());
        locks = new CommandLocks(service, this);
    }

    private CatalogView view() {
        return transaction == null ? tree.view() : transaction.view(tree);
    }

    TreeReader reader() {
        return reader;
    }

    NodeAttributes attributes() {
        return service.attributes(reader, transaction);
    }

    long nowMicros() {
        return nowMicros;
    }

    Caller caller() {
        return caller;
    }

    @Nullable MasterTransaction transaction() {
        return transaction;
    }

    List<CypressChange> changes() {
        return changes;
    }

    CommandLocks locks() {
        return locks;
    }

    TableNodes tables() {
        return service.tables();
    }

    List<Table> hiddenTables() {
        return hiddenTables;
    }

    void apply(CypressChange change) {
        reader = service.reader(tree.with(reader.view(), List.of(change)));
        changes.add(change);
    }

    /// The current state of the node, after changes to it.
    TreeNode again(TreeNode node) {
        return at(node.path());
    }

    /// The node at a path of the catalog. Throws ABORTED if a client of YDB has removed it.
    TreeNode at(String path) {
        return reader.at(path)
                .orElseThrow(
                        () ->
                                new StatusException(
                                        Status.ABORTED,
                                        "Node %s was removed by another client meanwhile; retry"
                                                .formatted(reader.show(path))));
    }

    long revision() {
        return tree.newNumber();
    }

    /// The user name of the caller.
    String user() {
        return caller.user().isEmpty() ? "root" : caller.user();
    }

    /// A description of a node to create.
    ///
    /// @param value the value of a document or scalar node, or the target of a link
    record Draft(ObjectType type, Bytes value, YsonNode.Members attributes) {
        static Draft map(YsonNode.Members attributes) {
            return new Draft(ObjectType.MAP_NODE, Bytes.EMPTY, attributes);
        }

        static Draft of(ObjectType type, YsonNode value, YsonNode.Members attributes) {
            return new Draft(type, YsonWriter.write(value, YsonWriter.Format.BINARY), attributes);
        }
    }

    /// Creates a node below `parent`. All names except the last are directories that do not exist
    /// yet.
    TreeNode create(TreeNode parent, List<Bytes> names, Draft draft, boolean recursive) {
        TreeNode at = deepest(parent, names, recursive);
        return create(at, names.getLast().utf8(), draft);
    }

    /// Creates a directory for each name except the last, one below the other. Returns the deepest
    /// one, or `parent` if there is only one name.
    TreeNode deepest(TreeNode parent, List<Bytes> names, boolean recursive) {
        if (!parent.isMap() || parent.isSystem()) {
            throw TreeErrors.cannotHaveChildren(reader.show(parent.path()));
        }
        if (names.size() > 1 && !recursive) {
            throw TreeErrors.noChild(reader.show(parent.path()), names.getFirst().utf8());
        }
        TreeNode at = parent;
        for (Bytes name : names.subList(0, names.size() - 1)) {
            at = create(at, name.utf8(), Draft.map(YsonNode.Members.EMPTY));
        }
        return at;
    }

    TreeNode create(TreeNode parent, String name, Draft draft) {
        String path = newPath(parent, name);
        locks.take(parent, NodeLock.Request.child(name));
        YsonNode.Members attributes = draft.attributes();
        switch (draft.type()) {
            case MAP_NODE -> {
                ensureDirectory(parent.path());
                apply(new CypressChange.MakeDirectory(path, nowMicros));
                apply(new CypressChange.PutRow(newRow(path, draft.type(), Bytes.EMPTY)));
            }
            case TABLE -> {
                TableNodes.Created created =
                        service.tables().create(caller, path, inherited(parent, attributes));
                hiddenTables.add(created.table());
                refresh();
                show(created.table(), parent, path);
                attributes = created.userAttributes();
            }
            default -> {
                checkSize(draft.type(), draft.value());
                apply(new CypressChange.PutRow(newRow(path, draft.type(), draft.value())));
            }
        }
        var editor = new AttributeEditor(this);
        attributes.members().forEach((key, value) -> editor.set(at(path), List.of(key), value));
        touch(parent);
        return at(path);
    }

    /// Copies a table to a path at which nothing exists.
    void copyTable(TreeNode source, TreeNode parent, String path) {
        Table copy = service.tables().copy(caller, source.table().orElseThrow());
        hiddenTables.add(copy);
        refresh();
        show(copy, parent, path);
        new AttributeEditor(this).copySettings(source, path);
    }

    /// Throws if the table cannot be moved now.
    void checkMove(Table table) {
        service.tables().checkMove(table);
    }

    /// Moves a hidden table to its path.
    private void show(Table hidden, TreeNode parent, String path) {
        ensureDirectory(parent.path());
        apply(new CypressChange.MoveTable(hidden.id(), hidden.path(), path));
        apply(
                new CypressChange.PutRow(
                        newRow(
                                path,
                                ObjectType.TABLE,
                                Bytes.EMPTY,
                                ObjectId.of(ObjectType.TABLE, hidden.id()))));
    }

    /// The attributes of a new table, including those that it inherits from the directories above
    /// it.
    private YsonNode.Members inherited(TreeNode parent, YsonNode.Members attributes) {
        var all = YsonNode.map();
        Optional<TreeNode> at = Optional.of(parent);
        List<YsonNode.Members> found = new ArrayList<>();
        while (at.isPresent()) {
            found.add(attributes().custom(at.get()));
            at = reader.parent(at.get());
        }
        for (YsonNode.Members members : found.reversed()) {
            NodeAttributes.INHERITED.forEach(name -> all.withPresent(name, members.member(name)));
        }
        return all.withAll(attributes).build();
    }

    /// Reads the tree again, so that a hidden table is found after it has become visible.
    private void refresh() {
        reader = service.reader(tree.with(view(), changes));
    }

    String newPath(TreeNode parent, String name) {
        String path = parent.path() + "/" + name;
        if (name.indexOf('/') >= 0) {
            throw TreeErrors.generic(
                    "Name \"%s\" has a slash, which no name of a node may have".formatted(name));
        }
        try {
            tree.checkName(path);
        } catch (StatusException e) {
            throw TreeErrors.badName(reader.show(path), e);
        }
        return path;
    }

    /// Stores a standard directory. Until then it is shown but not stored.
    void ensureDirectory(String path) {
        if (path.equals(reader.database()) || reader.view().find(path).isPresent()) {
            return;
        }
        if (reader.view().cypress(path).isEmpty()) {
            apply(new CypressChange.PutRow(absent(at(path))));
        }
        apply(new CypressChange.MakeDirectory(path, nowMicros));
    }

    CypressNode newRow(String path, ObjectType type, Bytes value) {
        return newRow(path, type, value, ObjectId.of(type, tree.newNumber()));
    }

    CypressNode newRow(String path, ObjectType type, Bytes value, ObjectId id) {
        long revision = revision();
        return new CypressNode(
                path,
                id,
                type,
                value,
                Bytes.EMPTY,
                user(),
                nowMicros,
                nowMicros,
                revision,
                revision);
    }

    /// A new row for a node that has none yet.
    CypressNode absent(TreeNode node) {
        return node.row()
                .orElseGet(
                        () ->
                                new CypressNode(
                                        node.path(),
                                        node.id(),
                                        node.type(),
                                        Bytes.EMPTY,
                                        Bytes.EMPTY,
                                        "",
                                        node.entry().map(Node::createdMicros).orElse(nowMicros),
                                        nowMicros,
                                        1,
                                        1));
    }

    void touch(TreeNode node) {
        apply(new CypressChange.Touch(absent(again(node)), nowMicros, revision()));
    }

    private static void checkSize(ObjectType type, Bytes value) {
        if (type == ObjectType.STRING_NODE && value.length() > MAX_STRING_BYTES) {
            throw new YtException(
                    TreeErrors.MAX_STRING_LENGTH,
                    "String node length limit exceeded: %d > %d"
                            .formatted(value.length(), MAX_STRING_BYTES));
        }
        if (value.length() > MAX_NODE_BYTES) {
            throw new YtException(
                    TreeErrors.MAX_ATTRIBUTE_SIZE,
                    "Document has %d bytes, the limit is %d"
                            .formatted(value.length(), MAX_NODE_BYTES));
        }
    }

    /// Creates a node with its children from a value.
    TreeNode createFrom(TreeNode parent, String name, YsonNode value) {
        YsonNode.Members attributes = value.attributes();
        YsonNode bare = value.bare();
        return switch (bare) {
            case YsonNode.Members(var members) -> {
                TreeNode map = create(parent, name, Draft.map(attributes));
                members.forEach((key, child) -> createFrom(map, key.utf8(), child));
                yield again(map);
            }
            case YsonNode.Items _ ->
                    throw TreeErrors.generic("List nodes cannot be created inside Cypress");
            case YsonNode.Entity _ ->
                    throw TreeErrors.generic("Entity nodes cannot be created inside Cypress");
            case YsonNode.Attributed _ -> throw new IllegalStateException("bare");
            default -> create(parent, name, Draft.of(scalarType(bare), bare, attributes));
        };
    }

    private static ObjectType scalarType(YsonNode value) {
        return switch (value) {
            case YsonNode.Bool _ -> ObjectType.BOOLEAN_NODE;
            case YsonNode.Int64 _ -> ObjectType.INT64_NODE;
            case YsonNode.Uint64 _ -> ObjectType.UINT64_NODE;
            case YsonNode.Real _ -> ObjectType.DOUBLE_NODE;
            default -> ObjectType.STRING_NODE;
        };
    }

    /// Replaces the value of a document or of a scalar node.
    void putValue(TreeNode node, YsonNode value) {
        locks.take(node, NodeLock.Request.EXCLUSIVE);
        Bytes encoded = YsonWriter.write(value, YsonWriter.Format.BINARY);
        checkSize(node.type(), encoded);
        apply(new CypressChange.PutValue(node.path(), encoded, nowMicros, revision()));
    }

    /// Removes a node and everything below it.
    void remove(TreeNode node) {
        if (node.isSystem() || StandardDirectories.contains(reader.database(), node.path())) {
            throw TreeErrors.generic(
                    "Node %s cannot be removed".formatted(reader.show(node.path())));
        }
        TreeNode parent = reader.parent(node).orElseThrow();
        locks.takeTree(node);
        locks.take(parent, NodeLock.Request.child(node.name()));
        removeTree(node);
        touch(parent);
    }

    /// Removes everything below a directory.
    void clear(TreeNode map) {
        for (TreeNode child : reader.children(map)) {
            if (!child.isSystem()
                    && !StandardDirectories.contains(reader.database(), child.path())) {
                remove(child);
            }
        }
    }

    private void removeTree(TreeNode node) {
        if (node.type() == ObjectType.MAP_NODE) {
            reader.children(node).forEach(this::removeTree);
        }
        switch (node.type()) {
            case MAP_NODE -> apply(new CypressChange.RemoveDirectory(node.path()));
            case TABLE ->
                    apply(
                            new CypressChange.RemoveTable(
                                    node.path(), node.table().orElseThrow().id()));
            case VIEW -> apply(new CypressChange.RemoveView(node.path()));
            default -> apply(new CypressChange.RemoveRow(node.path()));
        }
    }
}
