package io.cleave.tablet.record;

import io.cleave.base.Bytes;
import io.cleave.base.LittleEndian;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.LockGroups;

/// Finds out which lock groups of a row a change has written. A change that replaces or erases the
/// row has written all of them. Pure.
public final class WrittenGroups {
    private WrittenGroups() {}

    /// The groups that an encoded [RowChange] writes.
    public static long of(Bytes change, LockGroups groups) {
        if (groups.areOne() || RowChange.kind(change) != RowChange.Kind.UPSERT) {
            return LockGroups.PRIMARY;
        }
        byte[] data = change.array();
        int at = 1;
        int fields = LittleEndian.getVarInt(data, at);
        at += LittleEndian.varIntBytes(fields);
        int column = 0;
        long written = 0;
        for (int field = 0; field < fields; field++) {
            int step = LittleEndian.getVarInt(data, at);
            at += LittleEndian.varIntBytes(step);
            int size = LittleEndian.getVarInt(data, at);
            at += LittleEndian.varIntBytes(size);
            column += step;
            written |= groups.ofColumn(column);
        }
        return written == 0 ? LockGroups.PRIMARY : written;
    }

    /// The groups that a stored version has written. `fields` has the fields of this version only.
    public static long of(RowChange.Kind kind, Row fields, LockGroups groups) {
        if (groups.areOne() || kind != RowChange.Kind.UPSERT) {
            return LockGroups.PRIMARY;
        }
        long written = 0;
        for (int field = 0; field < fields.count; field++) {
            written |= groups.ofColumn(fields.columns[field]);
        }
        return written == 0 ? LockGroups.PRIMARY : written;
    }
}
