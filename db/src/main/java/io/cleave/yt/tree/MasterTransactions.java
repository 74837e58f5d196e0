package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.CypressChange;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.TransactionPlaces;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The open transactions of the tree. They live in this process only: after a restart, no
/// transaction is open and none of their changes are left.
///
/// Threads: the caller holds the lock of [TreeService].
final class MasterTransactions {
    static final int MAX_TRANSACTIONS = 10_000;
    static final int MAX_DEPTH = 32;
    static final long MAX_TIMEOUT_MILLIS = 60 * 60 * 1000L;
    static final long DEFAULT_TIMEOUT_MILLIS = 30_000;

    /// The limit of the changes of all open transactions.
    static final int MAX_CHANGES = 100_000;

    /// The approximate heap of a transaction, and of a lock.
    private static final long TRANSACTION_BYTES = 1024;

    private static final long LOCK_BYTES = 256;

    private final CypressTree tree;
    private final TableNodes tables;
    private final NodeLocks locks;

    /// Open transactions take their memory from here. They give it back when they end.
    private final MemoryPool memory;

    private final Map<ObjectId, MasterTransaction> open = new LinkedHashMap<>();
    private final Map<ObjectId, Caller.Peer> peers = new HashMap<>();
    private final TransactionPlaces places =
            new TransactionPlaces("open transactions", MAX_TRANSACTIONS);
    private int changeCount;

    MasterTransactions(CypressTree tree, TableNodes tables, NodeLocks locks, MemoryPool memory) {
        this.tree = tree;
        this.tables = tables;
        this.locks = locks;
        this.memory = memory;
    }

    Collection<MasterTransaction> open() {
        return open.values();
    }

    Optional<MasterTransaction> find(ObjectId id) {
        return Optional.ofNullable(open.get(id));
    }

    MasterTransaction require(ObjectId id) {
        return find(id).orElseThrow(() -> TreeErrors.noSuchTransaction(id));
    }

    /// Aborts the transactions that were not pinged in time.
    void expire() {
        long now = tree.env().nanoTime();
        List<MasterTransaction> expired =
                open.values().stream().filter(each -> each.isExpired(now)).toList();
        // A nested transaction may have been aborted with its parent.
        expired.stream().filter(each -> open.containsKey(each.id())).forEach(this::abort);
    }

    MasterTransaction start(
            @Nullable MasterTransaction parent,
            Caller caller,
            long timeoutMillis,
            YsonNode.Members attributes) {
        if (parent != null && parent.depth() + 1 >= MAX_DEPTH) {
            throw YtError.of(TreeErrors.TRANSACTION_DEPTH_LIMIT, "Transaction depth limit reached")
                    .with("limit", YsonNode.of(MAX_DEPTH))
                    .exception();
        }
        long bytes = TRANSACTION_BYTES + ChangeBytes.of(attributes);
        Caller.Peer peer = caller.peer();
        places.take(peer);
        try {
            take(bytes);
        } catch (RuntimeException e) {
            places.give(peer);
            throw e;
        }
        ObjectType type = parent == null ? ObjectType.TRANSACTION : ObjectType.NESTED_TRANSACTION;
        var transaction =
                new MasterTransaction(
                        ObjectId.of(type, tree.newNumber()),
                        parent,
                        caller.user().isEmpty() ? "root" : caller.user(),
                        tree.env().wallMicros(),
                        tree.env().nanoTime(),
                        Math.clamp(timeoutMillis, 0, MAX_TIMEOUT_MILLIS),
                        attributes);
        transaction.took(bytes);
        open.put(transaction.id(), transaction);
        peers.put(transaction.id(), peer);
        if (parent != null) {
            parent.nested().add(transaction);
        }
        return transaction;
    }

    void ping(MasterTransaction transaction, boolean withAncestors) {
        transaction.ping(tree.env().wallMicros(), tree.env().nanoTime());
        MasterTransaction parent = transaction.parent();
        if (withAncestors && parent != null) {
            ping(parent, true);
        }
    }

    /// Gives the changes to the parent, or makes them in the tree if there is no parent. Aborts
    /// nested transactions that are still open.
    void commit(MasterTransaction transaction) {
        List.copyOf(transaction.nested()).forEach(this::abort);
        MasterTransaction parent = transaction.parent();
        if (parent != null) {
            parent.absorb(transaction);
            locks.pass(transaction, parent);
            parent.nested().remove(transaction);
            forget(transaction);
            return;
        }
        try {
            tree.commit(transaction.changes());
        } catch (StatusException e) {
            abort(transaction);
            throw YtError.of(YtCodes.GENERIC, "Error committing transaction " + transaction.id())
                    .with(YtError.of(YtCodes.GENERIC, TreeErrors.message(e)))
                    .exception();
        }
        end(transaction);
        tree.configure(transaction.changes());
    }

    void abort(MasterTransaction transaction) {
        List.copyOf(transaction.nested()).forEach(this::abort);
        end(transaction);
        transaction.hiddenTables().forEach(tables::drop);
    }

    private void forget(MasterTransaction transaction) {
        if (open.remove(transaction.id()) != null) {
            places.give(Objects.requireNonNull(peers.remove(transaction.id())));
        }
    }

    private void end(MasterTransaction transaction) {
        locks.removeAll(transaction);
        forget(transaction);
        changeCount -= transaction.changes().size();
        memory.give(transaction.bytes());
        MasterTransaction parent = transaction.parent();
        if (parent != null) {
            parent.nested().remove(transaction);
        }
    }

    /// Adds the changes and locks of one command to its transaction. Throws if a limit is exceeded.
    void add(MasterTransaction transaction, List<CypressChange> changes, List<NodeLock> taken) {
        if (changeCount + changes.size() > MAX_CHANGES) {
            throw TreeErrors.generic(
                    "Open transactions may have %d changes of nodes together, and have %d; commit"
                                    .formatted(MAX_CHANGES, changeCount)
                            + " or abort some, and make large changes in several transactions");
        }
        long bytes = taken.size() * LOCK_BYTES;
        for (CypressChange change : changes) {
            bytes += ChangeBytes.of(change);
        }
        take(bytes);
        transaction.took(bytes);
        changeCount += changes.size();
        transaction.changes().addAll(changes);
        taken.forEach(locks::add);
    }

    private void take(long bytes) {
        if (!memory.tryTake(bytes)) {
            throw memory.exhausted("a change of the tree in a transaction", bytes);
        }
    }

    /// Adds a lock to the pending locks.
    void enqueue(NodeLock lock) {
        take(LOCK_BYTES);
        lock.transaction().took(LOCK_BYTES);
        locks.enqueue(lock);
    }

    /// Releases the locks on a node that the transaction has requested with the command `lock`.
    void unlock(ObjectId nodeId, MasterTransaction transaction) {
        long bytes = locks.unlock(nodeId, transaction) * LOCK_BYTES;
        memory.give(bytes);
        transaction.took(-bytes);
    }

    List<NodeLock> locks(MasterTransaction transaction) {
        return List.copyOf(locks.of(transaction));
    }
}
