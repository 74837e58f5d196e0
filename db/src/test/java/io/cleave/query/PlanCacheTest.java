package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.TestMemory;
import io.cleave.testkit.TestStore;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.ytql.YtPlaceholder;
import io.cleave.ytql.YtQueryOptions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Programs are counted by what they take, not only by the length of their texts.
class PlanCacheTest {
    private final TestStore store = new TestStore();
    private final PlanCache plans =
            new PlanCache(
                    new ManualEnv(),
                    "/local",
                    store.tree(),
                    new CompileMemory(TestMemory.runs(), new ManualEnv()),
                    64L << 20);
    private final Database database = Databases.of(store);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void typesOfParametersAreCounted() {
        List<Type.Member> members = new ArrayList<>();
        for (int index = 0; index < 1000; index++) {
            members.add(new Type.Member("member" + index, Primitive.UTF8));
        }
        plans.compile(QueryText.ofQueryService("SELECT 1", Map.of("$p", new Type.Struct(members))));
        assertThat(plans.bytes()).isGreaterThan(50_000);
    }

    @Test
    void viewsAreCountedWithTheirTexts() {
        String large = "SELECT " + "1 + 1 + 1 + 1 + 1 + 1 + ".repeat(50) + "1 AS x";
        run("CREATE VIEW v WITH (security_invoker = TRUE) AS " + large);
        plans.compile(QueryText.ofQueryService("SELECT x FROM v", Map.of()));
        assertThat(plans.bytes()).isGreaterThan(128L * large.length());
    }

    @Test
    void columnsOfTablesAreCounted() {
        StringBuilder columns = new StringBuilder("k Int32");
        for (int index = 0; index < 199; index++) {
            columns.append(", c%d Int32".formatted(index));
        }
        run("CREATE TABLE wide (%s, PRIMARY KEY (k))".formatted(columns));
        plans.compile(QueryText.ofQueryService("SELECT * FROM wide", Map.of()));
        assertThat(plans.bytes()).isGreaterThan(50_000);
    }

    @Test
    void valuesOfPlaceholdersAreCountedWithTheText() {
        run("CREATE TABLE t (k Int64, s String, PRIMARY KEY (k))");
        plans.compile(search("x".repeat(40_000)));
        assertThat(plans.bytes()).isGreaterThan(128L * 40_000);
        assertThat(plans.find(search("x".repeat(40_000)))).isPresent();
        plans.compile(search("x".repeat(1_000_000)));
        assertThat(plans.find(search("x".repeat(1_000_000)))).isEmpty();
    }

    /// The value is a part of the program.
    private static QueryText search(String value) {
        YtQueryOptions none = YtQueryOptions.DEFAULT;
        return QueryText.ofYt(
                "k from [//t] where is_substr({s}, s)",
                new YtQueryOptions(
                        none.syntaxVersion(),
                        none.canonicalNulls(),
                        none.allowFullScan(),
                        none.allowJoinWithoutIndex(),
                        none.rangeExpansionLimit(),
                        Map.of("s", new YtPlaceholder.Text('"' + value + '"')),
                        none.paths()));
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
