package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.Snapshot;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;

/// Keys that cut the rows of a range into parts of about equal size.
final class RowCuts {
    /// The keys of a range with at most this number of rows are read to find even cuts.
    private static final int COUNTED_ROWS = 10_000;

    private RowCuts() {}

    /// At most `count - 1` keys of rows in the range, ascending.
    static List<Bytes> of(YtTables tables, Table table, KeyRange range, int count) {
        List<Bytes> keys = new ArrayList<>();
        List<Type> types = table.key().stream().map(Column::type).toList();
        var columns = ReadColumns.of(table, table.keyColumns());
        try (Snapshot snapshot = tables.transactions().snapshot();
                RowStream rows = snapshot.scan(range, columns)) {
            while (rows.next()) {
                if (keys.size() == COUNTED_ROWS) {
                    return tables.resharding().evenCuts(table, range, count);
                }
                keys.add(KeyCodec.encode(types, rows.row()));
            }
        }
        List<Bytes> cuts = new ArrayList<>();
        for (int part = 1; part < count; part++) {
            int index = (int) ((long) keys.size() * part / count);
            if (index > 0 && (cuts.isEmpty() || !cuts.getLast().equals(keys.get(index)))) {
                cuts.add(keys.get(index));
            }
        }
        return cuts;
    }
}
