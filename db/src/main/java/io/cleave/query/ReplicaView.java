package io.cleave.query;

import static io.cleave.query.ViewColumn.number;
import static io.cleave.query.ViewColumn.span;
import static io.cleave.query.ViewColumn.text;
import static io.cleave.query.ViewColumn.time;

import io.cleave.cluster.Replicas;
import io.cleave.tree.Scheme;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// The system view `.sys/read_replicas`: one row for each read replica of a cell, with its lag
/// behind the leader.
final class ReplicaView {
    private static final String NAME = "read_replicas";

    private static final long TABLE_ID = -60;

    private static final int KEY_COLUMNS = 2;

    private static final List<ViewColumn<Replicas.Info>> COLUMNS =
            List.of(
                    number("CellId", Replicas.Info::cellId),
                    new ViewColumn<>(
                            "FollowerId", Primitive.UINT32, info -> Value.of((long) info.number())),
                    text("AZ", Replicas.Info::zone),
                    time("AppliedTime", Replicas.Info::reachedMicros),
                    span("Lag", Replicas.Info::behindMicros),
                    span("LagP50", Replicas.Info::halfLagMicros),
                    span("LagP99", Replicas.Info::highLagMicros),
                    number("RecordsApplied", Replicas.Info::appliedRecords),
                    number("RecordsWaiting", Replicas.Info::waitingRecords),
                    number("Reads", Replicas.Info::reads),
                    number("Restarts", Replicas.Info::restarts),
                    number("Tablets", Replicas.Info::tablets),
                    number("MemtableBytes", Replicas.Info::memtableBytes));

    private ReplicaView() {}

    static SystemView of(String directory, Scheme scheme) {
        return ListedView.of(
                TABLE_ID, directory + "/" + NAME, COLUMNS, KEY_COLUMNS, scheme::replicaInfos);
    }
}
