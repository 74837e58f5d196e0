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
    private final Table table = makeTable();
    private final MemoryPool pool = new MemoryPool("transactions", LIMIT_BYTES, store.env());
    private final OptimisticTransactions transactions =
            new OptimisticTransactions(store.cluster(), store.env(), pool);

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
                                    transaction.write(table, key(key), text("x".repeat(4000)));
                                }
                            }
                        });
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused)
                .hasMessageContaining("the server's memory for transactions is in use")
                .hasMessageContaining("of at most " + LIMIT_BYTES + " bytes");
        assertThat(open).hasSizeBetween(8, 16);
        open.getFirst().rollback();
        Transaction other = transactions.begin(Isolation.SERIALIZABLE);
        for (long key = 0; key < 12; key++) {
            other.write(table, key(key), text("x".repeat(4000)));
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

    private static Bytes key(long key) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(key));
    }

    private static RowWrite text(String value) {
        return new RowWrite(RowWrite.Kind.REPLACE, new int[] {1}, new Value[] {Value.text(value)});
    }

    private Table makeTable() {
        store.cluster()
                .createTable(
                        new TableDefinition(
                                "/local/t",
                                List.of(
                                        column("id", Primitive.UINT64),
                                        column("name", Primitive.UTF8)),
                                List.of("id"),
                                List.of(),
                                TableOptions.DEFAULT,
                                new Layout.AtKeys(List.of()),
                                Map.of()),
                        false);
        return store.cluster().find("/local/t").orElseThrow();
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }
}
