package io.cleave.node;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.codec.RowReader;
import io.cleave.lsm.row.ChangeCursor;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Tablet;
import io.cleave.txn.ReadColumns;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The rows of a table at one timestamp, from tablets that nobody changes.
final class ImageRows {
    private final TreeMap<Bytes, Tablet> tablets = new TreeMap<>();
    private final RowReader reader;
    private final long snapshot;

    /// The tablets must contain every key exactly once.
    ImageRows(Collection<Tablet> tablets, ReadColumns columns, long snapshot) {
        tablets.forEach(tablet -> this.tablets.put(tablet.range().from(), tablet));
        reader = columns.newReader();
        this.snapshot = snapshot;
    }

    interface Visitor {
        void row(Bytes key, Value[] values);
    }

    void each(Visitor visitor) {
        for (Tablet tablet : tablets.values()) {
            RowCursor rows =
                    tablet.scan(KeyRange.ALL, reader.stored(), snapshot, Direction.FORWARD, null);
            while (rows.next()) {
                visitor.row(rows.row().key(), reader.read(rows.row()));
            }
        }
    }

    Value @Nullable [] get(Bytes key) {
        Row row = tablets.floorEntry(key).getValue().get(key, reader.stored(), snapshot, null);
        return row == null ? null : reader.read(row);
    }

    /// The keys written after `moment`. Stops when there are more than `most`.
    Set<Bytes> changedSince(long moment, int most) {
        Set<Bytes> keys = new TreeSet<>();
        for (Tablet tablet : tablets.values()) {
            ChangeCursor changes = tablet.changes(KeyRange.ALL, moment, snapshot);
            while (keys.size() <= most && changes.next()) {
                keys.add(changes.key());
            }
        }
        return keys;
    }
}
