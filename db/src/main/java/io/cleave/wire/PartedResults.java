package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// Cuts result sets into parts for calls with many replies. The last part is held back until
/// [#finish], so that what is known only at the end can go with it.
final class PartedResults<S> implements Results {
    static final long DEFAULT_PART_BYTES = 1 << 20;

    /// Where parts go.
    interface Parts<S> {
        void part(String txId, int resultIndex, S part);
    }

    private final SetBuilder<S> sets;
    private final Parts<S> parts;
    private final long partBytes;
    private final long partRows;
    private final boolean columnsInEachPart;
    private String txId = "";

    private boolean building;
    private boolean truncated;
    private long buildingBytes;
    private long buildingRows;
    private int buildingIndex;

    PartedResults(SetBuilder<S> sets, Parts<S> parts, long partBytes, boolean columnsInEachPart) {
        this(sets, parts, partBytes, Long.MAX_VALUE, columnsInEachPart);
    }

    PartedResults(
            SetBuilder<S> sets,
            Parts<S> parts,
            long partBytes,
            long partRows,
            boolean columnsInEachPart) {
        this.sets = sets;
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
        sets.shape(shape);
        startPart(resultIndex, true);
    }

    @Override
    public void row(int resultIndex, Value[] row) {
        int rowBytes = sets.ready(row);
        if (isFull(rowBytes)) {
            flush();
            startPart(resultIndex, columnsInEachPart);
        }
        sets.add();
        buildingBytes += rowBytes;
        buildingRows++;
    }

    private boolean isFull(int rowBytes) {
        return buildingRows > 0
                && (buildingBytes + rowBytes > partBytes || buildingRows >= partRows);
    }

    @Override
    public void end(int resultIndex, boolean cut) {
        truncated = cut;
    }

    /// The part that was held back; null when there was no result set.
    @Nullable S finish() {
        if (!building) {
            return null;
        }
        building = false;
        return sets.build(truncated);
    }

    int lastIndex() {
        return buildingIndex;
    }

    private void startPart(int resultIndex, boolean withColumns) {
        sets.start(withColumns);
        building = true;
        truncated = false;
        buildingBytes = 0;
        buildingRows = 0;
        buildingIndex = resultIndex;
    }

    private void flush() {
        S part = finish();
        if (part != null) {
            parts.part(txId, buildingIndex, part);
        }
    }
}
