package io.cleave.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.Tablet;
import io.cleave.testkit.TestStore;
import io.cleave.txn.RowWrite.Kind;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// That reads fetch no more than they need: a table with a wide family and a key filter, its rows
/// in files, and the bytes that reads take from the blobs. Only every second key is there.
class ReadCostTest {
    private static final int ROWS = 2_000;
    private static final int WIDE_CHARACTERS = 500;
    private static final int KEY = 0;
    private static final int NARROW = 1;
    private static final int WIDE = 2;

    private final TestStore store = new TestStore();
    private Table table;

    @BeforeEach
    void fill() {
        table = createTable();
        List<KeyedWrite> rows = new ArrayList<>();
        for (int id = 0; id < ROWS; id++) {
            rows.add(
                    new KeyedWrite(
                            key(2 * id),
                            new RowWrite(
                                    Kind.UPSERT,
                                    new int[] {NARROW, WIDE},
                                    new Value[] {
                                        Value.of(id), Value.text("x".repeat(WIDE_CHARACTERS))
                                    })));
        }
        store.transactions().bulkWrite(table, rows);
        store.user().structure().flush(store.user().tablets().stream().map(Tablet::id).toList());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aScanOfNarrowColumnsLeavesTheWideOnesAlone() {
        long narrow = bytesReadBy(tx -> count(tx, NARROW));
        long wide = bytesReadBy(tx -> count(tx, WIDE));
        assertThat(wide).isGreaterThan((long) ROWS * WIDE_CHARACTERS);
        assertThat(narrow).isLessThan(wide / 5);
    }

    @Test
    void rowsAreCountedByTheirKeysAlone() {
        long counted = bytesReadBy(this::count);
        long withKeys = bytesReadBy(tx -> count(tx, KEY));
        assertThat(counted).isLessThan((long) ROWS * WIDE_CHARACTERS / 5);
        assertThat(withKeys).as("the keys are there already").isZero();
    }

    @Test
    void whetherARowIsThereIsNotAskedOfItsColumns() {
        ReadColumns none = ReadColumns.none(table);
        long existence = bytesReadBy(tx -> assertThat(tx.get(key(8), none)).isEmpty());
        ReadColumns wide = ReadColumns.of(table, WIDE);
        long value = bytesReadBy(tx -> assertThat(tx.get(key(8), wide)).hasSize(1));
        assertThat(existence).as("the block of its key").isPositive();
        assertThat(value).as("a block of the wide group").isGreaterThan(WIDE_CHARACTERS);
    }

    @Test
    void theFilterKnowsMostKeysThatAreNotThere() {
        ReadColumns wide = ReadColumns.of(table, WIDE);
        long missing =
                bytesReadBy(
                        tx -> {
                            for (int id = 0; id < ROWS; id++) {
                                assertThat(tx.get(key(2 * id + 1), wide)).isNull();
                            }
                        });
        assertThat(missing).as("the keys of a few, and none of the wide cells").isLessThan(64_000);
        assertThat(filter().checks()).isBetween((long) ROWS - 1, (long) ROWS);
        assertThat(filter().truePositives()).isZero();
        assertThat(filter().falsePositives()).isLessThan(ROWS / 20);
        long falsePositives = filter().falsePositives();
        long ofRow = bytesReadBy(tx -> assertThat(tx.get(key(0), wide)).hasSize(1));
        assertThat(ofRow).isPositive();
        assertThat(filter().truePositives()).isEqualTo(1);
        assertThat(filter().falsePositives()).isEqualTo(falsePositives);
    }

    private TabletInfo.Filter filter() {
        return store.tablets().infos(table).getFirst().storage().filter();
    }

    private interface Reading {
        void run(Transaction transaction);
    }

    private long bytesReadBy(Reading reading) {
        Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        long before = store.userFiles().bytesRead();
        try {
            reading.run(transaction);
        } finally {
            transaction.rollback();
        }
        return store.userFiles().bytesRead() - before;
    }

    private void count(Transaction transaction, int... columns) {
        ReadColumns wanted = ReadColumns.of(table, columns);
        int count = 0;
        try (RowStream rows = transaction.scan(KeyRange.ALL, wanted, Direction.FORWARD)) {
            while (rows.next()) {
                assertThat(rows.row()).hasSize(columns.length);
                count++;
            }
        }
        assertThat(count).isEqualTo(ROWS);
    }

    private Table createTable() {
        store.tree()
                .createTable(
                        new TableDefinition(
                                "/local/t",
                                List.of(
                                        column("k", Primitive.UINT64, "default"),
                                        column("n", Primitive.UINT64, "default"),
                                        column("w", Primitive.UTF8, "wide")),
                                List.of("k"),
                                List.of(new ColumnFamily("wide", "", "off", "regular")),
                                new TableOptions(
                                        Partitioning.DEFAULT,
                                        Optional.of(true),
                                        Optional.empty(),
                                        Optional.empty()),
                                new Layout.Single(),
                                Map.of()),
                        false);
        return store.tree().find("/local/t").orElseThrow();
    }

    private static NewColumn column(String name, Primitive type, String family) {
        return new NewColumn(name, type, false, family, Optional.empty());
    }

    private static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id));
    }
}
