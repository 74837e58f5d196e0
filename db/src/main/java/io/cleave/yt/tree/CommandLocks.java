package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Checks and takes the locks of one command. They belong to its transaction when the command ends.
///
/// Threads: one at a time, under the lock of [TreeService].
final class CommandLocks {
    static final int MAX_LOCKS = 100_000;

    private final TreeService service;
    private final TreeEditor editor;
    private final NodeLocks held;
    private final @Nullable MasterTransaction transaction;
    private final List<NodeLock> taken = new ArrayList<>();

    CommandLocks(TreeService service, TreeEditor editor) {
        this.service = service;
        this.editor = editor;
        held = service.locks();
        transaction = editor.transaction();
    }

    List<NodeLock> taken() {
        return taken;
    }

    /// Takes a lock for a change. Throws if it cannot be taken. Outside of transactions, the lock
    /// is checked but not kept.
    void take(TreeNode node, NodeLock.Request request) {
        take(node, request, false);
    }

    /// Locks the node and everything below it.
    void takeTree(TreeNode node) {
        take(node, NodeLock.Request.EXCLUSIVE, true);
    }

    private void take(TreeNode node, NodeLock.Request request, boolean isRecursive) {
        check(node, request, isRecursive);
        if (transaction != null) {
            add(node, request, isRecursive, false);
        }
    }

    private void check(TreeNode node, NodeLock.Request request, boolean isRecursive) {
        if (held.isEmpty()) {
            return;
        }
        String path = editor.reader().show(node.path());
        held.check(node.id(), path, transaction, request);
        Optional<TreeNode> above = editor.reader().parent(node);
        while (above.isPresent()) {
            held.checkBelow(above.get().id(), path, transaction, request);
            above = editor.reader().parent(above.get());
        }
        if (!isRecursive) {
            return;
        }
        for (NodeLock other : held.concurrent(transaction)) {
            Optional<String> locked = editor.reader().find(other.nodeId()).map(TreeNode::path);
            if (locked.filter(each -> each.startsWith(node.path() + "/")).isPresent()) {
                throw NodeLocks.conflict(editor.reader().show(locked.get()), request, other);
            }
        }
    }

    /// Takes a lock that a client requests. If others hold conflicting locks and `waits` is set,
    /// the lock becomes pending.
    NodeLock takeExplicitly(TreeNode node, NodeLock.Request request, boolean waits) {
        if (node.isSystem()) {
            throw TreeErrors.generic(
                    "Cannot lock objects of type \"%s\"".formatted(node.type().text()));
        }
        try {
            check(node, request, false);
        } catch (YtException e) {
            if (!waits || e.error().code() != YtCodes.CONCURRENT_TRANSACTION_LOCK_CONFLICT) {
                throw e;
            }
            NodeLock lock = newLock(node, request, false, true);
            service.enqueue(lock);
            return lock;
        }
        return add(node, request, false, true);
    }

    /// Whether a pending lock can be granted now.
    boolean canTake(TreeNode node, NodeLock.Request request) {
        try {
            check(node, request, false);
            return true;
        } catch (YtException _) {
            return false;
        }
    }

    private NodeLock add(
            TreeNode node, NodeLock.Request request, boolean isRecursive, boolean isExplicit) {
        MasterTransaction holder = Objects.requireNonNull(transaction);
        for (NodeLock lock : held.of(node.id())) {
            if (lock.transaction() == holder
                    && lock.request().equals(request)
                    && lock.isRecursive() == isRecursive
                    // A client may release an explicit lock, so it does not protect a change.
                    && lock.isExplicit() == isExplicit) {
                return lock;
            }
        }
        if (held.count(holder) + taken.size() >= MAX_LOCKS) {
            throw new YtException(
                    TreeErrors.TOO_MANY_LOCKS,
                    "Cannot create \"%s\" lock for node %s since transaction %s and its descendants already have %d locks associated with them"
                            .formatted(
                                    request.mode().text(),
                                    editor.reader().show(node.path()),
                                    holder.id(),
                                    MAX_LOCKS));
        }
        NodeLock lock = newLock(node, request, isRecursive, isExplicit);
        taken.add(lock);
        return lock;
    }

    private NodeLock newLock(
            TreeNode node, NodeLock.Request request, boolean isRecursive, boolean isExplicit) {
        return new NodeLock(
                ObjectId.of(ObjectType.LOCK, service.tree().newNumber()),
                node.id(),
                Objects.requireNonNull(transaction),
                request,
                isRecursive,
                isExplicit);
    }
}
