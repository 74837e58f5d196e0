package io.cleave.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestStore;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.CommitOutcome.Conflict;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The whole store below the query engine against a plain model, with memtables so small that it
/// flushes, compacts and trims its log all the time.
class StoreFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final CellOptions TINY =
            new CellOptions(8 << 10, 32 << 10, 16 << 10, 1 << 20, 10_000);
    private static final int[] VALUE = {1};

    @Test
    void whatWasCommittedIsReadAgainAlsoAfterRestarts() {
        var random = new Random(SEED);
        try (var store = new TestStore(TINY)) {
            makeTable(store, 4);
            Map<Long, String> model = new TreeMap<>();
            for (int round = 0; round < 1_500; round++) {
                commitSome(store, model, random);
                if (random.nextInt(100) == 0) {
                    store.restart();
                }
                if (random.nextInt(20) == 0) {
                    assertThat(readAll(store))
                            .as("-Dseed=%d, round %d", SEED, round)
                            .isEqualTo(model);
                }
            }
            store.restart();
            assertThat(readAll(store)).as("-Dseed=%d, at the end", SEED).isEqualTo(model);
            assertThat(store.userLog().firstPosition())
                    .as("-Dseed=%d: the log was trimmed", SEED)
                    .isPositive();
        }
    }

    /// Ten accounts, transfers from many threads at once: every snapshot has the same sum, and each
    /// acknowledged transfer happened once.
    @Test
    void transfersKeepTheSum() throws Exception {
        try (var store = new TestStore(TINY)) {
            makeTable(store, 3);
            Table table = table(store);
            Transaction setUp = store.transactions().begin(Isolation.SERIALIZABLE);
            for (long account = 0; account < 10; account++) {
                setUp.write(table, key(spread(account)), amount(100));
            }
            assertThat(setUp.commit()).isInstanceOf(Committed.class);

            var transfers = new AtomicInteger();
            var conflicts = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                var random = new Random(SEED + thread);
                threads.add(
                        store.env()
                                .spawn(
                                        "transfers",
                                        () -> {
                                            for (int i = 0; i < 200; i++) {
                                                boolean done =
                                                        transfer(store, table, random) != null;
                                                (done ? transfers : conflicts).incrementAndGet();
                                            }
                                        }));
            }
            for (int check = 0; check < 50; check++) {
                assertThat(sum(store, table)).as("-Dseed=%d", SEED).isEqualTo(1000);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(sum(store, table)).as("-Dseed=%d", SEED).isEqualTo(1000);
            assertThat(transfers.get() + conflicts.get()).isEqualTo(800);
            assertThat(transfers.get()).isPositive();
        }
    }

    private static CommitOutcome transfer(TestStore store, Table table, Random random) {
        Bytes from = key(spread(random.nextInt(10)));
        Bytes to = key(spread(random.nextInt(10)));
        if (from.equals(to)) {
            return null;
        }
        Transaction tx = store.transactions().begin(Isolation.SERIALIZABLE);
        long fromAmount = read(tx, table, from);
        long toAmount = read(tx, table, to);
        tx.write(table, from, amount(fromAmount - 1));
        tx.write(table, to, amount(toAmount + 1));
        CommitOutcome outcome = tx.commit();
        return outcome instanceof Conflict ? null : outcome;
    }

    private static long read(Transaction tx, Table table, Bytes key) {
        return Long.parseLong(((Value.Text) tx.get(key, ReadColumns.of(table, VALUE))[0]).value());
    }

    private static RowWrite amount(long amount) {
        return new RowWrite(
                RowWrite.Kind.UPSERT, VALUE, new Value[] {Value.text(Long.toString(amount))});
    }

    private static long sum(TestStore store, Table table) {
        Transaction tx = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        long sum = 0;
        try (RowStream rows =
                tx.scan(KeyRange.ALL, ReadColumns.of(table, VALUE), Direction.FORWARD)) {
            while (rows.next()) {
                sum += Long.parseLong(((Value.Text) rows.row()[0]).value());
            }
        }
        tx.rollback();
        return sum;
    }

    private static void commitSome(TestStore store, Map<Long, String> model, Random random) {
        Table table = table(store);
        Transaction tx = store.transactions().begin(Isolation.SERIALIZABLE);
        boolean keep = random.nextInt(10) > 0;
        for (int count = 1 + random.nextInt(5); count > 0; count--) {
            long id = spread(random.nextInt(300));
            if (random.nextInt(4) == 0) {
                tx.write(table, key(id), RowWrite.ERASE);
                if (keep) {
                    model.remove(id);
                }
            } else {
                String text = "v".repeat(random.nextInt(60)) + random.nextInt();
                tx.write(
                        table,
                        key(id),
                        new RowWrite(RowWrite.Kind.UPSERT, VALUE, new Value[] {Value.text(text)}));
                if (keep) {
                    model.put(id, text);
                }
            }
        }
        if (keep) {
            assertThat(tx.commit()).isInstanceOf(Committed.class);
        } else {
            tx.rollback();
        }
    }

    private static Map<Long, String> readAll(TestStore store) {
        Map<Long, String> found = new TreeMap<>();
        Transaction tx = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        try (RowStream rows =
                tx.scan(KeyRange.ALL, ReadColumns.of(table(store), 0, 1), Direction.FORWARD)) {
            while (rows.next()) {
                found.put(
                        ((Value.Int) rows.row()[0]).value(), ((Value.Text) rows.row()[1]).value());
            }
        }
        tx.rollback();
        return found;
    }

    /// Spreads small numbers over all tablets of a uniformly cut table.
    private static long spread(long number) {
        return number * 0x00D1_B54A_32D1_92EDL >>> 1;
    }

    private static Table table(TestStore store) {
        return store.tree().find("/local/dir/t").orElseThrow();
    }

    private static void makeTable(TestStore store, int tablets) {
        store.tree()
                .createTable(
                        new TableDefinition(
                                "/local/dir/t",
                                List.of(
                                        column("id", Primitive.UINT64),
                                        column("v", Primitive.UTF8)),
                                List.of("id"),
                                List.of(),
                                TableOptions.DEFAULT,
                                new Layout.Uniform(tablets),
                                Map.of()),
                        false);
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }

    private static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id));
    }
}
