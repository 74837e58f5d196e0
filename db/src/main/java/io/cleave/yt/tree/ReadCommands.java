package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.NodeAttributes.Filter;
import io.cleave.yt.tree.TreeReader.Method;
import io.cleave.yt.tree.TreeReader.Resolved;
import io.cleave.yt.tree.TreeService.Session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The commands that read the tree.
record ReadCommands(TreeService service) {
    List<Command> all() {
        return List.of(
                TreeCommand.reading("get", this::get),
                TreeCommand.reading("list", this::list),
                TreeCommand.reading("exists", this::exists),
                TreeCommand.reading("check_permission", this::checkPermission),
                TreeCommand.reading("parse_ypath", ReadCommands::parseYPath));
    }

    /// The path of a command. The tree ignores columns and ranges in a path.
    static YPath path(CommandCall call, String name) {
        return YPath.parse(RichPath.of(call.parameters().require(name)).path());
    }

    private void get(CommandCall call) {
        YPath path = path(call, "path");
        Filter filter = filter(call);
        call.answer("value", service.read(call, session -> value(session, path, filter)));
    }

    private static YsonNode value(Session session, YPath path, Filter filter) {
        refuseAll(path);
        if (path.attribute().isPresent()) {
            TreeNode node = session.reader().require(path, Method.GET);
            List<Bytes> keys = path.attribute().get();
            return keys.isEmpty()
                    ? session.attributes().all(node, filter)
                    : YsonEdit.get(attribute(session, node, keys), keys.subList(1, keys.size()));
        }
        Resolved resolved = resolveValue(session.reader(), path, Method.GET);
        TreeNode node = resolved.node();
        return resolved.rest().isEmpty()
                ? shown(session, node, filter, true)
                : YsonEdit.get(NodeAttributes.value(node).orElseThrow(), resolved.rest());
    }

    private static void refuseAll(YPath path) {
        if (path.isAll()) {
            throw TreeErrors.generic("\"*\" is only allowed for Remove method");
        }
    }

    private static YsonNode attribute(Session session, TreeNode node, List<Bytes> keys) {
        String name = keys.getFirst().utf8();
        return session.attributes()
                .find(node, name)
                .orElseThrow(() -> TreeErrors.noAttribute(name));
    }

    /// Resolves a path that may lead into a document.
    private static Resolved resolveValue(TreeReader reader, YPath path, Method method) {
        return TreeErrors.resolving(
                path,
                method.text(),
                () -> {
                    Resolved resolved = reader.walk(path, method);
                    if (resolved.node().type() != ObjectType.DOCUMENT) {
                        reader.refuseRest(resolved);
                    }
                    return resolved;
                });
    }

    /// The value of a node, with its children. Documents and tables below it are shown as `#`.
    private static YsonNode shown(Session session, TreeNode node, Filter filter, boolean isRoot) {
        YsonNode.Members attributes = session.attributes().some(node, filter);
        return content(session, node, filter, isRoot).bareOr(attributes);
    }

    /// A value. It keeps its own attributes if no others are added.
    private record Content(YsonNode value) {
        YsonNode bareOr(YsonNode.Members attributes) {
            return attributes.members().isEmpty() ? value : value.withAttributes(attributes);
        }
    }

    private static Content content(Session session, TreeNode node, Filter filter, boolean isRoot) {
        if (!isRoot && NodeAttributes.isOpaque(node)) {
            return new Content(YsonNode.entity());
        }
        if (node.isMap() && (isRoot || !node.isSystem())) {
            SequencedMap<Bytes, YsonNode> members = new LinkedHashMap<>();
            for (TreeNode child : session.reader().children(node)) {
                members.put(Bytes.utf8(child.name()), shown(session, child, filter, false));
            }
            return new Content(new YsonNode.Members(members));
        }
        if (node.type() == ObjectType.DOCUMENT && !isRoot) {
            return new Content(YsonNode.entity());
        }
        return new Content(NodeAttributes.value(node).orElse(YsonNode.entity()));
    }

    private void list(CommandCall call) {
        YPath path = path(call, "path");
        Filter filter = filter(call);
        Optional<Long> maxSize = call.parameters().number("max_size");
        if (maxSize.filter(size -> size < 0).isPresent()) {
            throw TreeErrors.generic("Limit is negative");
        }
        call.answer("value", service.read(call, session -> names(session, path, filter, maxSize)));
    }

    private static YsonNode names(
            Session session, YPath path, Filter filter, Optional<Long> maxSize) {
        refuseAll(path);
        if (path.attribute().isPresent()) {
            TreeNode node = session.reader().require(path, Method.LIST);
            List<Bytes> keys = path.attribute().get();
            if (keys.isEmpty()) {
                return YsonNode.texts(session.attributes().names(node));
            }
            return keys(YsonEdit.get(attribute(session, node, keys), keys.subList(1, keys.size())));
        }
        Resolved resolved = resolveValue(session.reader(), path, Method.LIST);
        TreeNode node = resolved.node();
        if (node.type() == ObjectType.DOCUMENT) {
            return keys(YsonEdit.get(NodeAttributes.value(node).orElseThrow(), resolved.rest()));
        }
        if (!node.isMap()) {
            throw TreeErrors.unsupported("List", node.type().text());
        }
        List<TreeNode> children = session.reader().children(node);
        boolean isCut = maxSize.filter(size -> size < children.size()).isPresent();
        // YTsaurus always answers with at least one name.
        int count = isCut ? (int) Math.max(1, maxSize.get()) : children.size();
        List<YsonNode> names = new ArrayList<>(count);
        for (TreeNode child : children.subList(0, count)) {
            names.add(
                    YsonNode.text(child.name())
                            .withAttributes(session.attributes().some(child, filter)));
        }
        YsonNode all = YsonNode.list(names);
        return isCut ? all.withAttributes(YsonNode.map().with("incomplete", true).build()) : all;
    }

    private static YsonNode keys(YsonNode value) {
        return YsonNode.list(YsonEdit.list(value).stream().map(YsonNode::text).toList());
    }

    private void exists(CommandCall call) {
        YPath path = path(call, "path");
        boolean exists = service.read(call, session -> exists(session, path));
        // In version 4 the answer is wrapped, whatever the client asks for.
        YsonNode answer = YsonNode.bool(exists);
        call.answer(call.apiVersion() == 3 ? answer : YsonNode.map().with("value", answer).build());
    }

    private static boolean exists(Session session, YPath path) {
        Resolved resolved;
        try {
            resolved = session.reader().resolve(path, Method.EXISTS);
        } catch (YtException e) {
            // The object does not exist, or a link leads nowhere.
            if (e.error().code() == YtCodes.RESOLVE_ERROR) {
                return false;
            }
            throw e;
        }
        TreeNode node = resolved.node();
        if (path.attribute().isPresent()) {
            List<Bytes> keys = path.attribute().get();
            if (!resolved.rest().isEmpty()) {
                return false;
            }
            return keys.isEmpty()
                    || session.attributes()
                            .find(node, keys.getFirst().utf8())
                            .filter(value -> YsonEdit.exists(value, keys.subList(1, keys.size())))
                            .isPresent();
        }
        if (resolved.rest().isEmpty()) {
            return true;
        }
        return node.type() == ObjectType.DOCUMENT
                && YsonEdit.exists(NodeAttributes.value(node).orElseThrow(), resolved.rest());
    }

    /// `attributes` is a list of names, or `{keys=[…]}`.
    private static Filter filter(CommandCall call) {
        Optional<YsonNode> attributes = call.parameters().find("attributes").map(YsonNode::bare);
        Optional<YsonNode> keys =
                attributes.isPresent() && attributes.get() instanceof YsonNode.Members map
                        ? map.member("keys").map(YsonNode::bare)
                        : attributes;
        if (keys.isEmpty()) {
            return Filter.NONE;
        }
        if (!(keys.get() instanceof YsonNode.Items(List<YsonNode> items))) {
            throw TreeErrors.generic("Parameter \"attributes\" must be a list of names");
        }
        List<String> names = new ArrayList<>();
        for (YsonNode item : items) {
            names.add(
                    item.string()
                            .orElseThrow(
                                    () -> TreeErrors.generic("Names of attributes are strings")));
        }
        return new Filter(Optional.of(names));
    }

    /// Checks a permission against the stored entries only. Permissions are not enforced yet, so
    /// everything is allowed that no entry denies.
    private void checkPermission(CommandCall call) {
        String user = call.parameters().requireText("user");
        String permission = call.parameters().requireText("permission");
        BuiltinChange.checkPermission(permission);
        YPath path = path(call, "path");
        YsonNode answer =
                service.read(
                        call,
                        session -> {
                            TreeNode node = session.reader().require(path, Method.GET);
                            if (session.reader().system().below("users/" + user).isEmpty()) {
                                throw new YtException(
                                        YtCodes.RESOLVE_ERROR,
                                        "No such user \"%s\"".formatted(user));
                            }
                            return decision(session, node, user, permission);
                        });
        call.answer(answer);
    }

    private YsonNode decision(Session session, TreeNode node, String user, String permission) {
        boolean isDenied =
                new TreePermissions(service.objects())
                        .denial(session.attributes(), node, user, permission)
                        .isPresent();
        return isDenied
                ? YsonNode.map()
                        .with("action", "deny")
                        .with("object_id", node.id().text())
                        .with("object_name", "node " + session.reader().show(node.path()))
                        .build()
                : YsonNode.map().with("action", "allow").build();
    }

    private static void parseYPath(CommandCall call) {
        call.answer("path", RichPath.of(call.parameters().require("path")).toYson());
    }
}
