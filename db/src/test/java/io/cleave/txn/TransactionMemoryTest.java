package io.cleave.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.testkit.TestStore;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What open transactions keep has a bound for all of them together.
class TransactionMemoryTest {
    private static final long LIMIT_BYTES = 1L << 20;

    private final TestStore store = new TestStore();
    private final Table table = makeTable("/local/t", 2);
    private final MemoryPool pool = new MemoryPool("transactions", LIMIT_BYTES, store.env());
    private final OptimisticTransactions transactions =
            new OptimisticTransactions(store.tablets(), store.env(), pool);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void effectsOfAllTransactionsTogetherAreBounded() {
        List<Transaction> open = new ArrayList<>();
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> {
                            while (true) {
                                Transaction transaction =
                                        transactions.begin(Isolation.SERIALIZABLE);
                                open.add(transaction);
                                for (long key = 0; key < 20; key++) {
                                    transaction.write(table, key(key), write("x".repeat(4000)));
                                }
                            }
                        });
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused)
                .hasMessageContaining("the server's memory for transactions is in use")
                .hasMessageContaining("of at most " + LIMIT_BYTES + " bytes");
        // A transaction writes 80,000 characters, which are counted with two bytes each.
        assertThat(open).hasSizeBetween(5, 8);
        open.getFirst().rollback();
        Transaction other = transactions.begin(Isolation.SERIALIZABLE);
        for (long key = 0; key < 12; key++) {
            other.write(table, key(key), write("x".repeat(4000)));
        }
        assertThat(other.commit()).isInstanceOf(CommitOutcome.Committed.class);
        open.forEach(Transaction::rollback);
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void locksOfAllTransactionsTogetherAreBounded() {
        List<Transaction> open = new ArrayList<>();
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> {
                            while (true) {
                                Transaction transaction =
                                        transactions.begin(Isolation.SERIALIZABLE);
                                open.add(transaction);
                                for (long key = 0; key < 1000; key++) {
                                    transaction.get(key(key), ReadColumns.of(table, 1));
                                }
                            }
                        });
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused).hasMessageContaining("the server's memory for transactions is in use");
        open.forEach(Transaction::rollback);
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void locksCountTheBytesOfTheirKeys() {
        Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> {
                            for (int number = 0; number < 20; number++) {
                                String text = number + "x".repeat(100_000);
                                Bytes key =
                                        KeyCodec.encode(List.of(Primitive.UTF8), Value.text(text));
                                transaction.get(key, ReadColumns.of(table, 1));
                            }
                        });
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused).hasMessageContaining("the server's memory for transactions is in use");
        transaction.rollback();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aRowOfManyColumnsCountsAsWhatItTakes() {
        int columnCount = 200;
        Table wide = makeTable("/local/wide", columnCount);
        Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> {
                            for (long key = 0; key * columnCount * 4 < 2 * LIMIT_BYTES; key++) {
                                transaction.write(wide, key(key), write("x"));
                            }
                        });
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        transaction.rollback();
        assertThat(pool.usedBytes()).isZero();
    }

    private static Bytes key(long key) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(key));
    }

    private static RowWrite write(String value) {
        return new RowWrite(RowWrite.Kind.REPLACE, new int[] {1}, new Value[] {Value.text(value)});
    }

    private Table makeTable(String path, int columnCount) {
        List<NewColumn> columns = new ArrayList<>();
        columns.add(column("id", Primitive.UINT64));
        while (columns.size() < columnCount) {
            columns.add(column("name" + columns.size(), Primitive.UTF8));
        }
        store.tree()
                .createTable(
                        new TableDefinition(
                                path,
                                columns,
                                List.of("id"),
                                List.of(),
                                TableOptions.DEFAULT,
                                new Layout.AtKeys(List.of()),
                                Map.of()),
                        false);
        return store.tree().find(path).orElseThrow();
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }
}
