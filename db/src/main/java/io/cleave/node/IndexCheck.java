package io.cleave.node;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.cluster.KeyText;
import io.cleave.exec.IndexEntries;
import io.cleave.hash.Xxh3;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.tablet.Tablet;
import io.cleave.txn.ReadColumns;
import io.cleave.value.FieldCodec;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/// Checks an index against its table: every row has its entry, every entry has its row, and the
/// covered columns are equal. First both are read once, each in its own order, and their checksums
/// are compared. Only if these differ is each row looked up in the other.
///
/// An ASYNC index may lack writes after its position, so those rows are left out.
final class IndexCheck {
    /// Limit of the differences that are reported one by one.
    private static final int MOST_TOLD = 10;

    /// An ASYNC index that is behind by more rows is not compared.
    private static final int MOST_BEHIND = 1_000_000;

    private static final String REMEDY =
            "rows or index entries were lost; a start may have reported this in the server's log."
                    + " Restore the folder from a copy, or drop the index and add it again";

    private final FsckReport report;
    private final Table table;
    private final Table indexTable;
    private final String name;
    private final IndexEntries entries;
    private final ReadColumns rowColumns;
    private final ImageRows rows;
    private final ImageRows index;

    /// For each column of the table's key, its position in the index table.
    private final int[] keyColumns;

    private Set<Bytes> behind = Set.of();
    private long differences;

    IndexCheck(
            FsckReport report,
            Table table,
            Index index,
            Table indexTable,
            Collection<Tablet> tablets,
            Collection<Tablet> indexTablets,
            long snapshot) {
        this.report = report;
        this.table = table;
        this.indexTable = indexTable;
        name = "index " + table.path() + "/" + index.name();
        entries = new IndexEntries(table, index, indexTable);
        rowColumns = entries.read(table);
        rows = new ImageRows(tablets, rowColumns, snapshot);
        int[] all = IntStream.range(0, indexTable.columns().size()).toArray();
        this.index = new ImageRows(indexTablets, ReadColumns.of(indexTable, all), snapshot);
        keyColumns =
                table.key().stream()
                        .mapToInt(column -> indexTable.indexOf(column.name()))
                        .toArray();
    }

    /// Checks an index that has everything up to `position`.
    void runSince(long position) {
        behind = rows.changedSince(position, MOST_BEHIND);
        if (behind.size() > MOST_BEHIND) {
            report.looked(
                    "%s: behind by more than %d rows; not compared".formatted(name, MOST_BEHIND));
            return;
        }
        run();
    }

    void run() {
        Sum ofRows = new Sum();
        rows.each(
                (key, values) -> {
                    if (!behind.contains(key)) {
                        Value[] row = spread(values);
                        Bytes entry = entries.storedKey(row);
                        if (entry != null) {
                            ofRows.add(entry, entries.write(row).values());
                        }
                    }
                });
        Sum ofEntries = new Sum();
        index.each(
                (key, values) -> {
                    if (!behind.contains(rowKey(values))) {
                        ofEntries.add(key, cover(values));
                    }
                });
        String late =
                behind.isEmpty() ? "" : ", behind by " + FsckReport.count(behind.size(), "row");
        report.looked("%s: %s%s".formatted(name, entryCount(ofEntries.count), late));
        if (!ofRows.isSame(ofEntries)) {
            findMissing();
            findStray();
            if (differences > MOST_TOLD) {
                report.damage(
                        name, "%d more differences".formatted(differences - MOST_TOLD), REMEDY);
            }
        }
    }

    private static String entryCount(long count) {
        return count == 1 ? "1 entry" : count + " entries";
    }

    /// A checksum that does not depend on the order of the rows.
    private final class Sum {
        private long count;
        private long hashes;

        void add(Bytes key, Value[] cover) {
            var out = new ByteWriter(key.length() + 16 * cover.length);
            out.putBytes(key);
            int keyCount = indexTable.keyColumns().size();
            for (int place = 0; place < cover.length; place++) {
                Column column = indexTable.columns().get(keyCount + place);
                boolean isNull = cover[place].isNull();
                out.putByte((byte) (isNull ? 0 : 1));
                if (!isNull) {
                    out.putBytes(Bytes.wrap(FieldCodec.encode(column.type(), cover[place])));
                }
            }
            count++;
            hashes += Xxh3.hash64(out.toArray());
        }

        boolean isSame(Sum other) {
            return count == other.count && hashes == other.hashes;
        }
    }

    private void findMissing() {
        rows.each(
                (key, values) -> {
                    if (behind.contains(key)) {
                        return;
                    }
                    Value[] row = spread(values);
                    Bytes entry = entries.storedKey(row);
                    if (entry == null) {
                        return;
                    }
                    Value[] found = index.get(entry);
                    if (found == null) {
                        tell(
                                "the row with key %s has no entry %s"
                                        .formatted(
                                                KeyText.of(table, key),
                                                KeyText.of(indexTable, entry)));
                    } else if (!Arrays.equals(entries.write(row).values(), cover(found))) {
                        tell(
                                "index entry %s has other covered values than the row with key %s"
                                        .formatted(
                                                KeyText.of(indexTable, entry),
                                                KeyText.of(table, key)));
                    }
                });
    }

    private void findStray() {
        index.each(
                (entry, values) -> {
                    Bytes key = rowKey(values);
                    if (behind.contains(key)) {
                        return;
                    }
                    Value[] row = rows.get(key);
                    if (row == null || !Objects.equals(entry, entries.storedKey(spread(row)))) {
                        tell(
                                "index entry %s has no matching row; the row with key %s %s"
                                        .formatted(
                                                KeyText.of(indexTable, entry),
                                                KeyText.of(table, key),
                                                row == null
                                                        ? "does not exist"
                                                        : "has another entry"));
                    }
                });
    }

    private void tell(String what) {
        if (++differences <= MOST_TOLD) {
            report.damage(name, what, REMEDY);
        }
    }

    private Value[] spread(Value[] values) {
        var row = new Value[table.columns().size()];
        Arrays.fill(row, Value.Null.NULL);
        for (int place = 0; place < values.length; place++) {
            row[rowColumns.index(place)] = values[place];
        }
        return row;
    }

    private Value[] cover(Value[] entry) {
        return Arrays.copyOfRange(entry, indexTable.keyColumns().size(), entry.length);
    }

    private Bytes rowKey(Value[] entry) {
        Value[] key =
                Arrays.stream(keyColumns).mapToObj(column -> entry[column]).toArray(Value[]::new);
        return KeyCodec.encode(table.key().stream().map(Column::type).toList(), key);
    }
}
