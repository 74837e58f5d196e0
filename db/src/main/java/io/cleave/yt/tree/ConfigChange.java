package io.cleave.yt.tree;

import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.base.Bytes;
import io.cleave.schema.ObjectType;
import io.cleave.tree.BalancerConfig;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;

import java.util.List;

/// A change of the balancer's settings for all bundles: of the document
/// `//sys/tablet_balancer/config`, or of its view in `//sys/@config`.
record ConfigChange(TreeEditor editor) {
    /// Whether the node is the document.
    static boolean isOf(TreeNode node) {
        return node.object().isPresent() && node.type() == ObjectType.DOCUMENT;
    }

    /// The document as a client sees it.
    static YsonNode shown(TreeNode node) {
        return ClusterConfig.shown(BalancerConfig.stored(node.row()));
    }

    /// Replaces the document, or the part of it at the path.
    void set(TreeNode node, List<Bytes> path, YsonNode value, boolean recursive) {
        put(node, YsonEdit.set(BalancerConfig.stored(node.row()), path, value, recursive));
    }

    /// Removes the part at the path; with `all`, everything below it.
    void remove(TreeNode node, List<Bytes> path, boolean all, boolean force) {
        YsonNode stored = BalancerConfig.stored(node.row());
        boolean isByDefault = YsonEdit.exists(shown(node), path) && !YsonEdit.exists(stored, path);
        put(node, isByDefault ? stored : YsonEdit.remove(stored, path, all, force));
    }

    void setView(YsonNode config) {
        String path = BalancerConfig.path(editor.reader().database());
        TreeNode node = editor.at(path);
        put(node, ClusterConfig.withView(BalancerConfig.stored(node.row()), config));
    }

    private void put(TreeNode node, YsonNode value) {
        YsonNode bare = value.bare();
        var _ = ClusterConfig.read(bare);
        if (node.row().isEmpty()) {
            editor.apply(
                    new CypressChange.PutRow(
                            editor.newRow(node.path(), node.type(), Bytes.EMPTY, node.id())));
        }
        editor.putValue(editor.again(node), bare);
    }
}
