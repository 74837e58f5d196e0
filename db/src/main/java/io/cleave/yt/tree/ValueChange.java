package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtException;

import java.util.List;

/// The command `set`: replaces the value at a path, as YTsaurus does.
record ValueChange(TreeEditor editor) {
    void set(YPath path, YsonNode value, boolean recursive, boolean force) {
        if (path.isAll()) {
            throw TreeErrors.generic("\"*\" is only allowed for Remove method");
        }
        if (path.attribute().isPresent()) {
            TreeNode node = editor.reader().require(path, TreeReader.Method.SET);
            List<Bytes> keys = path.attribute().get();
            if (!keys.isEmpty()) {
                new AttributeEditor(editor).set(node, keys, value);
            } else if (value.bare() instanceof YsonNode.Members members) {
                new AttributeEditor(editor).setAll(node, members);
            } else {
                throw TreeErrors.generic(
                        "Attributes must be a map, got \"%s\""
                                .formatted(CommandParameters.typeName(value)));
            }
            return;
        }
        TreeReader.Resolved resolved = editor.reader().resolve(path, TreeReader.Method.SET);
        TreeNode node = resolved.node();
        if (ConfigChange.isOf(node)) {
            new ConfigChange(editor).set(node, resolved.rest(), value, recursive);
        } else if (resolved.rest().isEmpty()) {
            replace(node, value, force);
        } else if (node.type() == ObjectType.DOCUMENT) {
            YsonNode old = NodeAttributes.value(node).orElseThrow();
            editor.putValue(node, YsonEdit.set(old, resolved.rest(), value, recursive));
        } else if (node.isMap() && !node.isSystem()) {
            TreeNode parent = editor.deepest(node, resolved.rest(), recursive);
            editor.createFrom(parent, resolved.rest().getLast().utf8(), value);
        } else {
            TreeErrors.resolving(
                    path,
                    TreeReader.Method.SET.text(),
                    () -> {
                        editor.reader().refuseRest(resolved);
                        return true;
                    });
        }
    }

    /// Replaces the value of a node, or the children of a map.
    void replace(TreeNode node, YsonNode value, boolean force) {
        YsonNode bare = value.bare();
        if (node.isSystem()) {
            throw TreeErrors.unsupported("Set", node.type().text());
        }
        switch (node.type()) {
            case DOCUMENT -> {
                // The attributes of the value are part of the document.
                editor.putValue(node, value);
                return;
            }
            case STRING_NODE, INT64_NODE, UINT64_NODE, DOUBLE_NODE, BOOLEAN_NODE ->
                    editor.putValue(node, fitted(node.type(), bare));
            case MAP_NODE -> {
                if (!force) {
                    throw TreeErrors.generic(
                            "\"set\" command without \"force\" flag is forbidden; use \"create\""
                                    + " instead");
                }
                if (!(bare instanceof YsonNode.Members(var members))) {
                    throw mismatch("map", bare);
                }
                editor.clear(node);
                TreeNode cleared = editor.again(node);
                members.forEach((key, child) -> editor.createFrom(cleared, key.utf8(), child));
            }
            default -> throw TreeErrors.unsupported("Set", node.type().text());
        }
        if (value instanceof YsonNode.Attributed(YsonNode.Members attributes, _)) {
            new AttributeEditor(editor).setAll(editor.again(node), attributes);
        }
    }

    /// The value in the form that the type of the node needs.
    static YsonNode fitted(ObjectType type, YsonNode value) {
        return switch (value) {
            case YsonNode.Text _ when type == ObjectType.STRING_NODE -> value;
            case YsonNode.Bool _ when type == ObjectType.BOOLEAN_NODE -> value;
            case YsonNode.Real _ when type == ObjectType.DOUBLE_NODE -> value;
            case YsonNode.Int64(long number) when type == ObjectType.DOUBLE_NODE ->
                    YsonNode.real((double) number);
            case YsonNode.Int64 _ when type == ObjectType.INT64_NODE -> value;
            case YsonNode.Uint64(long number) when type == ObjectType.INT64_NODE && number >= 0 ->
                    YsonNode.of(number);
            case YsonNode.Uint64 _ when type == ObjectType.UINT64_NODE -> value;
            case YsonNode.Int64(long number) when type == ObjectType.UINT64_NODE && number >= 0 ->
                    YsonNode.uint(number);
            default -> throw mismatch(nodeType(type), value);
        };
    }

    private static String nodeType(ObjectType type) {
        String text = type.text();
        return text.substring(0, text.length() - "_node".length());
    }

    private static YtException mismatch(String expected, YsonNode value) {
        return TreeErrors.generic(
                "Cannot update \"%s\" node with \"%s\" value; types must match"
                        .formatted(expected, CommandParameters.typeName(value)));
    }
}
