package io.cleave.query;

import static io.cleave.query.ViewColumn.number;
import static io.cleave.query.ViewColumn.text;
import static io.cleave.query.ViewColumn.time;
import static io.cleave.query.ViewColumn.unmeasured;

import io.cleave.cluster.Partitioner;
import io.cleave.cluster.TopTablets;
import io.cleave.cluster.TopTablets.Top;
import io.cleave.schema.Table;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The system views `.sys/top_partitions_one_minute` and `.sys/top_partitions_one_hour`: the
/// tablets that took most CPU time.
final class TopPartitions implements SystemView {
    private static final String PREFIX = "top_partitions_one_";
    private static final long HOUR_TABLE_ID = -31;
    private static final long MINUTE_TABLE_ID = -32;
    private static final int KEY_COLUMNS = 2;

    private final Table table;
    private final List<ViewColumn<Top>> columns;
    private final Optional<Partitioner> partitioner;
    private final Function<TopTablets, List<Top>> spans;

    private TopPartitions(
            long tableId,
            String path,
            int nodeId,
            Optional<Partitioner> partitioner,
            Function<TopTablets, List<Top>> spans) {
        columns = columns(nodeId);
        table = ViewColumn.table(tableId, path, columns, KEY_COLUMNS);
        this.partitioner = partitioner;
        this.spans = spans;
    }

    /// By name.
    static List<SystemView> all(String directory, int nodeId, Optional<Partitioner> partitioner) {
        String prefix = directory + "/" + PREFIX;
        return List.of(
                new TopPartitions(
                        HOUR_TABLE_ID, prefix + "hour", nodeId, partitioner, TopTablets::byHour),
                new TopPartitions(
                        MINUTE_TABLE_ID,
                        prefix + "minute",
                        nodeId,
                        partitioner,
                        TopTablets::byMinute));
    }

    private static List<ViewColumn<Top>> columns(int nodeId) {
        return List.of(
                time("IntervalEnd", Top::endMicros),
                new ViewColumn<>("Rank", Primitive.UINT32, top -> Value.of((long) top.rank())),
                number("TabletId", Top::tabletId),
                new ViewColumn<>("FollowerId", Primitive.UINT32, _ -> Value.of(0L)),
                text("Path", Top::path),
                time("PeakTime", Top::peakMicros),
                new ViewColumn<>("CPUCores", Primitive.DOUBLE, top -> Value.of(top.cores())),
                new ViewColumn<>("NodeId", Primitive.UINT32, _ -> Value.of((long) nodeId)),
                number("DataSize", Top::bytes),
                number("RowCount", Top::rows),
                unmeasured("IndexSize", Primitive.UINT64),
                unmeasured("InFlightTxCount", Primitive.UINT32));
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        return partitioner.map(Partitioner::tops).map(spans).orElse(List.of()).stream()
                .map(top -> ViewColumn.row(columns, top))
                .toList();
    }
}
