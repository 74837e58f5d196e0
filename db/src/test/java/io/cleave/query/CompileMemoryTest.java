package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.function.call.Dialect;
import io.cleave.memory.MemoryBudget;
import io.cleave.memory.MemoryPool;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.TestStore;
import io.cleave.ytql.YtPlaceholder;
import io.cleave.ytql.YtQueryOptions;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// A text of 128 KB is a syntax tree of a hundred MB: texts that are compiled at the same time take
/// their memory from the pool for runs.
class CompileMemoryTest {
    private static final String LARGE = "SELECT ListLength(AsList(" + "1,".repeat(60_000) + "1))";

    /// Many characters, and few tokens.
    private static final String LONG_STRING = "SELECT '" + "[1],".repeat(30_000) + "'";

    private static final String COMMENT = "SELECT 1 /*" + "1,".repeat(60_000) + "*/";

    private final TestStore store = new TestStore();

    @Test
    void aTextThatTakesMoreThanItsShareIsRefused() {
        MemoryBudget budget = budget(256);
        Database database = database(budget);
        var refused = catchThrowableOfType(StatusException.class, () -> compile(database, LARGE));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(refused).hasMessageContaining("Compiling this text takes about");
        assertThat(highest(budget.runs())).isZero();
        compile(database, LONG_STRING);
        compile(database, COMMENT);
    }

    @Test
    void aRefusedTextIsNotParsedByAnyCall() {
        var deep = new AtomicInteger();
        Env env =
                new ForwardingEnv(new SystemEnv()) {
                    @Override
                    public <T> T deep(Supplier<T> work) {
                        deep.incrementAndGet();
                        return super.deep(work);
                    }
                };
        Database database = database(env, budget(256));
        Session session = database.as(Caller.IN_PROCESS).newSession();
        var text = new QueryText(LARGE, Map.of(), Dialect.QUERY_SERVICE);
        var run =
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(env));
        var results = new TestDatabase.Collected();
        List<ThrowingCallable> calls =
                List.of(
                        () -> database.run(session, text, run, results),
                        () -> database.explain(session, text),
                        () -> database.changesScheme(session, text),
                        () -> database.runScript(session, text, run, results),
                        () -> database.explainScript(session, text));
        for (ThrowingCallable call : calls) {
            var refused = catchThrowableOfType(StatusException.class, call);
            assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
        }
        assertThat(deep.get()).isZero();
    }

    @Test
    void viewsOfATextAreCounted() {
        Database database = database(store.env(), budget(256));
        String large = "SELECT ListLength(AsList(" + "1,".repeat(20_000) + "1)) AS count";
        Session session = database.as(Caller.IN_PROCESS).newSession();
        var create =
                new QueryText(
                        "CREATE VIEW v WITH (security_invoker = TRUE) AS " + large,
                        Map.of(),
                        Dialect.QUERY_SERVICE);
        var run =
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(store.env()));
        var _ =
                database(store.env(), budget(1024))
                        .run(session, create, run, new TestDatabase.Collected());
        var refused =
                catchThrowableOfType(
                        StatusException.class, () -> compile(database, "SELECT * FROM v"));
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused).hasMessageContaining("Compiling a view of this text");
        MemoryBudget enough = budget(1024);
        compile(database(store.env(), enough), "SELECT * FROM v");
        assertThat(highest(enough.runs())).isGreaterThan(20_000_000);
        assertThat(enough.runs().usedBytes()).isZero();
    }

    @Test
    void whatIsOnlyParsedIsCountedToo() {
        var refused =
                catchThrowableOfType(
                        StatusException.class, () -> database(budget(256)).parse(LARGE));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
    }

    /// The lexer of the other dialect would take the list for a string.
    @Test
    void theAnsiDialectHidesNothing() {
        String text =
                "--!ansi_lexer\nSELECT '\\', ListLength(AsList("
                        + "1,".repeat(60_000)
                        + "1)), '\\'";
        var refused =
                catchThrowableOfType(
                        StatusException.class, () -> compile(database(budget(256)), text));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
    }

    /// Texts of YTsaurus' language may be as long as a request.
    @Test
    void aTextOfTheOtherLanguageIsRefusedToo() {
        MemoryBudget budget = budget(256);
        Database database = database(budget);
        String text = "1 from [//t] where k in (" + "1,".repeat(1_000_000) + "1)";
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> database.compile(QueryText.ofYt(text, YtQueryOptions.DEFAULT)));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
    }

    /// The texts of placeholders are parsed, too, once for each place.
    @Test
    void placeholdersAreCounted() {
        String list = "(" + "1,".repeat(20_000) + "1)";
        String text = "1 from [//t] where k in {list}" + " or k in {list}".repeat(50);
        String one = "1 from [//t] where s = {s}";
        for (QueryText large :
                List.of(
                        withPlaceholder(text, "list", list),
                        withPlaceholder(
                                one + " or s = {s}".repeat(100),
                                "s",
                                '"' + "x".repeat(500_000) + '"'),
                        withPlaceholder(one, "s", "1 + ".repeat(1_000_000) + "1"))) {
            MemoryBudget budget = budget(256);
            var refused =
                    catchThrowableOfType(
                            StatusException.class, () -> database(budget).compile(large));
            assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
            assertThat(highest(budget.runs())).isZero();
        }
    }

    private static QueryText withPlaceholder(String text, String name, String value) {
        YtQueryOptions none = YtQueryOptions.DEFAULT;
        return QueryText.ofYt(
                text,
                new YtQueryOptions(
                        none.syntaxVersion(),
                        none.canonicalNulls(),
                        none.allowFullScan(),
                        none.allowJoinWithoutIndex(),
                        none.rangeExpansionLimit(),
                        Map.of(name, new YtPlaceholder.Text(value)),
                        none.paths()));
    }

    @Test
    void textsWaitForEachOther() throws Exception {
        MemoryBudget budget = budget(1024);
        Database database = database(budget);
        try (var threads = Executors.newFixedThreadPool(4)) {
            var all =
                    IntStream.range(0, 4)
                            .mapToObj(number -> LARGE + " + " + number)
                            .map(text -> threads.submit(() -> compile(database, text)))
                            .toList();
            for (var each : all) {
                each.get();
            }
        }
        assertThat(highest(budget.runs())).isBetween(80L << 20, budget.runs().limitBytes() / 4 * 3);
        assertThat(budget.runs().usedBytes()).isZero();
    }

    @Test
    void aTextThatWaitsForRunsIsNotCountedAsRefused() throws Exception {
        MemoryBudget budget = budget(1024);
        MemoryPool runs = budget.runs();
        var looks = new AtomicInteger();
        Env env =
                new ForwardingEnv(new SystemEnv()) {
                    @Override
                    public void sleep(Duration time) throws InterruptedException {
                        if (looks.incrementAndGet() == 10) {
                            runs.give(runs.limitBytes());
                        }
                        super.sleep(time);
                    }
                };
        runs.take(runs.limitBytes());
        compile(database(env, budget), LARGE);
        assertThat(looks.get()).isGreaterThanOrEqualTo(10);
        assertThat(runs.figures().refusals()).isZero();
        assertThat(runs.usedBytes()).isZero();
    }

    private static MemoryBudget budget(int megabytes) {
        return new MemoryBudget((long) megabytes << 20, new SystemEnv());
    }

    private static long highest(MemoryPool pool) {
        return pool.figures().highestBytes();
    }

    private Database database(MemoryBudget budget) {
        return database(store.env(), budget);
    }

    private Database database(Env env, MemoryBudget budget) {
        return new Database(
                env,
                1,
                store.tree(),
                store.transactions(),
                budget,
                Optional.empty(),
                BackgroundWork.NONE);
    }

    private static Compiled compile(Database database, String text) {
        return database.compile(new QueryText(text, Map.of(), Dialect.QUERY_SERVICE));
    }
}
