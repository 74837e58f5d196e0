package io.cleave.query;

import io.cleave.cluster.PathEntry;
import io.cleave.cluster.Scheme;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The system view `.sys/partition_stats`: a row for each tablet of each table.
final class PartitionStats {
    static final String NAME = "partition_stats";

    /// Tables of users have ids from 1.
    static final long TABLE_ID = -1;

    /// The id of the part that owns paths; YDB's tools only hand it back.
    private static final long OWNER_ID = 1;

    /// What a column shows of one tablet.
    private interface Field {
        Value of(Row row);
    }

    private record Row(Table table, int index, TabletInfo tablet, int nodeId) {
        TabletInfo.Traffic traffic() {
            return tablet.traffic();
        }
    }

    private record Shown(String name, Type type, Field field) {}

    private static final Value ZERO = Value.of(0L);

    private static final List<Shown> COLUMNS =
            List.of(
                    number("OwnerId", _ -> OWNER_ID),
                    number("PathId", row -> row.table.id()),
                    number("PartIdx", Row::index),
                    new Shown("FollowerId", Primitive.UINT32, _ -> ZERO),
                    number("DataSize", row -> row.tablet.bytes()),
                    number("RowCount", row -> row.tablet.rows()),
                    unmeasured("IndexSize", Primitive.UINT64),
                    unmeasured("CPUCores", Primitive.DOUBLE),
                    number("TabletId", row -> row.tablet.tabletId()),
                    new Shown("Path", Primitive.UTF8, row -> Value.text(row.table.path())),
                    new Shown("NodeId", Primitive.UINT32, row -> Value.of((long) row.nodeId)),
                    time("StartTime", row -> row.tablet.startedMicros()),
                    time("AccessTime", row -> row.traffic().lastAccessMicros()),
                    time("UpdateTime", row -> row.traffic().lastUpdateMicros()),
                    number("RowReads", row -> row.traffic().rowReads()),
                    number("RowUpdates", row -> row.traffic().rowUpdates()),
                    number("RowDeletes", row -> row.traffic().rowDeletes()),
                    number("RangeReads", row -> row.traffic().rangeReads()),
                    number("RangeReadRows", row -> row.traffic().rangeReadRows()),
                    unmeasured("InFlightTxCount", Primitive.UINT64),
                    unmeasured("ImmediateTxCompleted", Primitive.UINT64),
                    unmeasured("CoordinatedTxCompleted", Primitive.UINT64),
                    unmeasured("TxRejectedByOverload", Primitive.UINT64),
                    unmeasured("TxRejectedByOutOfStorage", Primitive.UINT64),
                    unmeasured("LastTtlRunTime", Primitive.TIMESTAMP),
                    unmeasured("LastTtlRowsProcessed", Primitive.UINT64),
                    unmeasured("LastTtlRowsErased", Primitive.UINT64),
                    number("LocksAcquired", row -> row.traffic().locksAcquired()),
                    unmeasured("LocksWholeShard", Primitive.UINT64),
                    number("LocksBroken", row -> row.traffic().locksBroken()));

    private static final int KEY_COLUMNS = 4;

    private final Scheme scheme;
    private final int nodeId;
    private final Table table;

    PartitionStats(Scheme scheme, int nodeId) {
        this.scheme = scheme;
        this.nodeId = nodeId;
        List<Column> columns = new ArrayList<>();
        for (Shown shown : COLUMNS) {
            columns.add(
                    new Column(
                            columns.size() + 1,
                            shown.name,
                            shown.type,
                            false,
                            Column.DEFAULT_FAMILY,
                            Optional.empty()));
        }
        this.table =
                new Table(
                        TABLE_ID,
                        1,
                        scheme.database() + "/" + SystemViews.DIRECTORY + "/" + NAME,
                        columns,
                        List.of(0, 1, 2, 3),
                        columns.size() + 1,
                        List.of(ColumnFamily.DEFAULT),
                        TableOptions.DEFAULT,
                        Map.of(),
                        0);
    }

    Table table() {
        return table;
    }

    List<Type> keyTypes() {
        return COLUMNS.stream().limit(KEY_COLUMNS).map(Shown::type).toList();
    }

    /// All rows as they are now, whole and in no order.
    List<Value[]> rows() {
        List<Value[]> rows = new ArrayList<>();
        addBelow(scheme.database(), rows);
        return rows;
    }

    private void addBelow(String directory, List<Value[]> rows) {
        for (PathEntry entry : scheme.list(directory)) {
            switch (entry.kind()) {
                case DATABASE, DIRECTORY -> addBelow(entry.path(), rows);
                case TABLE -> scheme.find(entry.path()).ifPresent(t -> addTablets(t, rows));
                case SYSTEM_VIEW -> {}
            }
        }
    }

    private void addTablets(Table shown, List<Value[]> rows) {
        int index = 0;
        for (TabletInfo tablet : scheme.tablets(shown)) {
            Row row = new Row(shown, index++, tablet, nodeId);
            rows.add(COLUMNS.stream().map(c -> c.field.of(row)).toArray(Value[]::new));
        }
    }

    private interface Count {
        long of(Row row);
    }

    private static Shown number(String name, Count count) {
        return new Shown(name, Primitive.UINT64, row -> Value.of(count.of(row)));
    }

    /// NULL: nothing is known, which is not the same as 0.
    private static Shown unmeasured(String name, Type type) {
        return new Shown(name, type, _ -> Value.Null.NULL);
    }

    /// NULL for what has not happened yet.
    private static Shown time(String name, Count micros) {
        return new Shown(
                name,
                Primitive.TIMESTAMP,
                row -> micros.of(row) == 0 ? Value.Null.NULL : Value.of(micros.of(row)));
    }
}
