package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;

import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;
import io.cleave.tree.Scheme;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The system view `.sys/table_storage`: one row for each column family of each table, with the
/// sums over its tablets. Figures of the table as a whole are in the row of the default family and
/// NULL in the others, so that sums are correct.
final class StorageStats implements SmallView {
    private static final String NAME = "table_storage";

    /// [PartitionStats] uses -1.
    private static final long TABLE_ID = -2;

    private static final int KEY_COLUMNS = 2;

    private record Row(Table table, ColumnFamily family, List<TabletInfo> tablets) {
        boolean isFirst() {
            return family.name().equals(Column.DEFAULT_FAMILY);
        }

        long sum(ToLongFunction<TabletInfo> figure) {
            return tablets.stream().mapToLong(figure).sum();
        }

        String medium() {
            return family.data().isEmpty() ? Scheme.DEFAULT_MEDIUM : family.data();
        }
    }

    private static final List<ViewColumn<Row>> COLUMNS =
            List.of(
                    number("PathId", row -> row.table.id()),
                    text("Family", row -> row.family.name()),
                    text("Path", row -> row.table.path()),
                    text("Media", Row::medium),
                    text("Compression", row -> row.family.compression()),
                    text("CacheMode", row -> row.family.cacheMode()),
                    number(
                            "FileBytes",
                            row -> row.sum(t -> t.storage().fileBytes(row.family.name()))),
                    ofTable("RowCount", TabletInfo::rows),
                    ofTable("MemtableBytes", t -> t.storage().memtableBytes()),
                    ofTable("GarbageBytes", t -> t.storage().garbageBytes()),
                    ofTable("Tablets", _ -> 1),
                    ofTable("Files", t -> t.storage().files()),
                    ofTable("Runs", t -> t.storage().runs()),
                    ofTable("PinnedBytes", t -> t.storage().pinnedBytes()),
                    wide("MaxLevel", Primitive.UINT64, StorageStats::maxLevel),
                    wide("KeyFilter", Primitive.BOOL, row -> keyFilter(row.table)),
                    ofTable("FilterChecks", t -> t.storage().filter().checks()),
                    ofTable("FilterTruePositives", t -> t.storage().filter().truePositives()),
                    ofTable("FilterFalsePositives", t -> t.storage().filter().falsePositives()));

    private final Scheme scheme;
    private final Table table;

    StorageStats(Scheme scheme) {
        this.scheme = scheme;
        table =
                ViewColumn.table(
                        TABLE_ID,
                        scheme.database() + "/" + SystemViews.DIRECTORY + "/" + NAME,
                        COLUMNS,
                        KEY_COLUMNS);
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        List<Value[]> rows = new ArrayList<>();
        SystemView.tabletsOf(scheme)
                .forEach(
                        (shown, tablets) -> {
                            for (ColumnFamily family : shown.families()) {
                                rows.add(ViewColumn.row(COLUMNS, new Row(shown, family, tablets)));
                            }
                        });
        return rows;
    }

    private static ViewColumn<Row> ofTable(String name, ToLongFunction<TabletInfo> figure) {
        return wide(name, Primitive.UINT64, row -> Value.of(row.sum(figure)));
    }

    private static ViewColumn<Row> wide(String name, Type type, Function<Row, Value> shown) {
        return new ViewColumn<>(
                name, type, row -> row.isFirst() ? shown.apply(row) : Value.Null.NULL);
    }

    private static Value maxLevel(Row row) {
        return Value.of(
                row.tablets.stream().mapToLong(t -> t.storage().maxLevel()).max().orElse(0));
    }

    private static Value keyFilter(Table shown) {
        return Value.bool(shown.options().keyBloomFilter().orElse(false));
    }
}
