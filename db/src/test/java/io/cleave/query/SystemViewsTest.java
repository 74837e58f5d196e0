package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.cluster.TabletInfo;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockCounts;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletTraffic;
import io.cleave.tree.PathEntry;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class SystemViewsTest {
    private static final List<Primitive> KEY =
            List.of(Primitive.UINT64, Primitive.UINT64, Primitive.UINT64, Primitive.UINT32);

    private final FixedScheme stored = stored();
    private final SystemViews views =
            new SystemViews(stored, 1, List::of, Optional.empty(), Optional.empty(), List.of());
    private final VisibleScheme visible = new VisibleScheme(stored, views);

    private static FixedScheme stored() {
        Map<Table, List<TabletInfo>> tables = new LinkedHashMap<>();
        tables.put(table(2, "/local/b"), List.of(tablet(20, 5)));
        tables.put(table(1, "/local/a"), List.of(tablet(10, 3), tablet(11, 4)));
        return new FixedScheme(tables);
    }

    private static Table table(long id, String path) {
        Column key = new Column(1, "id", Primitive.UINT64, true, "default", Optional.empty());
        return new Table(
                id,
                1,
                path,
                List.of(key),
                List.of(0),
                2,
                List.of(ColumnFamily.DEFAULT, new ColumnFamily("cold", "hdd", "lz4", "regular")),
                TableOptions.DEFAULT,
                Map.of(),
                0,
                List.of(),
                0);
    }

    private static TabletInfo tablet(long id, long rows) {
        var traffic =
                new TabletTraffic(
                        1,
                        2,
                        3,
                        4,
                        5,
                        new LockCounts(6, 10, 7),
                        0,
                        9,
                        77,
                        new TabletTraffic.Transactions(11, 12, 13, 14));
        var storage =
                new TabletInfo.Storage(
                        1,
                        0,
                        Map.of("default", rows * 60, "cold", rows * 40),
                        2,
                        3,
                        4,
                        8,
                        new TabletInfo.Filter(5, 6, 7));
        var load = new TabletInfo.Load(0, 0, 0.25);
        var health = new TabletInfo.Health(0, Optional.empty());
        return new TabletInfo(
                id,
                1,
                1,
                KeyRange.ALL,
                rows,
                rows * 100,
                storage,
                traffic,
                load,
                health,
                TabletCounters.NONE,
                0);
    }

    private ReadColumns columns(String view, String... names) {
        Table table = views.find("/local/.sys/" + view).orElseThrow();
        return ReadColumns.of(table, Arrays.stream(names).mapToInt(table::indexOf).toArray());
    }

    private List<List<Value>> scan(KeyRange range, Direction direction, String... names) {
        return scan(range, direction, columns("partition_stats", names));
    }

    private List<List<Value>> scan(KeyRange range, Direction direction, ReadColumns columns) {
        List<List<Value>> rows = new ArrayList<>();
        try (RowStream stream = views.scan(range, columns, direction)) {
            while (stream.next()) {
                rows.add(List.of(stream.row()));
            }
        }
        return rows;
    }

    @Test
    void everyTabletIsARowInKeyOrder() {
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, "Path", "PartIdx", "TabletId", "RowCount"))
                .containsExactly(
                        List.of(Value.text("/local/a"), Value.of(0), Value.of(10), Value.of(3)),
                        List.of(Value.text("/local/a"), Value.of(1), Value.of(11), Value.of(4)),
                        List.of(Value.text("/local/b"), Value.of(0), Value.of(20), Value.of(5)));
    }

    @Test
    void theMemoryOfPinnedBlocksIsShownByTabletAndByCell() {
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, "TabletId", "PinnedBytes"))
                .containsExactly(
                        List.of(Value.of(10), Value.of(8)),
                        List.of(Value.of(11), Value.of(8)),
                        List.of(Value.of(20), Value.of(8)));
        ReadColumns ofCells =
                columns("tablet_cells", "CellId", "Bundle", "NodeId", "Tablets", "PinnedBytes");
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, ofCells))
                .containsExactly(
                        List.of(
                                Value.of(1),
                                Value.text("default"),
                                Value.of(1),
                                Value.of(3),
                                Value.of(24)));
    }

    @Test
    void aRangeAndADirectionAreKept() {
        Bytes second = KeyCodec.encode(KEY, Value.of(1), Value.of(1), Value.of(1));
        assertThat(scan(new KeyRange(second, null), Direction.BACKWARD, "TabletId"))
                .containsExactly(List.of(Value.of(20)), List.of(Value.of(11)));
    }

    @Test
    void aRowIsFoundByItsKey() {
        Bytes key = KeyCodec.encode(KEY, Value.of(1), Value.of(2), Value.of(0), Value.of(0));
        ReadColumns columns = columns("partition_stats", "RowUpdates", "AccessTime", "UpdateTime");
        assertThat(views.get(key, columns))
                .containsExactly(Value.of(2), Value.Null.NULL, Value.of(9));
        assertThat(views.get(key.successor(), columns)).isNull();
    }

    @Test
    void everyFamilyIsARowAndTheTableIsCountedOnce() {
        ReadColumns columns =
                columns(
                        "table_storage",
                        "Path",
                        "Family",
                        "FileBytes",
                        "RowCount",
                        "Tablets",
                        "Files",
                        "MaxLevel",
                        "FilterFalsePositives");
        Value none = Value.Null.NULL;
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, columns))
                .containsExactly(
                        row("/local/a", "cold", 280, none, none, none, none, none),
                        row("/local/a", "default", 420, 7, 2, 4, 4, 14),
                        row("/local/b", "cold", 200, none, none, none, none, none),
                        row("/local/b", "default", 300, 5, 1, 2, 4, 7));
    }

    /// Whoever reads a view has no say in what others drop meanwhile.
    @Test
    void whatIsDroppedMeanwhileIsLeftOut() {
        stored.vanish(table(3, "/local/c"));
        stored.vanish("/local/dir");
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, "Path"))
                .containsExactly(row("/local/a"), row("/local/a"), row("/local/b"));
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, columns("table_storage", "Path")))
                .containsExactly(
                        row("/local/a"), row("/local/a"), row("/local/b"), row("/local/b"));
        // These are made of the listings alone.
        assertThat(scan(KeyRange.ALL, Direction.FORWARD, columns("auth_owners", "Path")))
                .contains(row("/local"), row("/local/a"), row("/local/b"));
    }

    private static List<Value> row(Object... values) {
        return Arrays.stream(values)
                .map(
                        value ->
                                switch (value) {
                                    case Value ready -> ready;
                                    case Integer number -> Value.of((long) number);
                                    default -> Value.text(value.toString());
                                })
                .toList();
    }

    @Test
    void viewsStandInTheTree() {
        assertThat(visible.list("/local"))
                .extracting(PathEntry::name)
                .containsExactly(".sys", "a", "b");
        assertThat(visible.list("/local/.sys"))
                .extracting(PathEntry::name, PathEntry::kind)
                .containsExactly(
                        tuple("async_indexes", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("auth_effective_permissions", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("auth_group_members", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("auth_groups", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("auth_owners", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("auth_permissions", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("auth_users", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("partition_decisions", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("partition_stats", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("read_replicas", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("table_storage", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("tablet_cells", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("top_partitions_by_tli_one_hour", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("top_partitions_by_tli_one_minute", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("top_partitions_one_hour", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("top_partitions_one_minute", PathEntry.Kind.SYSTEM_VIEW),
                        tuple("ttl", PathEntry.Kind.SYSTEM_VIEW));
        assertThat(visible.find("/local/.sys/partition_stats")).isPresent();
        assertThat(visible.find("/local/.sys/other")).isEmpty();
    }

    @Test
    void viewsCannotBeChanged() {
        assertFails(
                Status.SCHEME_ERROR,
                "/local/.sys/partition_stats",
                () -> visible.dropTable("/local/.sys/partition_stats", false));
        assertFails(
                Status.SCHEME_ERROR, "/local/.sys/x", () -> visible.makeDirectory("/local/.sys/x"));
    }
}
