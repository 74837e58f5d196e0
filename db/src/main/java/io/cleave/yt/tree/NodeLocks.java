package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The locks of all master transactions, by node. Decides whether a lock can be taken.
///
/// Threads: the caller holds the lock of [TreeService].
final class NodeLocks {
    private static final int MAX_PENDING = 10_000;

    private final Map<ObjectId, List<NodeLock>> byNode = new HashMap<>();

    /// The same locks, by the transaction that holds them.
    private final Map<MasterTransaction, List<NodeLock>> byHolder = new HashMap<>();

    /// The pending locks, in the order in which clients have requested them.
    private final SequencedMap<ObjectId, NodeLock> pending = new LinkedHashMap<>();

    private int total;

    boolean isEmpty() {
        return byNode.isEmpty();
    }

    List<NodeLock> of(ObjectId nodeId) {
        return byNode.getOrDefault(nodeId, List.of());
    }

    List<NodeLock> pending() {
        return List.copyOf(pending.values());
    }

    /// Adds the lock to the pending locks, until [#grant] or [#cancel].
    void enqueue(NodeLock lock) {
        if (pending.size() >= MAX_PENDING) {
            throw TreeErrors.generic(
                    "Too many locks wait: the limit is %d; try again later".formatted(MAX_PENDING));
        }
        pending.put(lock.id(), lock);
    }

    /// Turns a pending lock into a held one.
    void grant(NodeLock lock) {
        pending.remove(lock.id());
        add(lock);
    }

    /// Removes a pending lock whose node is gone.
    void cancel(NodeLock lock) {
        pending.remove(lock.id());
    }

    boolean isPending(NodeLock lock) {
        return pending.containsKey(lock.id());
    }

    /// The ids of all locks.
    List<ObjectId> ids() {
        List<ObjectId> ids = new ArrayList<>(pending.keySet());
        byHolder.values().forEach(held -> held.forEach(lock -> ids.add(lock.id())));
        return ids;
    }

    Optional<NodeLock> find(ObjectId id) {
        return Stream.concat(
                        Stream.ofNullable(pending.get(id)),
                        byHolder.values().stream().flatMap(List::stream))
                .filter(lock -> lock.id().equals(id))
                .findFirst();
    }

    /// The locks on a node as clients see them. Pending locks come last. The lock of a change is
    /// left out if its transaction also holds the same lock explicitly.
    List<NodeLock> shown(ObjectId nodeId) {
        List<NodeLock> shown = new ArrayList<>();
        List<NodeLock> there = of(nodeId);
        for (NodeLock lock : there) {
            boolean isCovered =
                    !lock.isExplicit()
                            && there.stream()
                                    .anyMatch(
                                            other ->
                                                    other.isExplicit()
                                                            && other.transaction()
                                                                    == lock.transaction()
                                                            && other.request()
                                                                    .equals(lock.request()));
            if (!isCovered) {
                shown.add(lock);
            }
        }
        pending.values().stream().filter(lock -> lock.nodeId().equals(nodeId)).forEach(shown::add);
        return shown;
    }

    /// The locks of a transaction, in the order in which it took them.
    List<NodeLock> of(MasterTransaction transaction) {
        return byHolder.getOrDefault(transaction, List.of());
    }

    /// The number of locks of a transaction and of the transactions nested in it.
    int count(MasterTransaction transaction) {
        if (total < CommandLocks.MAX_LOCKS) {
            return total;
        }
        int count = of(transaction).size();
        for (MasterTransaction nested : transaction.nested()) {
            count += count(nested);
        }
        return count;
    }

    void add(NodeLock lock) {
        byNode.computeIfAbsent(lock.nodeId(), _ -> new ArrayList<>()).add(lock);
        byHolder.computeIfAbsent(lock.transaction(), _ -> new ArrayList<>()).add(lock);
        total++;
    }

    /// Releases all locks of a transaction.
    void removeAll(MasterTransaction transaction) {
        pending.values().removeIf(lock -> lock.transaction() == transaction);
        List<NodeLock> held = byHolder.remove(transaction);
        if (held == null) {
            return;
        }
        total -= held.size();
        for (ObjectId nodeId : nodes(held)) {
            removeFromNode(nodeId, lock -> lock.transaction() == transaction);
        }
    }

    /// Releases the locks on a node that the transaction has requested with the command `lock`.
    /// Returns their number.
    int unlock(ObjectId nodeId, MasterTransaction transaction) {
        int waiting = pending.size();
        pending.values()
                .removeIf(
                        lock -> lock.transaction() == transaction && lock.nodeId().equals(nodeId));
        waiting -= pending.size();
        Predicate<NodeLock> which =
                lock ->
                        lock.transaction() == transaction
                                && lock.nodeId().equals(nodeId)
                                && lock.isExplicit();
        List<NodeLock> held = new ArrayList<>(of(transaction));
        int before = held.size();
        held.removeIf(which);
        int removed = before - held.size();
        byHolder.put(transaction, held);
        total -= removed;
        removeFromNode(nodeId, which);
        return removed + waiting;
    }

    private static Set<ObjectId> nodes(List<NodeLock> locks) {
        return locks.stream().map(NodeLock::nodeId).collect(Collectors.toSet());
    }

    private void removeFromNode(ObjectId nodeId, Predicate<NodeLock> which) {
        List<NodeLock> there = byNode.getOrDefault(nodeId, new ArrayList<>());
        there.removeIf(which);
        if (there.isEmpty()) {
            byNode.remove(nodeId);
        }
    }

    /// Gives the locks of a transaction to its parent. Snapshot locks are released.
    void pass(MasterTransaction from, MasterTransaction to) {
        List<NodeLock> held = List.copyOf(of(from));
        removeAll(from);
        held.stream()
                .filter(lock -> lock.request().mode() != LockMode.SNAPSHOT)
                .forEach(lock -> add(lock.of(to)));
    }

    /// Throws if the lock cannot be taken.
    ///
    /// @param path the path of the node, for the message
    /// @param transaction null for a change outside of transactions
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

    /// Throws if a node above is locked recursively.
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

    /// The locks of other transactions, except snapshot locks.
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
        return wanted.hasKey() && wanted.hasSameKey(held);
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
