package io.cleave.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.QueryBoard;
import io.cleave.schema.Table;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Scheme.Renaming;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Others see the tables before or after, and may have to begin again, which is all they are told.
class TableRenamesTest {
    private static final int REPLACES = 60;
    private static final int ROWS = 10;

    private static final Set<Status> RETRYABLE =
            Set.of(Status.ABORTED, Status.OVERLOADED, Status.UNAVAILABLE);

    private final TestStore store = new TestStore(2);
    private QueryBoard board = new QueryBoard(store);

    @AfterEach
    void close() {
        store.close();
    }

    private void create(String name, int generation) {
        board.run("CREATE TABLE %s (k Uint64, v Uint64, PRIMARY KEY (k))".formatted(name));
        board.run(
                "UPSERT INTO %s SELECT CAST(n AS Uint64) AS k, %dul AS v FROM (SELECT ListFromRange(0, %d) AS l) FLATTEN BY l AS n"
                        .formatted(name, generation, ROWS));
    }

    @Test
    void readersAndWritersOfAReplacedTableGoOn() throws Exception {
        create("t", 0);
        var over = new AtomicBoolean();
        var reads = new AtomicLong();
        var retries = new AtomicLong();
        List<Throwable> wrong = new ArrayList<>();
        Runnable read =
                () -> {
                    var row =
                            board.run("SELECT COUNT(*), MIN(v), MAX(v), COUNT(k) FROM t")
                                    .getFirst();
                    assertThat(row.get(0)).isEqualTo(Value.of((long) ROWS));
                    assertThat(row.get(1)).isEqualTo(row.get(2));
                    reads.incrementAndGet();
                };
        Runnable write = () -> board.run("UPDATE t SET v = v WHERE k < 5");
        List<Thread> threads = new ArrayList<>();
        for (Runnable work : List.of(read, write)) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            while (!over.get()) {
                                                retry(work, retries);
                                            }
                                        } catch (Throwable e) {
                                            wrong.add(e);
                                        }
                                    }));
        }
        for (int generation = 1; generation <= REPLACES; generation++) {
            create("next", generation);
            store.tree().renameTables(List.of(new Renaming("/local/next", "/local/t", true)));
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
        assertThat(reads.get()).isPositive();
        assertThat(board.number("SELECT MAX(v) FROM t")).isEqualTo(REPLACES);
    }

    private static void retry(Runnable work, AtomicLong retries) {
        try {
            work.run();
        } catch (StatusException e) {
            if (!RETRYABLE.contains(e.status())) {
                throw e;
            }
            retries.incrementAndGet();
        }
    }

    @Test
    void aTransactionThatHasWrittenBeforeBeginsAgain() {
        create("t", 0);
        create("next", 1);
        Table before = store.tablets().table("t");
        Transaction transaction = store.transactions().begin(Isolation.SERIALIZABLE);
        transaction.write(
                before,
                KeyCodec.encode(List.of(Primitive.UINT64), Value.of(1)),
                new RowWrite(RowWrite.Kind.UPSERT, new int[] {1}, new Value[] {Value.of(9)}));
        store.tree().renameTables(List.of(new Renaming("/local/next", "/local/t", true)));
        assertThat(transaction.commit()).isInstanceOf(CommitOutcome.Conflict.class);
        assertThat(board.number("SELECT COUNT(*) FROM t WHERE v = 9")).isZero();
    }

    @Test
    void severalAreRenamedAtOnce() {
        create("a", 1);
        create("b", 2);
        store.tree()
                .renameTables(
                        List.of(
                                new Renaming("/local/a", "/local/c", false),
                                new Renaming("/local/b", "/local/a", false),
                                new Renaming("/local/c", "/local/dir/b", false)));
        assertThat(board.number("SELECT MAX(v) FROM a")).isEqualTo(2);
        assertThat(board.number("SELECT MAX(v) FROM `dir/b`")).isEqualTo(1);
        assertThat(store.tree().find("/local/b")).isEmpty();
    }

    private void refuses(String words, Renaming... renamings) {
        assertThatThrownBy(() -> store.tree().renameTables(List.of(renamings)))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(Status.SCHEME_ERROR))
                .hasMessageContaining(words);
    }

    /// It would be replaced by itself, and its rows gone.
    @Test
    void aTableIsNotRenamedOntoItself() {
        create("t", 7);
        var onto = new Renaming("/local/t", "/local/t", true);
        String words = "path: '/local/t', error: path exist, request doesn't accept it";
        refuses(words, onto);
        refuses(words, new Renaming("/local/t", "/local/t", false));
        refuses(
                words,
                new Renaming("/local/t", "/local/x", false),
                new Renaming("/local/x", "/local/t", true),
                onto);
        assertThatThrownBy(() -> board.run("ALTER TABLE t RENAME TO t"))
                .hasMessageContaining(words);
        board = board.restarted();
        assertThat(board.number("SELECT COUNT(*) FROM t WHERE v = 7")).isEqualTo(ROWS);
    }

    @Test
    void aTableMayComeBackToWhereItWas() {
        create("t", 7);
        store.tree()
                .renameTables(
                        List.of(
                                new Renaming("/local/t", "/local/x", false),
                                new Renaming("/local/x", "/local/t", true)));
        board = board.restarted();
        assertThat(board.number("SELECT COUNT(*) FROM t WHERE v = 7")).isEqualTo(ROWS);
        assertThat(store.tree().find("/local/x")).isEmpty();
    }

    @Test
    void nothingIsReplacedOrPutBelowATable() {
        board.run("CREATE TABLE t (k Uint64, v Uint64, PRIMARY KEY (k), INDEX by_v GLOBAL ON (v))");
        board.run("UPSERT INTO t (k, v) VALUES (1, 7), (2, 8)");
        create("other", 3);
        String ofIndex = "/local/t/by_v/indexImplTable";
        refuses("it belongs to an index", new Renaming("/local/other", ofIndex, true));
        refuses("it belongs to an index", new Renaming("/local/t", ofIndex, true));
        refuses("path exist", new Renaming("/local/other", ofIndex, false));
        for (String below : List.of("/local/t/x", "/local/t/by_v", "/local/t/by_v/x")) {
            refuses("path is not a directory", new Renaming("/local/other", below, true));
        }
        board = board.restarted();
        assertThat(board.number("SELECT k FROM t VIEW by_v WHERE v = 8")).isEqualTo(2);
        assertThat(board.number("SELECT COUNT(*) FROM other")).isEqualTo(ROWS);
    }
}
