package io.cleave.txn;

import io.cleave.base.Direction;
import io.cleave.cluster.Tablets;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

/// All tables at one moment. The moment is kept until the snapshot is closed, without a time limit.
///
/// Threads: one at a time.
public final class Snapshot implements AutoCloseable {
    private final Tablets cluster;
    private final RowCodecs codecs;
    private final long timestamp;

    Snapshot(Tablets cluster, RowCodecs codecs) {
        this.cluster = cluster;
        this.codecs = codecs;
        timestamp = cluster.timeline().take();
    }

    public long timestamp() {
        return timestamp;
    }

    /// The rows of the range in key order.
    public RowStream scan(KeyRange range, ReadColumns columns) {
        Table table = columns.table();
        return new MergedStream(
                new ScanRequest(
                        range, columns, columns.reader(codecs), timestamp, Direction.FORWARD),
                null,
                cluster.map(table).find(range),
                null,
                () -> {});
    }

    @Override
    public void close() {
        cluster.timeline().release(timestamp);
    }
}
