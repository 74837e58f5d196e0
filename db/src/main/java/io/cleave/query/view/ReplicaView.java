package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.span;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.schema.ReplicaInfo;
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

    private static final List<ViewColumn<ReplicaInfo>> COLUMNS =
            List.of(
                    number("CellId", ReplicaInfo::cellId),
                    new ViewColumn<>(
                            "FollowerId", Primitive.UINT32, info -> Value.of((long) info.number())),
                    text("AZ", ReplicaInfo::zone),
                    time("AppliedTime", ReplicaInfo::reachedMicros),
                    span("Lag", ReplicaInfo::behindMicros),
                    span("LagP50", ReplicaInfo::halfLagMicros),
                    span("LagP99", ReplicaInfo::highLagMicros),
                    number("RecordsApplied", ReplicaInfo::appliedRecords),
                    number("RecordsWaiting", ReplicaInfo::waitingRecords),
                    number("Reads", ReplicaInfo::reads),
                    number("Restarts", ReplicaInfo::restarts),
                    number("Tablets", ReplicaInfo::tablets),
                    number("MemtableBytes", ReplicaInfo::memtableBytes));

    private ReplicaView() {}

    static SystemView of(String directory, Scheme scheme) {
        return ListedView.of(
                TABLE_ID, directory + "/" + NAME, COLUMNS, KEY_COLUMNS, scheme::replicaInfos);
    }
}
