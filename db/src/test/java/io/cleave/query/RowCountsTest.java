package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.testkit.TestMemory;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Map;

/// A plan that was chosen by how many rows there were is chosen again when there are far more.
class RowCountsTest {
    private static final QueryText JOIN =
            QueryText.ofQueryService("SELECT a.k, b.v FROM a JOIN b ON a.v = b.k", Map.of());

    private final TestStore store = new TestStore();
    private final ManualEnv env = new ManualEnv();
    private final PlanCache plans =
            new PlanCache(
                    env,
                    "/local",
                    store.tree(),
                    new CompileMemory(TestMemory.runs(), env),
                    1 << 20);
    private final Database database = Databases.of(store);

    @BeforeEach
    void create() {
        run("CREATE TABLE a (k Int32, v Int32, PRIMARY KEY (k))");
        run("CREATE TABLE b (k Int32, v Int32, PRIMARY KEY (k))");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aJoinIsChosenAgainWhenItsTablesHaveGrown() {
        assertThat(tree(plans.compile(JOIN))).contains("LookupJoin");
        fill("a", 3_000);
        fill("b", 3_000);
        assertThat(tree(plans.compile(JOIN))).contains("LookupJoin");
        env.pass(RowCounts.BETWEEN_LOOKS);
        assertThat(plans.find(JOIN)).isEmpty();
        assertThat(tree(plans.compile(JOIN))).contains("HashJoin");
    }

    @Test
    void aPreparedTextIsToo() {
        var prepared = new PreparedText(plans, JOIN);
        Session session = database.as(Caller.IN_PROCESS).openSession();
        assertThat(tree(prepared.compiled(session))).contains("LookupJoin");
        fill("a", 3_000);
        fill("b", 3_000);
        env.pass(RowCounts.BETWEEN_LOOKS);
        assertThat(tree(prepared.compiled(session))).contains("HashJoin");
    }

    @Test
    void aFewTimesAsManyRowsKeepThePlan() {
        fill("a", 500);
        fill("b", 500);
        Compiled first = plans.compile(JOIN);
        fill("a", 2_500);
        env.pass(RowCounts.BETWEEN_LOOKS);
        assertThat(plans.compile(JOIN).program()).isSameAs(first.program());
    }

    @Test
    void whatWasNotChosenByRowsIsNeverLookedAt() {
        var point = QueryText.ofQueryService("SELECT v FROM a WHERE k = 1", Map.of());
        Compiled first = plans.compile(point);
        fill("a", 3_000);
        env.pass(RowCounts.BETWEEN_LOOKS);
        assertThat(plans.compile(point).program()).isSameAs(first.program());
    }

    private String tree(Compiled compiled) {
        return database.explain(compiled).tree();
    }

    private void fill(String table, int rows) {
        run(
                "UPSERT INTO %s SELECT * FROM AS_TABLE(ListMap(ListFromRange(0, %d), ($i) -> (<|k: $i, v: $i|>)))"
                        .formatted(table, rows));
    }

    private void run(String text) {
        Texts.runAlone(
                database,
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(store.env())),
                new StreamingTest.Counted());
    }
}
