package io.cleave.yt.tree;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// The tree of YTsaurus' clients: reads take a view, and changes are made one command at a time.
/// The transactions and their locks are here.
///
/// Threads: any.
public final class TreeService {
    private static final int MAX_ATTEMPTS = 5;

    private final CypressTree tree;
    private final TableNodes tables;
    private final CellBundles bundles;
    private final SystemObjects objects;
    private final SystemDirectory system;

    /// Held by each command that changes the tree, and by whoever looks at transactions.
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final NodeLocks locks = new NodeLocks();

    @GuardedBy("lock")
    private final MasterTransactions transactions;

    public TreeService(CypressTree tree, TableNodes tables, CellBundles bundles) {
        this.tree = tree;
        this.tables = tables;
        this.bundles = bundles;
        objects = new SystemObjects(tree);
        transactions = new MasterTransactions(tree, tables, locks);
        system = objects.directory(tables, this::transactionObjects);
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

    /// The caller holds the lock: it is a command that changes the tree.
    @SuppressWarnings("GuardedBy")
    NodeLocks locks() {
        return locks;
    }

    TreeReader reader(CatalogView view) {
        return new TreeReader(view, tree.database(), system);
    }

    NodeAttributes attributes(TreeReader reader, @Nullable MasterTransaction transaction) {
        return new NodeAttributes(
                reader,
                tables,
                new NodeAttributes.TreeLocksView() {
                    @Override
                    public List<NodeLock> of(ObjectId nodeId) {
                        return transactions(_ -> List.copyOf(locks().of(nodeId)));
                    }

                    @Override
                    public LockMode mode(ObjectId nodeId) {
                        return of(nodeId).stream()
                                .filter(each -> each.transaction() == transaction)
                                .map(each -> each.request().mode())
                                .max(LockMode::compareTo)
                                .orElse(LockMode.NONE);
                    }
                });
    }

    // ---- for other packages

    /// The table at a path. Links are followed. Throws if there is none.
    public io.cleave.schema.Table table(CommandCall call, YsonNode path) {
        YPath parsed = YPath.parse(RichPath.of(path).path());
        return read(
                call,
                session -> {
                    TreeNode node = session.reader().require(parsed, TreeReader.Method.GET);
                    return node.table()
                            .orElseThrow(
                                    () ->
                                            new YtException(
                                                    YtCodes.GENERIC,
                                                    "Invalid type of %s: expected \"table\", actual \"%s\""
                                                            .formatted(
                                                                    parsed.text(),
                                                                    node.type().text())));
                });
    }

    /// A path of the catalog as clients of YTsaurus write it.
    public String show(String path) {
        return reader(tree.view()).show(path);
    }

    // ---- reading

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

    /// The master transaction of a call. A tablet transaction changes no node, and sees the tree as
    /// everyone does.
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

    // ---- changing

    /// Runs a command that changes the tree: at once, or as a part of its transaction.
    <T> T change(CommandCall call, Function<TreeEditor, T> work) {
        lock.lock();
        try {
            transactions.expire();
            checkPrerequisites(call);
            Optional<MasterTransaction> transaction =
                    transactionId(call).map(transactions::require);
            for (int attempt = 1; ; attempt++) {
                try {
                    return transaction.isPresent()
                            ? changeWithin(call, transaction.get(), work)
                            : changeNow(call, work);
                } catch (StatusException e) {
                    // A client of YDB has changed the tree meanwhile.
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
            editor.afterCommit().forEach(Runnable::run);
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
            transactions.checkRoom(editor.changes().size());
            transaction.changes().addAll(editor.changes());
            transaction.afterCommit().addAll(editor.afterCommit());
            transaction.hiddenTables().addAll(editor.hiddenTables());
            editor.taken().forEach(locks::add);
            done = true;
            return result;
        } finally {
            if (!done) {
                editor.hiddenTables().forEach(tables::drop);
            }
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

    // ---- transactions

    /// Work on the open transactions, after those have ended that nobody pinged.
    <T> T transactions(Function<MasterTransactions, T> work) {
        lock.lock();
        try {
            transactions.expire();
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
        SystemObject object =
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
            object = object.with(member.getKey().utf8(), member.getValue());
        }
        return object;
    }
}
