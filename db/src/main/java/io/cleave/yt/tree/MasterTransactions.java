package io.cleave.yt.tree;

import io.cleave.base.StatusException;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The open transactions of the tree. They end with the process: after a restart none is open, and
/// nothing of them is left.
///
/// Threads: the caller holds the lock of [TreeService].
final class MasterTransactions {
    static final int MAX_TRANSACTIONS = 10_000;
    static final int MAX_DEPTH = 32;
    static final long MAX_TIMEOUT_MILLIS = 60 * 60 * 1000L;
    static final long DEFAULT_TIMEOUT_MILLIS = 30_000;

    /// The changes of all open transactions; they are kept in memory.
    static final int MAX_CHANGES = 100_000;

    private final CypressTree tree;
    private final TableNodes tables;
    private final NodeLocks locks;
    private final Map<ObjectId, MasterTransaction> open = new LinkedHashMap<>();

    MasterTransactions(CypressTree tree, TableNodes tables, NodeLocks locks) {
        this.tree = tree;
        this.tables = tables;
        this.locks = locks;
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

    /// Aborts the transactions that nobody has pinged in time.
    void expire() {
        long now = tree.env().nanoTime();
        List<MasterTransaction> expired =
                open.values().stream().filter(each -> each.isExpired(now)).toList();
        // A nested transaction may have gone with its parent.
        expired.stream().filter(each -> open.containsKey(each.id())).forEach(this::abort);
    }

    MasterTransaction start(
            @Nullable MasterTransaction parent,
            String owner,
            long timeoutMillis,
            YsonNode.Members attributes) {
        if (open.size() >= MAX_TRANSACTIONS) {
            throw TreeErrors.generic(
                    "Too many open transactions: the limit is " + MAX_TRANSACTIONS);
        }
        if (parent != null && parent.depth() + 1 >= MAX_DEPTH) {
            throw YtError.of(TreeErrors.TRANSACTION_DEPTH_LIMIT, "Transaction depth limit reached")
                    .with("limit", YsonNode.of(MAX_DEPTH))
                    .exception();
        }
        ObjectType type = parent == null ? ObjectType.TRANSACTION : ObjectType.NESTED_TRANSACTION;
        var transaction =
                new MasterTransaction(
                        ObjectId.of(type, tree.newNumber()),
                        parent,
                        owner,
                        tree.env().wallMicros(),
                        tree.env().nanoTime(),
                        Math.clamp(timeoutMillis, 0, MAX_TIMEOUT_MILLIS),
                        attributes);
        open.put(transaction.id(), transaction);
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

    /// Gives the changes to the parent, or makes them in the tree. Nested transactions that are
    /// still open are aborted.
    void commit(MasterTransaction transaction) {
        List.copyOf(transaction.nested()).forEach(this::abort);
        MasterTransaction parent = transaction.parent();
        if (parent != null) {
            parent.absorb(transaction);
            parent.nested().remove(transaction);
            locks.pass(transaction, parent);
            open.remove(transaction.id());
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
        transaction.afterCommit().forEach(Runnable::run);
    }

    void abort(MasterTransaction transaction) {
        List.copyOf(transaction.nested()).forEach(this::abort);
        end(transaction);
        transaction.hiddenTables().forEach(tables::drop);
    }

    private void end(MasterTransaction transaction) {
        locks.remove(lock -> lock.transaction() == transaction);
        open.remove(transaction.id());
        MasterTransaction parent = transaction.parent();
        if (parent != null) {
            parent.nested().remove(transaction);
        }
    }

    /// Throws if there is no room for more changes of transactions.
    void checkRoom(int more) {
        long count = more;
        for (MasterTransaction each : open.values()) {
            count += each.changes().size();
        }
        if (count > MAX_CHANGES) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Open transactions have %d changes, which is the limit; commit some"
                            .formatted(MAX_CHANGES));
        }
    }

    /// The locks of a transaction.
    List<NodeLock> locks(MasterTransaction transaction) {
        List<NodeLock> found = new ArrayList<>();
        locks.remove(
                lock -> {
                    if (lock.transaction() == transaction) {
                        found.add(lock);
                    }
                    return false;
                });
        return found;
    }
}
