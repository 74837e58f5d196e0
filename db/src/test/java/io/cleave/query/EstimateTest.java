package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.Test;

import java.util.Map;

/// What EXPLAIN says of how many rows a read will find.
class EstimateTest {
    private final TestStore store = new TestStore();
    private final Database database = Databases.of(store);

    @Test
    void aPlanSaysAboutHowManyRowsItReads() {
        run("CREATE TABLE t (k Int32, v Int32, PRIMARY KEY (k))");
        run("UPSERT INTO t (k, v) VALUES (1, 1), (2, 2), (3, 3)");
        assertThat(explain("SELECT v FROM t").tree()).contains("rows: about 3");
        assertThat(explain("SELECT v FROM t").json())
                .contains("\"E-Rows\":\"3\"")
                .contains("\"PlanNodeId\":0,\"Node Type\":\"TableFullScan\"");
        assertThat(explain("SELECT v FROM t WHERE k IN (1, 7)").tree()).contains("rows: about 2");
        assertThat(explain("SELECT v FROM t WHERE k = 1").json()).contains("\"E-Rows\":\"1\"");
    }

    private Explanation explain(String text) {
        return database.explain(database.compile(QueryText.ofQueryService(text, Map.of())));
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
