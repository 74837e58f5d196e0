package io.cleave.query;

import static io.cleave.query.ViewColumn.number;
import static io.cleave.query.ViewColumn.text;
import static io.cleave.query.ViewColumn.time;

import io.cleave.cluster.Replicas;
import io.cleave.cluster.Scheme;
import io.cleave.schema.Table;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.ToLongFunction;

/// The system view `.sys/read_replicas`: a row for each read replica of a cell, with how far it is
/// behind the leader.
final class ReplicaView implements SystemView {
    private static final String NAME = "read_replicas";

    private static final long TABLE_ID = -60;

    private static final int KEY_COLUMNS = 2;

    private static final List<ViewColumn<Replicas.Info>> COLUMNS =
            List.of(
                    number("CellId", info -> info.replica().cellId()),
                    new ViewColumn<>(
                            "FollowerId",
                            Primitive.UINT32,
                            info -> Value.of((long) info.replica().number())),
                    text("AZ", Replicas.Info::zone),
                    time("AppliedTime", info -> info.replica().reachedMicros()),
                    span("Lag", info -> info.replica().behindMicros()),
                    span("LagP50", info -> info.replica().halfLagMicros()),
                    span("LagP99", info -> info.replica().highLagMicros()),
                    number("RecordsApplied", info -> info.replica().appliedRecords()),
                    number("RecordsWaiting", info -> info.replica().waitingRecords()),
                    number("Reads", info -> info.replica().reads()),
                    number("Restarts", info -> info.replica().restarts()),
                    number("Tablets", info -> info.replica().tablets()),
                    number("MemtableBytes", info -> info.replica().memtableBytes()));

    private final Table table;
    private final Scheme scheme;

    ReplicaView(String directory, Scheme scheme) {
        this.scheme = scheme;
        table = ViewColumn.table(TABLE_ID, directory + "/" + NAME, COLUMNS, KEY_COLUMNS);
    }

    private static ViewColumn<Replicas.Info> span(
            String name, ToLongFunction<Replicas.Info> micros) {
        return new ViewColumn<>(
                name, Primitive.INTERVAL, info -> Value.of(micros.applyAsLong(info)));
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        return scheme.replicaInfos().stream().map(info -> ViewColumn.row(COLUMNS, info)).toList();
    }
}
