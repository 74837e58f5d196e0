package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.TreeEditor.Draft;
import io.cleave.yt.tree.TreeReader.Method;
import io.cleave.yt.tree.TreeReader.Resolved;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The commands that create, change and remove nodes.
record ChangeCommands(TreeService service) {
    private static final String NO_REPLICATION = "there are no replicated tables";
    private static final String ONLY_TABLES = "store bytes in a column of a table";

    /// Types of YTsaurus that are not supported, each with what to do instead.
    private static final Map<String, String> OUT_OF_SCOPE =
            Map.ofEntries(
                    Map.entry("replicated_table", NO_REPLICATION),
                    Map.entry("replication_log_table", NO_REPLICATION),
                    Map.entry("chaos_replicated_table", NO_REPLICATION),
                    Map.entry("table_replica", NO_REPLICATION),
                    Map.entry("file", ONLY_TABLES),
                    Map.entry("journal", ONLY_TABLES),
                    Map.entry("hunk_storage", ONLY_TABLES),
                    Map.entry("list_node", "create a document, and set a list as its value"),
                    Map.entry("portal_entrance", "there is one cell of masters"),
                    Map.entry("orchid", "nodes show no internal state"),
                    Map.entry("user", "create users with YQL: CREATE USER"),
                    Map.entry("group", "create groups with YQL: CREATE GROUP"),
                    Map.entry("account", "there are no quotas; use account \"default\""));

    List<Command> all() {
        return List.of(
                TreeCommand.taking("set", this::set),
                TreeCommand.taking("multiset_attributes", this::multisetAttributes),
                TreeCommand.changing("remove", this::remove),
                TreeCommand.changing("create", this::create),
                TreeCommand.changing("link", this::link));
    }

    private void set(CommandCall call) {
        YPath path = ReadCommands.path(call, "path");
        boolean recursive = call.parameters().flag("recursive", false);
        boolean force = call.parameters().flag("force", false);
        YsonNode value = call.input();
        service.change(
                call,
                editor -> {
                    new ValueChange(editor).set(path, value, recursive, force);
                    return true;
                });
        call.answer(YsonNode.Members.EMPTY);
    }

    private void multisetAttributes(CommandCall call) {
        YPath path = ReadCommands.path(call, "path");
        if (!(call.input().bare() instanceof YsonNode.Members(var attributes))) {
            throw TreeErrors.generic("The input must be a map of attributes");
        }
        if (path.attribute().isEmpty()) {
            throw TreeErrors.generic("The path must name attributes, as in //a/@");
        }
        List<Bytes> prefix = path.attribute().get();
        service.change(
                call,
                editor -> {
                    TreeNode node = editor.reader().require(path, Method.SET);
                    attributes.forEach(
                            (key, value) -> {
                                if (key.isEmpty()) {
                                    throw TreeErrors.generic(
                                            "Empty attribute names are not allowed");
                                }
                                var keys = new java.util.ArrayList<>(prefix);
                                keys.addAll(YPath.innerKeys(key));
                                new AttributeEditor(editor).set(editor.again(node), keys, value);
                            });
                    return true;
                });
        call.answer(YsonNode.Members.EMPTY);
    }

    private void remove(CommandCall call) {
        YPath path = ReadCommands.path(call, "path");
        // As in YTsaurus, a directory is removed together with its contents unless the client says
        // otherwise.
        boolean recursive = call.parameters().flag("recursive", true);
        boolean force = call.parameters().flag("force", false);
        service.change(
                call,
                editor -> {
                    remove(editor, path, recursive, force);
                    return true;
                });
        call.answer(YsonNode.Members.EMPTY);
    }

    private void remove(TreeEditor editor, YPath path, boolean recursive, boolean force) {
        if (path.attribute().isPresent()) {
            Resolved owner = editor.reader().resolve(path, Method.REMOVE);
            if (!owner.rest().isEmpty() && force) {
                return;
            }
            TreeNode node = editor.reader().require(path, Method.REMOVE);
            new AttributeEditor(editor).remove(node, path.attribute().get(), path.isAll(), force);
            return;
        }
        Resolved resolved;
        try {
            resolved = editor.reader().resolve(path, Method.REMOVE);
        } catch (YtException e) {
            if (force && e.error().code() == YtCodes.RESOLVE_ERROR) {
                return;
            }
            throw e;
        }
        TreeNode node = resolved.node();
        boolean isInDocument =
                node.type() == ObjectType.DOCUMENT && (!resolved.rest().isEmpty() || path.isAll());
        if (isInDocument && ConfigChange.isOf(node)) {
            new ConfigChange(editor).remove(node, resolved.rest(), path.isAll(), force);
            return;
        }
        if (isInDocument) {
            YsonNode old = NodeAttributes.value(node).orElseThrow();
            editor.putValue(node, YsonEdit.remove(old, resolved.rest(), path.isAll(), force));
            return;
        }
        if (!resolved.rest().isEmpty()) {
            if (!force) {
                TreeErrors.resolving(
                        path,
                        Method.REMOVE.text(),
                        () -> {
                            editor.reader().refuseRest(resolved);
                            return true;
                        });
            }
            return;
        }
        if (path.isAll()) {
            if (!node.isMap()) {
                throw TreeErrors.cannotHaveChildren(editor.reader().show(node.path()));
            }
            editor.clear(node);
            return;
        }
        if (node.object().isPresent()) {
            new CellChanges(service).remove(editor, node);
            return;
        }
        if (!recursive
                && node.type() == ObjectType.MAP_NODE
                && !editor.reader().children(node).isEmpty()) {
            throw new YtException(
                    TreeErrors.CANNOT_REMOVE_NONEMPTY, "Cannot remove non-empty composite node");
        }
        editor.remove(node);
    }

    private void create(CommandCall call) {
        CommandParameters parameters = call.parameters();
        String typeName = parameters.requireText("type");
        if (OUT_OF_SCOPE.containsKey(typeName)) {
            throw TreeErrors.generic(
                    "Objects of type \"%s\" are not supported: %s"
                            .formatted(typeName, OUT_OF_SCOPE.get(typeName)));
        }
        ObjectType type =
                ObjectType.find(typeName)
                        .orElseThrow(
                                () ->
                                        TreeErrors.generic(
                                                "Error parsing EObjectType value \"%s\""
                                                        .formatted(typeName)));
        YsonNode.Members attributes = members(parameters, "attributes");
        if (type == ObjectType.TABLET_CELL || type == ObjectType.TABLET_CELL_BUNDLE) {
            ObjectId id =
                    service.change(
                            call,
                            editor -> new CellChanges(service).create(editor, type, attributes));
            call.answer("object_id", YsonNode.text(id.text()));
            return;
        }
        if (type == ObjectType.TABLET_ACTION) {
            // The action is stored before the answer, and its tablets may have changed by then, so
            // it is no part of a transaction.
            ObjectId id =
                    service.tables()
                            .actions()
                            .create(attributes, bundle -> service.checkUse(call, bundle));
            call.answer("object_id", YsonNode.text(id.text()));
            return;
        }
        YPath path = ReadCommands.path(call, "path");
        Draft draft = draft(type, attributes);
        ObjectId id = service.change(call, editor -> create(editor, path, draft, parameters));
        call.answer("node_id", YsonNode.text(id.text()));
    }

    static YsonNode.Members members(CommandParameters parameters, String name) {
        YsonNode found = parameters.find(name).map(YsonNode::bare).orElse(YsonNode.Members.EMPTY);
        if (found instanceof YsonNode.Members members) {
            return members;
        }
        throw TreeErrors.generic("Parameter \"%s\" must be a map".formatted(name));
    }

    /// A new node, before its attributes are set.
    private static Draft draft(ObjectType type, YsonNode.Members attributes) {
        return switch (type) {
            case MAP_NODE, TABLE -> new Draft(type, Bytes.EMPTY, attributes);
            case DOCUMENT -> Draft.of(type, YsonNode.entity(), attributes);
            case STRING_NODE -> Draft.of(type, YsonNode.text(""), attributes);
            case INT64_NODE -> Draft.of(type, YsonNode.of(0), attributes);
            case UINT64_NODE -> Draft.of(type, YsonNode.uint(0), attributes);
            case DOUBLE_NODE -> Draft.of(type, YsonNode.real(0), attributes);
            case BOOLEAN_NODE -> Draft.of(type, YsonNode.bool(false), attributes);
            case LINK -> {
                var others = new LinkedHashMap<>(attributes.members());
                YsonNode target = others.remove(Bytes.utf8("target_path"));
                if (target == null || !(target.bare() instanceof YsonNode.Text(Bytes text))) {
                    throw TreeErrors.noAttribute("target_path");
                }
                YPath _ = YPath.parse(text);
                yield new Draft(type, text, new YsonNode.Members(others));
            }
            default ->
                    throw TreeErrors.generic(
                            "Nodes of type \"%s\" cannot be created explicitly"
                                    .formatted(type.text()));
        };
    }

    private static ObjectId create(
            TreeEditor editor, YPath path, Draft draft, CommandParameters parameters) {
        boolean force = parameters.flag("force", false);
        boolean ignoreExisting = parameters.flag("ignore_existing", false);
        boolean ignoreTypeMismatch = parameters.flag("ignore_type_mismatch", false);
        boolean lockExisting = parameters.flag("lock_existing", false);
        if (ignoreExisting && force) {
            throw TreeErrors.generic(
                    "Cannot specify both \"ignore_existing\" and \"force\" options simultaneously");
        }
        if (!ignoreExisting && lockExisting) {
            throw TreeErrors.generic(
                    "Cannot specify \"lock_existing\" without \"ignore_existing\"");
        }
        if (!ignoreExisting && ignoreTypeMismatch) {
            throw TreeErrors.generic(
                    "Cannot specify \"ignore_type_mismatch\" without \"ignore_existing\"");
        }
        refusePlace(path);
        Resolved resolved = editor.reader().resolve(path, Method.CREATE);
        TreeNode node = resolved.node();
        if (!resolved.rest().isEmpty()) {
            return editor.create(node, resolved.rest(), draft, parameters.flag("recursive", false))
                    .id();
        }
        String shown = editor.reader().show(node.path());
        if (force) {
            TreeNode parent =
                    editor.reader()
                            .parent(node)
                            .orElseThrow(
                                    () ->
                                            TreeErrors.generic(
                                                    "Node %s cannot be replaced".formatted(shown)));
            editor.remove(node);
            return editor.create(editor.again(parent), node.name(), draft).id();
        }
        if (!ignoreExisting) {
            throw TreeErrors.alreadyExists(shown);
        }
        if (node.type() != draft.type() && !ignoreTypeMismatch) {
            throw new YtException(
                    YtCodes.ALREADY_EXISTS,
                    "%s already exists and has type \"%s\" while node of \"%s\" type is about to be created"
                            .formatted(shown, node.type().text(), draft.type().text()));
        }
        if (lockExisting) {
            editor.locks().take(node, NodeLock.Request.EXCLUSIVE);
        }
        return node.id();
    }

    /// Refuses a path at which no node can be created.
    static void refusePlace(YPath path) {
        if (path.attribute().isPresent()) {
            throw TreeErrors.unsupported("Create", "attribute");
        }
        if (path.isAll()) {
            throw TreeErrors.generic("\"*\" is only allowed for Remove method");
        }
    }

    private void link(CommandCall call) {
        CommandParameters parameters = call.parameters();
        Bytes target = RichPath.of(parameters.require("target_path")).path();
        YPath targetPath = YPath.parse(target);
        YPath path = ReadCommands.path(call, "link_path");
        Draft draft = new Draft(ObjectType.LINK, target, members(parameters, "attributes"));
        ObjectId id =
                service.change(
                        call,
                        editor -> {
                            // A link whose target does not exist is refused, unless the client
                            // forces it.
                            if (!parameters.flag("force", false)) {
                                requireTarget(editor, targetPath, path);
                            }
                            refuseCycle(editor, path, targetPath);
                            return create(editor, path, draft, parameters);
                        });
        call.answer("node_id", YsonNode.text(id.text()));
    }

    private static void requireTarget(TreeEditor editor, YPath target, YPath link) {
        try {
            var _ = editor.reader().require(target, Method.GET);
        } catch (YtException _) {
            throw TreeErrors.generic(
                    "Target %s for the link %s does not exist"
                            .formatted(target.text(), link.text()));
        }
    }

    private static void refuseCycle(TreeEditor editor, YPath path, YPath target) {
        Optional<String> place = place(editor, path);
        Optional<String> end = place(editor, target);
        if (place.isPresent() && place.equals(end)) {
            throw TreeErrors.generic("Failed to create link: link is cyclic");
        }
    }

    /// The catalog path to which a path resolves, whether or not a node exists there. Empty if the
    /// parent does not exist.
    private static Optional<String> place(TreeEditor editor, YPath path) {
        Resolved resolved = editor.reader().resolve(path, Method.CREATE);
        return resolved.rest().size() > 1
                ? Optional.empty()
                : Optional.of(
                        resolved.node().path()
                                + (resolved.rest().isEmpty()
                                        ? ""
                                        : "/" + resolved.rest().getFirst().utf8()));
    }
}
