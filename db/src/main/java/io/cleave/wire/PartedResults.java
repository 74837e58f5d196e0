package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Value;
import io.cleave.wire.value.SetBuilder;

import org.jspecify.annotations.Nullable;

/// Cuts result sets into parts for calls with many replies. The last part is held back until
/// [#finish], so that it can carry what is known only at the end.
final class PartedResults<S> implements Results {
    static final long DEFAULT_PART_BYTES = 1 << 20;

    /// Receives the finished parts.
    interface Parts<S> {
        void part(String txId, int resultIndex, S part);
    }

    /// Decides when a part may begin and how large it may become.
    interface Room {
        /// Allows parts of any size at any time; for short answers.
        Room FOR_SHORT_ANSWERS =
                new Room() {
                    @Override
                    public long begin(long askedBytes) {
                        return askedBytes;
                    }

                    @Override
                    public boolean hasRoom(long bytes, boolean first) {
                        return true;
                    }
                };

        /// Waits until the client takes a part, and returns the part's maximum size.
        long begin(long askedBytes);

        /// Whether the part may grow to this size. For the `first` row of a part the call waits for
        /// memory instead of refusing.
        boolean hasRoom(long bytes, boolean first);
    }

    private final SetBuilder<S> sets;
    private final Parts<S> parts;
    private final Room room;
    private final long askedBytes;
    private final long partRows;
    private final boolean columnsInEachPart;
    private String txId = "";

    private boolean building;
    private boolean truncated;
    private long mostBytes;
    private long buildingBytes;
    private long buildingRows;
    private int buildingIndex;

    PartedResults(
            SetBuilder<S> sets,
            Parts<S> parts,
            Room room,
            long askedBytes,
            boolean columnsInEachPart) {
        this(sets, parts, room, askedBytes, Long.MAX_VALUE, columnsInEachPart);
    }

    PartedResults(
            SetBuilder<S> sets,
            Parts<S> parts,
            Room room,
            long askedBytes,
            long partRows,
            boolean columnsInEachPart) {
        this.sets = sets;
        this.parts = parts;
        this.room = room;
        this.askedBytes = askedBytes;
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
            room.hasRoom(rowBytes, true);
        }
        sets.add();
        buildingBytes += rowBytes;
        buildingRows++;
    }

    private boolean isFull(int rowBytes) {
        long bytes = buildingBytes + rowBytes;
        if (buildingRows == 0) {
            return !room.hasRoom(bytes, true);
        }
        return bytes > mostBytes || buildingRows >= partRows || !room.hasRoom(bytes, false);
    }

    @Override
    public void end(int resultIndex, boolean cut) {
        truncated = cut;
    }

    /// The part that was held back; null if there was no result set.
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
        mostBytes = room.begin(askedBytes);
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
