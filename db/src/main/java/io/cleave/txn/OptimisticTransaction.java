package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.LocalCluster;
import io.cleave.cluster.TabletMap;
import io.cleave.lsm.Row;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CommitResult;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletWrites;
import io.cleave.tablet.TabletWrites.KeyedChange;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.CommitOutcome.Conflict;
import io.cleave.txn.CommitOutcome.Unknown;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A transaction on a snapshot, checked when it commits.
///
/// Serializable: every read leaves a lock, and a lock that another's commit has broken makes the
/// commit a conflict. With nothing written there is nothing to check: all reads were of one moment.
/// A table that was changed since the transaction wrote to it is a conflict too: the writes were
/// made for other columns.
final class OptimisticTransaction implements Transaction {
    private static final long NO_SNAPSHOT = -1;

    private final Isolation isolation;
    private final LocalCluster cluster;
    private final OptimisticTransactions codecs;
    private final ReadLocks locks = new ReadLocks();
    private final Effects.Budget budget = new Effects.Budget();

    /// By table id, in the order the tables were first written.
    private final Map<Long, Effects> effects = new LinkedHashMap<>();

    private long snapshot = NO_SNAPSHOT;
    private boolean ended;

    OptimisticTransaction(
            Isolation isolation, LocalCluster cluster, OptimisticTransactions codecs) {
        this.isolation = isolation;
        this.cluster = cluster;
        this.codecs = codecs;
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        Table table = columns.table();
        RowCodec codec = codecs.codec(table);
        Effects written = effects.get(table.id());
        Effect own = written == null ? null : written.get(key);
        Row row = null;
        if (own == null || own.keepsStored()) {
            long at = snapshot();
            Route route = locked(cluster.map(table).find(key), key);
            row = route.tablet().get(key, columns.stored(), at, readLocks());
        }
        return codec.read(key, row, own, columns);
    }

    @Override
    public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
        Table table = columns.table();
        return new MergedStream(
                codecs.codec(table),
                range,
                columns,
                snapshot(),
                direction,
                readLocks(),
                cluster.map(table).find(range),
                effects.get(table.id()));
    }

    @Override
    public void write(Table table, Bytes key, RowWrite write) {
        checkOpen();
        if (!isolation.writes()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "a transaction in mode " + isolation + " cannot write: " + table.path());
        }
        budget.add(key, write);
        effects.computeIfAbsent(table.id(), _ -> new Effects(codecs.codec(table))).add(key, write);
    }

    @Override
    public boolean hasWrites() {
        return !effects.isEmpty();
    }

    @Override
    public CommitOutcome commit() {
        checkOpen();
        try {
            return effects.isEmpty() ? new Committed(Math.max(snapshot, 0)) : commitEffects();
        } finally {
            end();
        }
    }

    @Override
    public void rollback() {
        end();
    }

    private CommitOutcome commitEffects() {
        for (Effects table : effects.values()) {
            Table used = table.codec().table();
            if (!cluster.find(used.path()).map(table.codec()::isFor).orElse(false)) {
                return new Conflict(used.path());
            }
        }
        Map<Cell, List<TabletWrites>> writes = writesByCell();
        if (writes.size() > 1) {
            throw new StatusException(
                    Status.UNSUPPORTED, "a transaction over tablets of several cells");
        }
        var only = writes.entrySet().iterator().next();
        Long writeSnapshot =
                isolation == Isolation.SNAPSHOT_READ_WRITE && snapshot != NO_SNAPSHOT
                        ? (Long) snapshot
                        : null;
        return switch (only.getKey().commit(only.getValue(), locks, writeSnapshot)) {
            case CommitResult.Done(long timestamp) -> new Committed(timestamp);
            case CommitResult.Broken(long tableId) -> new Conflict(path(tableId));
            // Dropped since: nothing was written, and running again will say which table is gone.
            case CommitResult.Gone _ -> new Conflict(firstPath());
            case CommitResult.Lost(String why) -> new Unknown(why);
        };
    }

    private Map<Cell, List<TabletWrites>> writesByCell() {
        Map<Cell, List<TabletWrites>> byCell = new LinkedHashMap<>();
        for (Effects table : effects.values()) {
            TabletMap map = cluster.map(table.codec().table());
            @Nullable Route route = null;
            List<KeyedChange> changes = new ArrayList<>();
            for (Map.Entry<Bytes, Effect> row : table.rows().entrySet()) {
                if (route == null || !route.tablet().range().contains(row.getKey())) {
                    addTo(byCell, route, changes);
                    changes = new ArrayList<>();
                    route = map.find(row.getKey());
                }
                changes.add(new KeyedChange(row.getKey(), table.codec().encode(row.getValue())));
            }
            addTo(byCell, route, changes);
        }
        return byCell;
    }

    private static void addTo(
            Map<Cell, List<TabletWrites>> byCell,
            @Nullable Route route,
            List<KeyedChange> changes) {
        if (route != null) {
            byCell.computeIfAbsent(route.cell(), _ -> new ArrayList<>())
                    .add(new TabletWrites(route.tablet().id(), changes));
        }
    }

    /// The route on which the key is locked, if it has to be.
    private Route locked(Route route, Bytes key) {
        ReadLocks owner = readLocks();
        Route at = route;
        while (owner != null && !at.tablet().lock(owner, key)) {
            at = at.find(key);
        }
        return at;
    }

    /// The path of a table this transaction has touched.
    private String path(long tableId) {
        Table table = codecs.table(tableId);
        return table == null ? firstPath() : table.path();
    }

    private String firstPath() {
        return effects.values().iterator().next().codec().table().path();
    }

    private @Nullable ReadLocks readLocks() {
        return isolation == Isolation.SERIALIZABLE ? locks : null;
    }

    private long snapshot() {
        checkOpen();
        if (snapshot == NO_SNAPSHOT) {
            snapshot = cluster.timeline().take();
        }
        return snapshot;
    }

    private void checkOpen() {
        if (ended) {
            throw new StatusException(Status.NOT_FOUND, "the transaction has ended");
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            locks.release();
            if (snapshot != NO_SNAPSHOT) {
                cluster.timeline().release(snapshot);
            }
        }
    }
}
