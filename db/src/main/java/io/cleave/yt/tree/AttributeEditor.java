package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.Optional;

/// Changes attributes of nodes: those of users, builtin ones and settings of tables.
record AttributeEditor(TreeEditor editor) {
    void set(TreeNode node, List<Bytes> keys, YsonNode value) {
        String name = keys.getFirst().utf8();
        if (name.isEmpty()) {
            throw TreeErrors.generic("Attribute key cannot be empty");
        }
        List<Bytes> inner = keys.subList(1, keys.size());
        NodeAttributes attributes = editor.attributes();
        Optional<NodeAttributes.Builtin> builtin = attributes.builtin(node, name);
        if (builtin.isPresent() && !builtin.get().isWritable()) {
            throw TreeErrors.cannotSetAttribute(name);
        }
        Optional<YsonNode> old = attributes.find(node, name);
        if (!inner.isEmpty() && old.isEmpty()) {
            throw TreeErrors.noCustomAttribute(name);
        }
        YsonNode whole =
                inner.isEmpty() ? value : YsonEdit.set(old.orElseThrow(), inner, value, false);
        if (builtin.isPresent()) {
            new BuiltinChange(this, node, name).set(whole);
        } else {
            put(node, name, Optional.of(whole));
        }
    }

    /// Replaces all attributes that users have set.
    void setAll(TreeNode node, YsonNode.Members all) {
        for (Bytes key : editor.attributes().custom(node).members().keySet()) {
            if (!all.members().containsKey(key)) {
                put(node, key.utf8(), Optional.empty());
            }
        }
        all.members().forEach((key, value) -> set(editor.again(node), List.of(key), value));
    }

    void remove(TreeNode node, List<Bytes> keys, boolean all, boolean force) {
        NodeAttributes attributes = editor.attributes();
        if (keys.isEmpty()) {
            if (!all) {
                throw TreeErrors.generic("Unexpected end-of-string in YPath");
            }
            attributes
                    .custom(node)
                    .members()
                    .keySet()
                    .forEach(key -> put(editor.again(node), key.utf8(), Optional.empty()));
            return;
        }
        String name = keys.getFirst().utf8();
        List<Bytes> inner = keys.subList(1, keys.size());
        Optional<YsonNode> custom = attributes.custom(node).member(name);
        Optional<NodeAttributes.Builtin> builtin = attributes.builtin(node, name);
        if (custom.isEmpty() && builtin.isEmpty()) {
            if (force) {
                return;
            }
            throw TreeErrors.noAttribute(name);
        }
        if (inner.isEmpty() && !all) {
            if (custom.isPresent()) {
                put(node, name, Optional.empty());
            } else if (builtin.orElseThrow().isRemovable()) {
                new BuiltinChange(this, node, name).remove();
            } else {
                throw TreeErrors.cannotRemoveAttribute(name);
            }
            return;
        }
        if (custom.isEmpty() && !builtin.orElseThrow().isWritable()) {
            throw TreeErrors.cannotRemoveAttribute(name);
        }
        YsonNode old = attributes.find(node, name).orElseThrow(() -> TreeErrors.noAttribute(name));
        YsonNode whole = YsonEdit.remove(old, inner, all, force);
        if (custom.isPresent()) {
            put(node, name, Optional.of(whole));
        } else {
            new BuiltinChange(this, node, name).set(whole);
        }
    }

    void put(TreeNode node, String name, Optional<YsonNode> value) {
        editor.locks().take(node, NodeLock.Request.attribute(name));
        editor.apply(
                new CypressChange.PutAttribute(
                        editor.absent(node), name, value, editor.nowMicros(), editor.revision()));
        long size = editor.again(node).row().map(row -> row.attributes().length()).orElse(0);
        if (size > TreeEditor.MAX_NODE_BYTES && value.isPresent()) {
            throw new YtException(
                    TreeErrors.MAX_ATTRIBUTE_SIZE,
                    "Attribute \"%s\" is too large: the attributes of a node may have %d bytes"
                            .formatted(name, TreeEditor.MAX_NODE_BYTES));
        }
    }

    void putOwner(TreeNode node, String owner) {
        editor.locks().take(node, NodeLock.Request.attribute("owner"));
        editor.apply(new CypressChange.PutOwner(editor.absent(node), owner));
    }

    void putSetting(TreeNode node, String name, Optional<YsonNode> value) {
        editor.locks().take(node, NodeLock.Request.attribute(name));
        alter(node, name, value);
    }

    /// Gives the copy of a table, at `path`, the settings that the transaction has changed. The
    /// copy was made from the stored table, which does not have them yet. A setting may depend on
    /// those before it.
    void copySettings(TreeNode source, String path) {
        MasterTransaction transaction = editor.transaction();
        if (transaction != null) {
            for (CypressChange.AlterTable each : transaction.settings(source.id())) {
                alter(editor.at(path), each.name(), each.value());
            }
        }
    }

    private void alter(TreeNode node, String name, Optional<YsonNode> value) {
        var alteration = editor.tables().change(node.table().orElseThrow(), name, value);
        editor.apply(new CypressChange.AlterTable(node.id(), name, value, alteration));
    }

    boolean isSetting(TreeNode node, String name) {
        return node.table().isPresent()
                && editor.tables().attributes(node.table().get()).stream()
                        .anyMatch(each -> each.name().equals(name));
    }
}
