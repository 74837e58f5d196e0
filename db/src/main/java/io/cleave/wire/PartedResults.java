package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.ResultSet;

import java.util.List;

/// Cuts result sets into parts for calls with many replies. The last part is held back until
/// [#finish], so that what is known only at the end can go with it.
final class PartedResults implements Results {
    static final long DEFAULT_PART_BYTES = 1 << 20;

    /// Where parts go.
    interface Parts {
        void part(String txId, int resultIndex, ResultSet part);
    }

    private final Parts parts;
    private final long partBytes;
    private final long partRows;
    private final boolean columnsInEachPart;
    private List<ValueProtos.Column> columns = List.of();
    private Type[] types = new Type[0];
    private String txId = "";

    private ResultSet.@Nullable Builder building;
    private long buildingBytes;
    private int buildingIndex;
    private boolean firstOfSet;

    PartedResults(Parts parts, long partBytes, boolean columnsInEachPart) {
        this(parts, partBytes, Long.MAX_VALUE, columnsInEachPart);
    }

    PartedResults(Parts parts, long partBytes, long partRows, boolean columnsInEachPart) {
        this.parts = parts;
        this.partBytes = partBytes;
        this.partRows = partRows;
        this.columnsInEachPart = columnsInEachPart;
    }

    String txId() {
        return txId;
    }

    @Override
    public void transaction(String id) {
        txId = id;
    }

    @Override
    public void begin(int resultIndex, ResultShape shape) {
        flush();
        columns = ResultSets.columns(shape);
        types = ResultSets.types(shape);
        firstOfSet = true;
        startPart(resultIndex);
    }

    @Override
    public void row(int resultIndex, Value[] row) {
        ValueProtos.Value proto = ResultSets.row(types, row);
        if (isFull(proto.getSerializedSize())) {
            flush();
            startPart(resultIndex);
        }
        if (building != null) {
            building.addRows(proto);
        }
        buildingBytes += proto.getSerializedSize();
    }

    private boolean isFull(int rowBytes) {
        if (building == null || building.getRowsCount() == 0) {
            return false;
        }
        return buildingBytes + rowBytes > partBytes || building.getRowsCount() >= partRows;
    }

    @Override
    public void end(int resultIndex, boolean truncated) {
        if (building != null) {
            building.setTruncated(truncated);
        }
    }

    /// The part that was held back; null when there was no result set.
    @Nullable ResultSet finish() {
        ResultSet last = building == null ? null : building.build();
        building = null;
        return last;
    }

    int lastIndex() {
        return buildingIndex;
    }

    private void startPart(int resultIndex) {
        building = ResultSet.newBuilder();
        if (firstOfSet || columnsInEachPart) {
            building.addAllColumns(columns);
        }
        firstOfSet = false;
        buildingBytes = 0;
        buildingIndex = resultIndex;
    }

    private void flush() {
        if (building != null) {
            parts.part(txId, buildingIndex, building.build());
            building = null;
        }
    }
}
