package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The locks of all master transactions, by node. Decides whether a lock can be taken.
///
/// Threads: the caller holds the lock of [TreeService].
final class NodeLocks {
    private final Map<ObjectId, List<NodeLock>> byNode = new HashMap<>();
    private int total;

    boolean isEmpty() {
        return byNode.isEmpty();
    }

    List<NodeLock> of(ObjectId nodeId) {
        return byNode.getOrDefault(nodeId, List.of());
    }

    /// The number of locks of a transaction and of those nested in it.
    int count(MasterTransaction transaction) {
        return total < TreeEditor.MAX_LOCKS
                ? total
                : (int)
                        byNode.values().stream()
                                .flatMap(List::stream)
                                .filter(lock -> lock.transaction().isWithin(transaction))
                                .count();
    }

    void add(NodeLock lock) {
        byNode.computeIfAbsent(lock.nodeId(), _ -> new ArrayList<>()).add(lock);
        total++;
    }

    void remove(Predicate<NodeLock> which) {
        byNode.values()
                .removeIf(
                        locks -> {
                            int before = locks.size();
                            locks.removeIf(which);
                            total -= before - locks.size();
                            return locks.isEmpty();
                        });
    }

    /// Gives the locks of a transaction to its parent. Snapshots end.
    void pass(MasterTransaction from, MasterTransaction to) {
        remove(lock -> lock.transaction() == from && lock.request().mode() == LockMode.SNAPSHOT);
        byNode.values()
                .forEach(
                        locks ->
                                locks.replaceAll(
                                        lock -> lock.transaction() == from ? lock.of(to) : lock));
    }

    /// Throws if the lock cannot be taken.
    ///
    /// @param path of the node, for the message
    /// @param transaction none for a change outside of transactions
    void check(
            ObjectId nodeId,
            String path,
            @Nullable MasterTransaction transaction,
            NodeLock.Request request) {
        List<NodeLock> there = of(nodeId);
        if (there.isEmpty()) {
            return;
        }
        if (transaction != null) {
            checkSnapshots(there, path, transaction, request);
        }
        if (request.mode() == LockMode.SNAPSHOT) {
            return;
        }
        for (NodeLock lock : there) {
            if (isConcurrent(transaction, lock) && conflicts(request, lock.request())) {
                throw conflict(path, request, lock);
            }
        }
    }

    /// Throws if a node above is locked with everything below it.
    void checkBelow(
            ObjectId aboveId,
            String path,
            @Nullable MasterTransaction transaction,
            NodeLock.Request request) {
        for (NodeLock lock : of(aboveId)) {
            if (lock.isRecursive() && isConcurrent(transaction, lock)) {
                throw conflict(path, request, lock);
            }
        }
    }

    /// The nodes that other transactions hold, except by snapshots.
    List<NodeLock> concurrent(@Nullable MasterTransaction transaction) {
        return byNode.values().stream()
                .flatMap(List::stream)
                .filter(lock -> isConcurrent(transaction, lock))
                .filter(lock -> lock.request().mode() != LockMode.SNAPSHOT)
                .toList();
    }

    private static void checkSnapshots(
            List<NodeLock> there,
            String path,
            MasterTransaction transaction,
            NodeLock.Request request) {
        String mode = request.mode().text();
        for (NodeLock lock : there) {
            LockMode held = lock.request().mode();
            boolean isSnapshot = request.mode() == LockMode.SNAPSHOT;
            if (lock.transaction() == transaction && isSnapshot != (held == LockMode.SNAPSHOT)) {
                throw new YtException(
                        TreeErrors.SAME_TRANSACTION_LOCK_CONFLICT,
                        "Cannot take \"%s\" lock for node %s since \"%s\" lock is already taken by same transaction %s"
                                .formatted(mode, path, held.text(), transaction.id()));
            }
            if (isSnapshot
                    && held != LockMode.SNAPSHOT
                    && lock.transaction() != transaction
                    && lock.transaction().isWithin(transaction)) {
                throw new YtException(
                        TreeErrors.DESCENDANT_TRANSACTION_LOCK_CONFLICT,
                        "Cannot take \"%s\" lock for node %s since \"%s\" lock is already taken by a descendant transaction"
                                .formatted(mode, path, held.text()));
            }
            if (!isSnapshot
                    && held == LockMode.SNAPSHOT
                    && lock.transaction() != transaction
                    && transaction.isWithin(lock.transaction())) {
                throw new YtException(
                        TreeErrors.SAME_TRANSACTION_LOCK_CONFLICT,
                        "Cannot take \"%s\" lock for node %s since \"%s\" lock is already taken by parent transaction %s"
                                .formatted(mode, path, held.text(), lock.transaction().id()));
            }
        }
    }

    private static boolean isConcurrent(@Nullable MasterTransaction transaction, NodeLock lock) {
        return transaction == null || !transaction.isWithin(lock.transaction());
    }

    private static boolean conflicts(NodeLock.Request wanted, NodeLock.Request held) {
        if (held.mode() == LockMode.SNAPSHOT) {
            return false;
        }
        if (wanted.mode() == LockMode.EXCLUSIVE || held.mode() == LockMode.EXCLUSIVE) {
            return true;
        }
        return wanted.hasKey()
                && wanted.childKey().equals(held.childKey())
                && wanted.attributeKey().equals(held.attributeKey());
    }

    static YtException conflict(String path, NodeLock.Request wanted, NodeLock lock) {
        ObjectId winner = lock.transaction().id();
        String message;
        Optional<String> child = wanted.childKey();
        Optional<String> attribute = wanted.attributeKey();
        if (child.isPresent()) {
            message =
                    "Cannot take lock for child \"%s\" of node %s since this child is locked by concurrent transaction %s"
                            .formatted(child.get(), path, winner);
        } else if (attribute.isPresent()) {
            message =
                    "Cannot take lock for attribute \"%s\" of node %s since this attribute is locked by concurrent transaction %s"
                            .formatted(attribute.get(), path, winner);
        } else {
            message =
                    "Cannot take \"%s\" lock for node %s since \"%s\" lock is taken by concurrent transaction %s"
                            .formatted(
                                    wanted.mode().text(),
                                    path,
                                    lock.request().mode().text(),
                                    winner);
        }
        return YtError.of(YtCodes.CONCURRENT_TRANSACTION_LOCK_CONFLICT, message)
                .with("winner_transaction", lock.transaction().description())
                .exception();
    }
}
