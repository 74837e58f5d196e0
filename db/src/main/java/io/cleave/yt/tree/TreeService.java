package io.cleave.yt.tree;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// The tree that clients of YTsaurus see. A read takes a view of the tree. Changes are made by one
/// command at a time. The transactions and their locks are here.
///
/// Threads: any.
public final class TreeService {
    private static final int MAX_ATTEMPTS = 5;

    private final CypressTree tree;
    private final TableNodes tables;
    private final CellBundles bundles;
    private final ResolvedTables resolvedTables;
    private final SystemObjects objects;

    /// Held by each command that changes the tree, and during each access to the transactions.
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final NodeLocks locks = new NodeLocks();

    @GuardedBy("lock")
    private final MasterTransactions transactions;

    /// `memory` is the pool from which transactions take memory until they end.
    public TreeService(
            CypressTree tree,
            TableNodes tables,
            CellBundles bundles,
            BundleOutlook outlook,
            MemoryPool memory) {
        this.tree = tree;
        this.tables = tables;
        this.bundles = bundles;
        objects = new SystemObjects(tree, outlook);
        resolvedTables = new ResolvedTables(tree::view);
        transactions = new MasterTransactions(tree, tables, locks, memory);
    }

    CypressTree tree() {
        return tree;
    }

    TableNodes tables() {
        return tables;
    }

    CellBundles bundles() {
        return bundles;
    }

    SystemObjects objects() {
        return objects;
    }

    /// The caller holds the lock, because it is a command that changes the tree.
    @SuppressWarnings("GuardedBy")
    NodeLocks locks() {
        return locks;
    }

    /// Releases the locks on a node that the transaction has requested with the command `lock`. The
    /// caller holds the lock of this service, as for [#locks].
    @SuppressWarnings("GuardedBy")
    void unlock(ObjectId nodeId, MasterTransaction transaction) {
        transactions.unlock(nodeId, transaction);
    }

    /// Adds a lock to the pending locks. The caller holds the lock of this service, as for
    /// [#locks].
    @SuppressWarnings("GuardedBy")
    void enqueue(NodeLock waiting) {
        transactions.enqueue(waiting);
    }

    TreeReader reader(CatalogView view) {
        return new TreeReader(
                view,
                tree.database(),
                objects.directory(view, tables, this::transactionObjects, new LocksOf(this)));
    }

    NodeAttributes attributes(TreeReader reader, @Nullable MasterTransaction transaction) {
        return new NodeAttributes(
                reader,
                tables,
                new NodeAttributes.TransactionView() {
                    @Override
                    public List<LockObject> of(ObjectId nodeId) {
                        // No transaction expires here, because the caller may be a command of a
                        // transaction.
                        lock.lock();
                        try {
                            return locks.shown(nodeId).stream()
                                    .map(each -> new LockObject(each, locks().isPending(each)))
                                    .toList();
                        } finally {
                            lock.unlock();
                        }
                    }

                    @Override
                    public LockMode mode(ObjectId nodeId) {
                        return of(nodeId).stream()
                                .filter(each -> !each.isPending())
                                .map(LockObject::lock)
                                .filter(each -> each.transaction() == transaction)
                                .map(each -> each.request().mode())
                                .max(LockMode::compareTo)
                                .orElse(LockMode.NONE);
                    }
                });
    }

    /// The committed table at a path. Links are followed. Throws if there is no table.
    public Table table(CommandCall call, YsonNode path) {
        YPath parsed = YPath.parse(RichPath.of(path).path());
        return read(
                call,
                session -> {
                    TreeNode node = session.reader().require(parsed, TreeReader.Method.GET);
                    Table table =
                            node.table()
                                    .orElseThrow(
                                            () ->
                                                    TreeErrors.generic(
                                                            "Invalid type of %s: expected \"table\", actual \"%s\""
                                                                    .formatted(
                                                                            parsed.text(),
                                                                            node.type().text())));
                    return transactionId(call).isPresent()
                            ? committed(table, node.id(), parsed)
                            : table;
                });
    }

    /// The table as it is stored, without the changes of the call's transaction. A table that the
    /// transaction has created is also found: it is stored, but hidden from others.
    private Table committed(Table table, ObjectId nodeId, YPath path) {
        CatalogView view = tree.view();
        return view.path(nodeId)
                .flatMap(view::find)
                .flatMap(CatalogView.Node::table)
                .filter(found -> found.id() == table.id())
                .orElseThrow(
                        () ->
                                new YtException(
                                        YtCodes.RESOLVE_ERROR,
                                        "Table %s was removed by another client"
                                                .formatted(path.text())));
    }

    /// The catalog path of the table at this path.
    public String tablePath(CommandCall call, String path) {
        Supplier<String> resolve = () -> table(call, YsonNode.text(path)).path();
        return transactionId(call).isPresent() ? resolve.get() : resolvedTables.path(path, resolve);
    }

    /// Throws unless the caller may use the bundle.
    public void checkUse(CommandCall call, String bundle) {
        TreeReader reader = reader(tree.view());
        new TreePermissions(objects)
                .checkUse(attributes(reader, null), reader, call.caller(), bundle);
    }

    /// A path of the catalog, in the form that clients of YTsaurus use.
    public String show(String path) {
        return reader(tree.view()).show(path);
    }

    /// One view of the tree, for a command that reads.
    record Session(TreeReader reader, NodeAttributes attributes) {}

    <T> T read(CommandCall call, Function<Session, T> work) {
        Optional<ObjectId> id = transactionId(call);
        if (id.isEmpty()) {
            TreeReader reader = reader(tree.view());
            return work.apply(new Session(reader, attributes(reader, null)));
        }
        MasterTransaction transaction;
        TreeReader reader;
        lock.lock();
        try {
            transactions.expire();
            transaction = transactions.require(id.get());
            reader = reader(transaction.view(tree));
        } catch (StatusException e) {
            throw e.status() == Status.ABORTED ? TreeErrors.of(e) : e;
        } finally {
            lock.unlock();
        }
        return work.apply(new Session(reader, attributes(reader, transaction)));
    }

    /// The master transaction of a call. A tablet transaction changes no node, and sees the
    /// committed tree.
    private static Optional<ObjectId> transactionId(CommandCall call) {
        return id(call.parameters(), "transaction_id").filter(TreeService::isMaster);
    }

    static boolean isMaster(ObjectId id) {
        return id.type()
                .filter(
                        type ->
                                type == ObjectType.ATOMIC_TABLET_TRANSACTION
                                        || type == ObjectType.NON_ATOMIC_TABLET_TRANSACTION)
                .isEmpty();
    }

    /// A parameter that is an id; empty if it is absent or all zeros.
    static Optional<ObjectId> id(CommandParameters parameters, String name) {
        return parameters
                .text(name)
                .map(
                        text ->
                                ObjectId.parse(text)
                                        .orElseThrow(
                                                () ->
                                                        TreeErrors.generic(
                                                                "Error parsing GUID \"%s\""
                                                                        .formatted(text))))
                .filter(id -> !id.isNull());
    }

    /// Runs a command that changes the tree. Its changes are committed at once, or are added to its
    /// transaction.
    <T> T change(CommandCall call, Function<TreeEditor, T> work) {
        lock.lock();
        try {
            settle();
            checkPrerequisites(call);
            Optional<MasterTransaction> transaction =
                    transactionId(call).map(transactions::require);
            for (int attempt = 1; ; attempt++) {
                try {
                    return transaction.isPresent()
                            ? changeWithin(call, transaction.get(), work)
                            : changeNow(call, work);
                } catch (StatusException e) {
                    // A client of YDB has changed the tree in the meantime.
                    if (e.status() != Status.ABORTED) {
                        throw e;
                    }
                    if (attempt == MAX_ATTEMPTS) {
                        throw TreeErrors.of(e);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private <T> T changeNow(CommandCall call, Function<TreeEditor, T> work) {
        var editor = new TreeEditor(this, call.caller(), null);
        boolean done = false;
        try {
            T result = work.apply(editor);
            tree.commit(editor.changes());
            done = true;
            tree.configure(editor.changes());
            return result;
        } catch (StatusException e) {
            throw e.status() == Status.PRECONDITION_FAILED ? TreeErrors.of(e) : e;
        } finally {
            if (!done) {
                editor.hiddenTables().forEach(tables::drop);
            }
        }
    }

    @GuardedBy("lock")
    private <T> T changeWithin(
            CommandCall call, MasterTransaction transaction, Function<TreeEditor, T> work) {
        var editor = new TreeEditor(this, call.caller(), transaction);
        boolean done = false;
        try {
            T result = work.apply(editor);
            transactions.add(transaction, editor.changes(), editor.locks().taken());
            transaction.hiddenTables().addAll(editor.hiddenTables());
            done = true;
            return result;
        } finally {
            if (!done) {
                editor.hiddenTables().forEach(tables::drop);
            }
        }
    }

    /// Checks the prerequisites of a call, for commands on transactions. Throws if one does not
    /// hold.
    void requirePrerequisites(CommandCall call) {
        lock.lock();
        try {
            checkPrerequisites(call);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void checkPrerequisites(CommandCall call) {
        CommandParameters parameters = call.parameters();
        for (YsonNode each : items(parameters, "prerequisite_transaction_ids")) {
            String text = each.string().orElse("");
            if (ObjectId.parse(text).flatMap(transactions::find).isEmpty()) {
                throw new YtException(
                        TreeErrors.PREREQUISITE_CHECK_FAILED,
                        "Prerequisite check failed: transaction %s is missing".formatted(text));
            }
        }
        for (YsonNode each : items(parameters, "prerequisite_revisions")) {
            TreeReader reader = reader(tree.view());
            String text = each.member("path").flatMap(YsonNode::string).orElse("");
            TreeNode node = reader.require(YPath.parse(text), TreeReader.Method.GET);
            long found = number(attributes(reader, null).find(node, "revision").orElseThrow());
            long expected = each.member("revision").map(TreeService::number).orElse(0L);
            if (found != expected) {
                throw new YtException(
                        TreeErrors.PREREQUISITE_CHECK_FAILED,
                        "Prerequisite check failed: node %s revision mismatch: expected %d, found %d"
                                .formatted(text, expected, found));
            }
        }
    }

    private static long number(YsonNode node) {
        return switch (node.bare()) {
            case YsonNode.Int64(long value) -> value;
            case YsonNode.Uint64(long value) -> value;
            default -> throw TreeErrors.generic("A revision must be a number");
        };
    }

    static List<YsonNode> items(CommandParameters parameters, String name) {
        return parameters.find(name).map(YsonNode::bare).orElse(YsonNode.list())
                        instanceof YsonNode.Items(List<YsonNode> found)
                ? found
                : List.of();
    }

    /// Aborts the transactions that were not pinged in time, and grants the pending locks that can
    /// now be taken.
    @GuardedBy("lock")
    private void settle() {
        transactions.expire();
        for (NodeLock waiting : locks.pending()) {
            try {
                var editor = new TreeEditor(this, Caller.IN_PROCESS, waiting.transaction());
                Optional<TreeNode> node = editor.reader().find(waiting.nodeId());
                if (node.isEmpty()) {
                    locks.cancel(waiting);
                } else if (editor.locks().canTake(node.get(), waiting.request())) {
                    locks.grant(waiting);
                }
            } catch (StatusException e) {
                // A client of YDB has changed the same nodes as the transaction, so its commit will
                // fail.
                locks.cancel(waiting);
            }
        }
    }

    /// The objects in `//sys/locks`.
    private record LocksOf(TreeService service) implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.LOCK_MAP;
        }

        @Override
        public Collection<String> keys() {
            return service.transactions(_ -> service.locks().ids()).stream()
                    .map(ObjectId::text)
                    .toList();
        }

        @Override
        public Optional<SystemObject> find(String key) {
            return ObjectId.parse(key)
                    .flatMap(
                            id ->
                                    service.transactions(
                                            _ -> service.locks().find(id).map(service::shown)));
        }
    }

    private SystemObject shown(NodeLock each) {
        return new LockObject(each, locks().isPending(each)).object();
    }

    /// Aborts the transactions that were not pinged in time. Every call that names a transaction or
    /// changes the tree does this, too. This method is for a server that gets no calls, and does
    /// not wait for one: a command may hold the lock while it waits for tables.
    public void expire() {
        if (lock.tryLock()) {
            try {
                settle();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Runs `work` on the open transactions, after the expired ones were aborted. No transaction
    /// expires during a command that changes the tree.
    <T> T transactions(Function<MasterTransactions, T> work) {
        lock.lock();
        try {
            if (lock.getHoldCount() == 1) {
                settle();
            }
            return work.apply(transactions);
        } finally {
            lock.unlock();
        }
    }

    private List<SystemObject> transactionObjects() {
        return transactions(
                all -> {
                    List<SystemObject> objects = new ArrayList<>();
                    all.open().forEach(each -> objects.add(object(all, each)));
                    return objects;
                });
    }

    private SystemObject object(MasterTransactions all, MasterTransaction transaction) {
        MasterTransaction parent = transaction.parent();
        List<NodeLock> held = all.locks(transaction);
        SystemObject.Builder object =
                SystemObject.of(
                                transaction.id(),
                                transaction.id().type().orElse(ObjectType.TRANSACTION))
                        .with("state", YsonNode.text("active"))
                        .with("owner", YsonNode.text(transaction.owner()))
                        .with("timeout", YsonNode.of(transaction.timeoutMillis()))
                        .with("start_time", YsonNode.text(Times.text(transaction.startMicros())))
                        .with(
                                "last_ping_time",
                                YsonNode.text(Times.text(transaction.lastPingMicros())))
                        .with(
                                "parent_id",
                                YsonNode.text(
                                        parent == null ? ObjectId.NULL.text() : parent.id().text()))
                        .with(
                                "nested_transaction_ids",
                                YsonNode.texts(
                                        transaction.nested().stream()
                                                .map(each -> each.id().text())
                                                .toList()))
                        .with(
                                "lock_ids",
                                YsonNode.texts(
                                        held.stream().map(each -> each.id().text()).toList()))
                        .with(
                                "locked_node_ids",
                                YsonNode.texts(
                                        held.stream()
                                                .map(each -> each.nodeId().text())
                                                .distinct()
                                                .toList()));
        for (var member : transaction.attributes().members().entrySet()) {
            object.with(member.getKey().utf8(), member.getValue());
        }
        return object.build();
    }
}
