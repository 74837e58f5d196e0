package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.tree.CypressChange;
import io.cleave.tree.StandardDirectories;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.util.LinkedHashMap;
import java.util.List;

/// Copies and moves nodes with everything below them.
record TreeCopies(TreeEditor editor) {
    /// What a copy takes from its source.
    record Keeping(boolean creationTime, boolean modificationTime, boolean owner, boolean acl) {}

    TreeNode copy(TreeNode source, TreeNode parent, String name, Keeping keeping) {
        String path = editor.newPath(parent, name);
        editor.locks().take(parent, NodeLock.Request.child(name));
        copyTree(source, parent, path, keeping);
        editor.touch(parent);
        return editor.at(path);
    }

    private void copyTree(TreeNode source, TreeNode parent, String path, Keeping keeping) {
        List<TreeNode> children =
                source.type() == ObjectType.MAP_NODE ? editor.reader().children(source) : List.of();
        switch (source.type()) {
            case MAP_NODE -> {
                editor.ensureDirectory(parent.path());
                editor.apply(new CypressChange.MakeDirectory(path, editor.nowMicros()));
                editor.apply(
                        new CypressChange.PutRow(editor.newRow(path, source.type(), Bytes.EMPTY)));
            }
            case TABLE -> editor.copyTable(source, parent, path);
            case VIEW ->
                    throw TreeErrors.generic(
                            "Node %s is a view, which cannot be copied; create it with YQL"
                                    .formatted(editor.reader().show(source.path())));
            default ->
                    editor.apply(
                            new CypressChange.PutRow(
                                    editor.newRow(path, source.type(), stored(source))));
        }
        CypressNode row = editor.reader().view().cypress(path).orElseThrow();
        editor.apply(new CypressChange.PutRow(kept(row, editor.absent(source), keeping)));
        TreeNode copied = editor.at(path);
        children.stream()
                .filter(child -> !child.isSystem())
                .forEach(child -> copyTree(child, copied, path + "/" + child.name(), keeping));
    }

    /// The value of a row of its own.
    private static Bytes stored(TreeNode source) {
        return ConfigChange.isOf(source)
                ? YsonWriter.write(ConfigChange.shown(source), YsonWriter.Format.BINARY)
                : source.row().orElseThrow().value();
    }

    /// The row of a copy, with what it takes from its source.
    private static CypressNode kept(CypressNode row, CypressNode source, Keeping keeping) {
        var attributes = YsonNode.map().withAll(CypressChange.attributes(source)).build();
        if (!keeping.acl()) {
            var members = new LinkedHashMap<>(attributes.members());
            members.remove(Bytes.utf8("acl"));
            members.remove(Bytes.utf8("inherit_acl"));
            attributes = new YsonNode.Members(members);
        }
        return new CypressNode(
                row.path(),
                row.id(),
                row.type(),
                row.value(),
                attributes.members().isEmpty()
                        ? Bytes.EMPTY
                        : YsonWriter.write(attributes, YsonWriter.Format.BINARY),
                keeping.owner() ? source.owner() : row.owner(),
                keeping.creationTime() ? source.createdMicros() : row.createdMicros(),
                keeping.modificationTime() ? source.modifiedMicros() : row.modifiedMicros(),
                row.contentRevision(),
                row.attributeRevision());
    }

    /// Moves a node with everything below it. All moved nodes keep their ids.
    TreeNode move(TreeNode source, TreeNode parent, String name) {
        if (source.isSystem()
                || StandardDirectories.contains(editor.reader().database(), source.path())) {
            throw TreeErrors.generic(
                    "Node %s cannot be removed".formatted(editor.reader().show(source.path())));
        }
        String path = editor.newPath(parent, name);
        TreeNode sourceParent = editor.reader().parent(source).orElseThrow();
        editor.locks().takeTree(source);
        editor.locks().take(sourceParent, NodeLock.Request.child(source.name()));
        editor.locks().take(parent, NodeLock.Request.child(name));
        moveTree(source, parent, path);
        editor.touch(sourceParent);
        editor.touch(parent);
        return editor.at(path);
    }

    private void moveTree(TreeNode source, TreeNode parent, String path) {
        editor.newPath(parent, path.substring(path.lastIndexOf('/') + 1));
        switch (source.type()) {
            case MAP_NODE -> {
                editor.ensureDirectory(parent.path());
                List<TreeNode> children = editor.reader().children(source);
                CypressNode row = editor.absent(source).at(path);
                editor.apply(
                        new CypressChange.MakeDirectory(
                                path, source.entry().orElseThrow().createdMicros()));
                editor.apply(new CypressChange.PutRow(row));
                editor.apply(new CypressChange.CopyAcl(source.path(), path));
                TreeNode moved = editor.at(path);
                children.forEach(child -> moveTree(child, moved, path + "/" + child.name()));
                editor.apply(new CypressChange.RemoveDirectory(source.path()));
            }
            case TABLE -> {
                Table table = source.table().orElseThrow();
                editor.checkMove(table);
                editor.ensureDirectory(parent.path());
                editor.apply(new CypressChange.MoveTable(table.id(), source.path(), path));
            }
            case VIEW ->
                    throw TreeErrors.generic(
                            "Node %s is a view, which cannot be moved; create it again with YQL"
                                    .formatted(editor.reader().show(source.path())));
            default -> {
                CypressNode row = source.row().orElseThrow();
                editor.apply(new CypressChange.RemoveRow(source.path()));
                editor.apply(new CypressChange.PutRow(row.at(path)));
            }
        }
    }
}
