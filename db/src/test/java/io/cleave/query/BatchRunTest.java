package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.exec.QueryBench;
import io.cleave.plan.Program;
import io.cleave.schema.KeyRange;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// BATCH statements over tables of more rows than one transaction takes.
class BatchRunTest {
    private final TestStore store = new TestStore();
    private final QueryBench<RealStore> bench = new QueryBench<>(new RealStore(store, false));
    private int parts;

    @BeforeEach
    void makeTable() {
        answer("CREATE TABLE t (k Int32, v Int32, PRIMARY KEY (k))");
        answer(
                "UPSERT INTO t (k, v) SELECT x AS k, x AS v FROM AS_TABLE(ListMap(ListFromRange(0,"
                        + " 10), ($x) -> (<|x: $x|>)))");
        answer("UPSERT INTO t (k, v) VALUES (NULL, 100)");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private String answer(String text) {
        return bench.answer(List.of(text));
    }

    private void run(String text, Runnable beforeEachPart) {
        Program program = bench.compile(text, Map.of());
        assertThat(program.kind()).isEqualTo(Program.Kind.BATCH);
        new BatchRun(store.transactions(), Cancellation.byDefault(store.env()), 3)
                .run(
                        program,
                        part -> {
                            parts++;
                            bench.run(program, part);
                            beforeEachPart.run();
                        });
    }

    @Test
    void allRowsAreChangedOncePartByPart() {
        run("BATCH UPDATE t SET v = v + 1", () -> {});
        assertThat(parts).isEqualTo(4);
        assertThat(answer("SELECT SUM(v) AS s, COUNT(*) AS n FROM t")).endsWith("\n156 | 11\n");
    }

    @Test
    void onlyRowsThatMatchAreErased() {
        run("BATCH DELETE FROM t WHERE v >= 5", () -> {});
        assertThat(answer("SELECT k FROM t ORDER BY k")).endsWith("\n0\n1\n2\n3\n4\n");
    }

    @Test
    void aPartThatSomeoneElseWroteIsDoneAgain() {
        run(
                "BATCH UPDATE t SET v = v + 1",
                () -> {
                    if (parts == 1) {
                        answer("UPSERT INTO t (k, v) VALUES (0, 1000)");
                    }
                });
        assertThat(parts).isEqualTo(5);
        assertThat(answer("SELECT v FROM t WHERE k = 0")).endsWith("\n1001\n");
        assertThat(answer("SELECT SUM(v) AS s FROM t")).endsWith("\n1156\n");
    }

    @Test
    void whatNeverRestsIsGivenUp() {
        assertThatThrownBy(
                        () ->
                                run(
                                        "BATCH UPDATE t SET v = v + 1",
                                        () ->
                                                answer(
                                                        "UPSERT INTO t (k, v) VALUES (0, "
                                                                + parts
                                                                + ")")))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("locks invalidated");
        assertThat(parts).isEqualTo(10);
    }

    @Test
    void aTransactionOfARangeSeesNothingElse() {
        Program count = bench.compile("SELECT COUNT(*) FROM t", Map.of());
        assertThat(count.kind()).isEqualTo(Program.Kind.READ);
        Transaction whole = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        var empty = new KeyRange(Bytes.EMPTY, Bytes.EMPTY);
        var none = new RangeTransaction(whole, store.tablets().table("/local/t"), empty);
        assertThat(bench.printed(count, none)).endsWith("\n0\n");
        assertThat(bench.printed(count, whole)).endsWith("\n11\n");
        whole.rollback();
    }
}
