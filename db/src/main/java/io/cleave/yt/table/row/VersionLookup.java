package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.schema.RowVersion;
import io.cleave.txn.ReadColumns;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.format.RowOutput;

import java.util.ArrayList;
import java.util.List;

/// Writes the rows of a versioned lookup, with some columns of a table.
///
/// Threads: any.
final class VersionLookup {
    private final WireTable table;
    private final ReadColumns read;
    private final List<Bytes> names;

    /// `indexes` are the indexes of stored columns.
    VersionLookup(WireTable table, List<Integer> indexes) {
        this.table = table;
        read = ReadColumns.of(table.table(), indexes);
        names = indexes.stream().map(table.names()::get).toList();
    }

    ReadColumns columns() {
        return read;
    }

    List<Bytes> names() {
        return names;
    }

    /// The key as it is shown in messages.
    YsonNode shown(Bytes key) {
        return table.shownKey(key);
    }

    /// Writes a row. Its attributes are the timestamps at which it was written and deleted. The
    /// value of a column outside the key is a list of versions, the newest first. A column without
    /// a value is left out.
    void write(RowOutput out, Bytes encodedKey, List<RowVersion> versions) {
        Value[] key = table.keyed().decodeKey(encodedKey);
        List<YsonNode> written = new ArrayList<>();
        List<YsonNode> deleted = new ArrayList<>();
        for (RowVersion version : versions) {
            (version.erases() ? deleted : written).add(YtTimestamps.node(version.timestamp()));
        }
        out.beginRow(
                YsonNode.map()
                        .with("write_timestamps", YsonNode.list(written))
                        .with("delete_timestamps", YsonNode.list(deleted))
                        .build());
        for (int place = 0; place < read.count(); place++) {
            int column = read.index(place);
            int position = table.keyPosition(column);
            if (position >= 0) {
                table.column(column).write(out, place, key[position]);
                continue;
            }
            List<YsonNode> values = values(table.column(column), place, versions);
            if (!values.isEmpty()) {
                out.anyField(
                        place, YsonWriter.write(YsonNode.list(values), YsonWriter.Format.BINARY));
            }
        }
        out.endRow();
    }

    private static List<YsonNode> values(WireColumn column, int place, List<RowVersion> versions) {
        List<YsonNode> values = new ArrayList<>();
        for (RowVersion version : versions) {
            if (!version.erases() && version.values().get(place).isPresent()) {
                Value value = version.values().get(place).get();
                YsonNode.Members attributes =
                        YsonNode.map()
                                .with("timestamp", YtTimestamps.node(version.timestamp()))
                                .with("aggregate", false)
                                .build();
                values.add(column.node(value).withAttributes(attributes));
            }
        }
        return values;
    }
}
