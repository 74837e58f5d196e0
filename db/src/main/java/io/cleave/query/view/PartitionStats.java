package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;
import static io.cleave.query.view.ViewColumn.unmeasured;

import io.cleave.cluster.Replicas;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Table;
import io.cleave.schema.TabletTraffic;
import io.cleave.tree.Scheme;
import io.cleave.ttl.TtlRuns;
import io.cleave.ttl.TtlRuns.TabletRun;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// The system view `.sys/partition_stats`: one row for each tablet of each table, and for each
/// replica.
final class PartitionStats implements SmallView {
    static final String NAME = "partition_stats";

    /// Tables of users have ids from 1 on.
    static final long TABLE_ID = -1;

    /// In YDB, the id of the component that owns paths. Tools only pass it back.
    private static final long OWNER_ID = 1;

    private record Row(
            Table table,
            int index,
            int replica,
            TabletInfo tablet,
            int nodeId,
            Optional<TabletRun> ttl) {
        TabletTraffic traffic() {
            return tablet.traffic();
        }
    }

    private static final List<ViewColumn<Row>> COLUMNS =
            List.of(
                    number("OwnerId", _ -> OWNER_ID),
                    number("PathId", row -> row.table.id()),
                    number("PartIdx", Row::index),
                    new ViewColumn<>(
                            "FollowerId", Primitive.UINT32, row -> Value.of((long) row.replica)),
                    number("DataSize", row -> row.tablet.bytes()),
                    number("RowCount", row -> row.tablet.rows()),
                    unmeasured("IndexSize", Primitive.UINT64),
                    new ViewColumn<>(
                            "CPUCores",
                            Primitive.DOUBLE,
                            row -> Value.of(row.tablet.load().cpuCores())),
                    number("TabletId", row -> row.tablet.tabletId()),
                    text("Path", row -> row.table.path()),
                    new ViewColumn<>(
                            "NodeId", Primitive.UINT32, row -> Value.of((long) row.nodeId)),
                    time("StartTime", row -> row.traffic().startedMicros()),
                    time("AccessTime", row -> row.traffic().lastAccessMicros()),
                    time("UpdateTime", row -> row.traffic().lastUpdateMicros()),
                    number("RowReads", row -> row.traffic().rowReads()),
                    number("RowUpdates", row -> row.traffic().rowUpdates()),
                    number("RowDeletes", row -> row.traffic().rowDeletes()),
                    number("RangeReads", row -> row.traffic().rangeReads()),
                    number("RangeReadRows", row -> row.traffic().rangeReadRows()),
                    number("InFlightTxCount", row -> row.traffic().transactions().inFlight()),
                    number("ImmediateTxCompleted", row -> row.traffic().transactions().immediate()),
                    number(
                            "CoordinatedTxCompleted",
                            row -> row.traffic().transactions().coordinated()),
                    number("TxRejectedByOverload", row -> row.traffic().transactions().rejected()),
                    // A full disk stops the log and with it the node.
                    number("TxRejectedByOutOfStorage", _ -> 0),
                    ofTtl("LastTtlRunTime", Primitive.TIMESTAMP, TabletRun::endedMicros),
                    ofTtl("LastTtlRowsProcessed", Primitive.UINT64, TabletRun::processed),
                    ofTtl("LastTtlRowsErased", Primitive.UINT64, TabletRun::erased),
                    number("LocksAcquired", row -> row.traffic().locks().acquired()),
                    number("LocksWholeShard", row -> row.traffic().locks().ofAll()),
                    number("LocksBroken", row -> row.traffic().locks().broken()),
                    number("PinnedBytes", row -> row.tablet.storage().pinnedBytes()));

    private static final int KEY_COLUMNS = 4;

    private final Scheme scheme;
    private final int nodeId;
    private final Optional<TtlRuns> ttlRuns;
    private final Table table;

    PartitionStats(Scheme scheme, int nodeId, Optional<TtlRuns> ttlRuns) {
        this.scheme = scheme;
        this.ttlRuns = ttlRuns;
        this.nodeId = nodeId;
        this.table =
                ViewColumn.table(
                        TABLE_ID,
                        scheme.database() + "/" + SystemViews.DIRECTORY + "/" + NAME,
                        COLUMNS,
                        KEY_COLUMNS);
    }

    /// NULL if no TTL run has processed the tablet yet.
    private static ViewColumn<Row> ofTtl(
            String name, Primitive type, ToLongFunction<TabletRun> figure) {
        return new ViewColumn<>(
                name,
                type,
                row ->
                        row.ttl
                                .map(run -> Value.of(figure.applyAsLong(run)))
                                .orElse(Value.Null.NULL));
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        List<Value[]> rows = new ArrayList<>();
        SystemView.tabletsOf(scheme).forEach((shown, tablets) -> add(shown, tablets, rows));
        return rows;
    }

    private void add(Table shown, List<TabletInfo> tablets, List<Value[]> rows) {
        Map<Long, Integer> indexes = new HashMap<>();
        for (TabletInfo tablet : tablets) {
            int index = indexes.size();
            indexes.put(tablet.tabletId(), index);
            Optional<TabletRun> ttl =
                    ttlRuns.flatMap(runs -> runs.tablet(shown.id(), tablet.tabletId()));
            rows.add(ViewColumn.row(COLUMNS, new Row(shown, index, 0, tablet, nodeId, ttl)));
        }
        for (Replicas.Copy copy : scheme.replicaCopies(shown)) {
            // The replica's tablet may have been split or moved by the leader; then it has no
            // index.
            Integer index = indexes.get(copy.tablet().tabletId());
            if (index != null) {
                var row =
                        new Row(
                                shown,
                                index,
                                copy.number(),
                                copy.tablet(),
                                nodeId,
                                Optional.empty());
                rows.add(ViewColumn.row(COLUMNS, row));
            }
        }
    }
}
