package io.cleave.yt.tree;

import io.cleave.catalog.CatalogView;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.tree.CypressChange;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A transaction of the tree. It keeps a list of its changes. Its view is the tree with these
/// changes.
///
/// Threads: the caller holds the lock of [TreeService].
final class MasterTransaction {
    private final ObjectId id;
    private final @Nullable MasterTransaction parent;
    private final String owner;
    private final long startMicros;
    private final long timeoutMillis;
    private YsonNode.Members attributes;
    private long lastPingMicros;

    /// The time of the last ping on the monotonic clock.
    private long lastPingNanos;

    private final Set<MasterTransaction> nested = new LinkedHashSet<>();
    private final List<CypressChange> changes = new ArrayList<>();

    /// What snapshot locks keep. It is only read.
    private final List<CypressChange> pinned = new ArrayList<>();

    /// Tables that the transaction has created or copied. They are dropped if it does not commit.
    private final List<Table> hiddenTables = new ArrayList<>();

    /// The bytes that it has taken from the memory of transactions.
    private long bytes;

    /// The cached view consists of `base` and the first `shown` changes.
    private @Nullable CatalogView base;

    private @Nullable CatalogView view;
    private int shown;

    MasterTransaction(
            ObjectId id,
            @Nullable MasterTransaction parent,
            String owner,
            long startMicros,
            long startNanos,
            long timeoutMillis,
            YsonNode.Members attributes) {
        this.id = id;
        this.parent = parent;
        this.owner = owner;
        this.startMicros = startMicros;
        this.timeoutMillis = timeoutMillis;
        this.attributes = attributes;
        lastPingMicros = startMicros;
        lastPingNanos = startNanos;
    }

    ObjectId id() {
        return id;
    }

    @Nullable MasterTransaction parent() {
        return parent;
    }

    String owner() {
        return owner;
    }

    long startMicros() {
        return startMicros;
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    long lastPingMicros() {
        return lastPingMicros;
    }

    void ping(long nowMicros, long nowNanos) {
        lastPingMicros = nowMicros;
        lastPingNanos = nowNanos;
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - lastPingNanos > timeoutMillis * 1_000_000;
    }

    YsonNode.Members attributes() {
        return attributes;
    }

    Set<MasterTransaction> nested() {
        return nested;
    }

    int depth() {
        return parent == null ? 0 : parent.depth() + 1;
    }

    /// Whether this transaction is `other` or is nested in it.
    boolean isWithin(MasterTransaction other) {
        return this == other || (parent != null && parent.isWithin(other));
    }

    List<CypressChange> changes() {
        return changes;
    }

    long bytes() {
        return bytes;
    }

    void took(long more) {
        bytes += more;
    }

    void pin(List<CypressChange> kept) {
        pinned.addAll(kept);
        base = null;
    }

    List<Table> hiddenTables() {
        return hiddenTables;
    }

    /// The tree as this transaction sees it. Throws ABORTED if a change of another client conflicts
    /// with the changes of this transaction.
    CatalogView view(CypressTree tree) {
        CatalogView below = parent == null ? tree.view() : parent.view(tree);
        CatalogView from = view;
        if (from == null || base != below) {
            from = tree.with(below, pinned);
            shown = 0;
            base = below;
        }
        if (shown < changes.size()) {
            from = tree.with(from, changes.subList(shown, changes.size()));
            shown = changes.size();
        }
        view = from;
        return from;
    }

    /// The changes of a table's settings by this transaction, or by those above it, in order.
    List<CypressChange.AlterTable> settings(ObjectId nodeId) {
        List<CypressChange.AlterTable> all =
                parent == null ? new ArrayList<>() : parent.settings(nodeId);
        for (CypressChange change : changes) {
            if (change instanceof CypressChange.AlterTable alter && alter.nodeId().equals(nodeId)) {
                all.add(alter);
            }
        }
        return all;
    }

    /// Takes over what a nested transaction has done.
    void absorb(MasterTransaction child) {
        bytes += child.bytes;
        changes.addAll(child.changes);
        hiddenTables.addAll(child.hiddenTables);
    }

    /// Describes this transaction in the errors of other clients.
    YsonNode description() {
        return YsonNode.map()
                .with("id", id.text())
                .with("start_time", Times.text(startMicros))
                .with("owner", owner)
                .with("timeout", timeoutMillis)
                .with("last_ping_time", Times.text(lastPingMicros))
                .withPresent("title", attributes.member("title"))
                .build();
    }
}
