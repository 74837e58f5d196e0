package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Scheme;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A table of Uint64 keys and texts over several cells, whose tablets are changed.
public final class TabletBench implements AutoCloseable {
    public static final String PATH = "/local/t";
    private static final int[] VALUE = {1};
    private static final Primitive UINT64 = Primitive.UINT64;

    public final TestStore store;

    public TabletBench(int cells) {
        this(new TestStore(cells));
    }

    public TabletBench(TestStore store) {
        this.store = store;
    }

    /// Cut at these keys.
    public void create(String path, long... cuts) {
        create(path, Map.of(), cuts);
    }

    public void create(String path, Map<String, String> attributes, long... cuts) {
        create(store.tree(), path, attributes, cuts);
    }

    public static void create(
            Scheme tree, String path, Map<String, String> attributes, long... cuts) {
        List<List<TableDefinition.TypedValue>> keys =
                Arrays.stream(cuts)
                        .mapToObj(cut -> new TableDefinition.TypedValue(UINT64, Value.of(cut)))
                        .map(List::of)
                        .toList();
        Layout layout = keys.isEmpty() ? new Layout.Single() : new Layout.AtKeys(keys);
        tree.createTable(
                new TableDefinition(
                        path,
                        List.of(column("k", UINT64), column("v", Primitive.UTF8)),
                        List.of("k"),
                        List.of(),
                        TableOptions.DEFAULT,
                        layout,
                        attributes),
                false);
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, "", Optional.empty());
    }

    public Table table() {
        return store.tree().find(PATH).orElseThrow();
    }

    public static Bytes key(long id) {
        return KeyCodec.encode(List.of(UINT64), Value.of(id));
    }

    public List<TabletInfo> tablets() {
        return store.tablets().infos(table());
    }

    public long tabletId(int index) {
        return tablets().get(index).tabletId();
    }

    /// Where each tablet begins, its cell and its epoch: `-@1.1 10@2.1`.
    public String layout() {
        return String.join(
                " ",
                tablets().stream()
                        .map(
                                tablet ->
                                        "%s@%d.%d"
                                                .formatted(
                                                        tablet.range().from().isEmpty()
                                                                ? "-"
                                                                : KeyText.of(
                                                                        table(),
                                                                        tablet.range().from()),
                                                        tablet.cellId(),
                                                        tablet.epoch()))
                        .toList());
    }

    public void write(long from, long to, String text) {
        for (long id = from; id < to; id++) {
            write(id, text);
        }
    }

    /// One row.
    public void write(long id, String text) {
        Transaction tx = store.transactions().begin(Isolation.SERIALIZABLE);
        try {
            Value[] values = {Value.text(text)};
            tx.write(table(), key(id), new RowWrite(RowWrite.Kind.UPSERT, VALUE, values));
            assertThat(tx.commit()).isInstanceOf(Committed.class);
        } finally {
            tx.rollback();
        }
    }

    public SortedMap<Long, String> rows() {
        SortedMap<Long, String> found = new TreeMap<>();
        Transaction tx = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        try (RowStream rows =
                tx.scan(
                        KeyRange.ALL,
                        ReadColumns.of(table(), new int[] {0, 1}),
                        Direction.FORWARD)) {
            while (rows.next()) {
                found.put(
                        ((Value.Int) rows.row()[0]).value(), ((Value.Text) rows.row()[1]).value());
            }
        } finally {
            tx.rollback();
        }
        return found;
    }

    /// How many tablets each cell has, those included that have left it.
    public List<Integer> held() {
        return store.cells().stream()
                .map(cell -> cell.tablets().size() + cell.structure().detached().size())
                .toList();
    }

    @Override
    public void close() {
        store.close();
    }
}
