package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Programs write long and deep expressions: a thousand terms and a hundred parentheses are run,
/// and what is far beyond that is refused with the limit. Everything is done on a virtual thread,
/// as by a server.
class DeepTextsTest {
    private static final int TERMS = 1000;
    private static final int PARENTHESES = 100;
    private static final int FAR_TOO_MANY = 10_000;

    private static final String TOO_MANY_OPERATORS = "at most 1200 operators on top of each other";
    private static final String TOO_MANY_PARENTHESES = "at most 200 parentheses or subqueries";

    private final TestDatabase database = new TestDatabase();

    @BeforeEach
    void fill() {
        database.run("CREATE TABLE t (k Int64 NOT NULL, v Int64, s Utf8, PRIMARY KEY (k))");
        database.run("UPSERT INTO t (k, v, s) VALUES (1, 2, 'x'u), (2, 3, 'y'u)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static <T> T onVirtualThread(Callable<T> work) {
        var task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StatusException refused) {
                throw refused;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<List<Value>> run(String text) {
        return onVirtualThread(() -> database.run(text));
    }

    private void gives(long number, String text) {
        assertThat(run(text)).containsExactly(List.of(Value.of(number)));
        String tree =
                onVirtualThread(
                                () ->
                                        database.database()
                                                .explain(
                                                        database.database()
                                                                .as(Caller.IN_PROCESS)
                                                                .newSession(),
                                                        QueryText.ofQueryService(text, Map.of())))
                        .tree();
        assertThat(tree).isNotEmpty();
    }

    private void refuses(String words, String text) {
        assertThatThrownBy(() -> run(text))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.GENERIC_ERROR))
                .hasMessageContaining(words);
    }

    private static String chain(String operator, String term, int count) {
        return String.join(operator, Collections.nCopies(count, term));
    }

    private static String around(String open, String inside, String close, int count) {
        return open.repeat(count) + inside + close.repeat(count);
    }

    @Test
    void sumsOfAThousandTerms() {
        gives(TERMS, "SELECT " + chain(" + ", "1L", TERMS) + " AS n");
        gives(2 * TERMS, "SELECT " + chain(" + ", "v", TERMS) + " AS n FROM t WHERE k = 1");
        refuses(TOO_MANY_OPERATORS, "SELECT " + chain(" + ", "1", FAR_TOO_MANY));
        refuses(TOO_MANY_OPERATORS, "SELECT " + chain("+", "v", FAR_TOO_MANY) + " FROM t");
    }

    @Test
    void sumsOfAThousandTermsInEveryClause() {
        String sum = chain(" + ", "v", TERMS);
        gives(2 * TERMS, "SELECT n FROM t WHERE k = 1 GROUP BY " + sum + " AS n");
        gives(5 * TERMS, "SELECT SUM(" + sum + ") AS n FROM t");
        gives(5 * TERMS, "SELECT " + chain(" + ", "SUM(v)", TERMS) + " AS n FROM t");
        gives(2, "SELECT k FROM t GROUP BY k HAVING SUM(" + sum + ") > " + 2 * TERMS);
        gives(2, "SELECT k FROM t ORDER BY " + sum + " DESC LIMIT 1");
        gives(2 * TERMS, "SELECT SUM(" + sum + ") OVER () AS n FROM t WHERE k = 1");
        gives(
                1,
                "SELECT a.k FROM t AS a JOIN t AS b ON a.k = b.k WHERE "
                        + chain(" + ", "a.v", TERMS)
                        + " = 2000");
        gives(1, "SELECT k FROM t WHERE k = " + chain(" + ", "0L", TERMS) + " + 1");
    }

    @Test
    void chainsOfOtherOperators() {
        gives(1, "SELECT k FROM t WHERE k = 1 AND LENGTH(" + chain(" || ", "s", TERMS) + ") > 0");
        gives(2, "SELECT " + chain(" ?? ", "v", TERMS) + " AS n FROM t WHERE k = 1");
        gives(1, "SELECT k FROM t WHERE " + chain(" XOR ", "v = 2", TERMS + 1));
        gives(-2, "SELECT " + "- ".repeat(TERMS + 1) + "v AS n FROM t WHERE k = 1");
        refuses(TOO_MANY_OPERATORS, "SELECT " + chain(" ?? ", "v", FAR_TOO_MANY) + " FROM t");
        gives(1, "SELECT k FROM t WHERE " + "NOT ".repeat(TERMS) + "(v = 2)");
        refuses(TOO_MANY_OPERATORS, "SELECT " + "NOT ".repeat(FAR_TOO_MANY) + "true");
    }

    /// They may be grouped at will, so that ten thousand of them are not deep.
    @Test
    void tenThousandConditions() {
        for (String term : List.of("v = 2", "k = 1")) {
            gives(1, "SELECT k FROM t WHERE " + chain(" OR ", term, TERMS));
            gives(1, "SELECT k FROM t WHERE " + chain(" AND ", term, TERMS));
        }
        assertThat(run("SELECT k FROM t WHERE " + chain(" OR ", "k = 1", FAR_TOO_MANY))).hasSize(1);
    }

    @Test
    void aHundredParentheses() {
        String from = " AS n FROM t WHERE k = 1";
        gives(2, "SELECT " + around("(", "v", ")", PARENTHESES) + from);
        gives(2 + PARENTHESES, "SELECT " + around("(1 + ", "v", ")", PARENTHESES) + from);
        gives(2 + PARENTHESES, "SELECT " + around("(", "v", " + 1)", PARENTHESES) + from);
        gives(2, "SELECT " + around("Abs(", "v", ")", PARENTHESES) + from);
        gives(2, "SELECT " + around("IF(v = 1, 1L, ", "v", ")", PARENTHESES) + from);
        gives(
                2,
                "SELECT "
                        + around("CASE WHEN v = 1 THEN 1L ELSE ", "v", " END", PARENTHESES)
                        + from);
        gives(1, "SELECT k FROM t WHERE " + around("(v = 2 OR ", "v = 9", ")", PARENTHESES));
        gives(1, "SELECT k FROM t WHERE " + around("(", "k = 9", " OR k = 1)", PARENTHESES));
        for (String inside : List.of("v", "v + 1")) {
            String text = "SELECT " + around("(", inside, ")", FAR_TOO_MANY) + " FROM t";
            refuses(TOO_MANY_PARENTHESES, text);
        }
        refuses(TOO_MANY_PARENTHESES, "SELECT " + around("[", "1", "]", FAR_TOO_MANY));
        refuses(
                TOO_MANY_PARENTHESES,
                "SELECT CAST(NULL AS " + around("List<", "Int32", ">", FAR_TOO_MANY) + ")");
    }

    /// A short text that has a deep one in it.
    @Test
    void aViewOfAThousandTerms() {
        run(
                "CREATE VIEW deep WITH (security_invoker = TRUE) AS SELECT "
                        + chain(" + ", "v", TERMS)
                        + " AS n FROM t WHERE k = 1");
        gives(2 * TERMS, "SELECT n FROM deep");
        gives(TERMS, "SELECT (SELECT n FROM deep) / 2 AS n");
    }

    @Test
    void aGeneratedColumnOfAThousandTerms() {
        String sum = chain(" + ", "Digest::NumericHash(k)", TERMS);
        run(
                "CREATE TABLE g (h Uint64 AS (%s) STORED, k Uint64, PRIMARY KEY (h, k))"
                        .formatted(sum));
        run("UPSERT INTO g (k) VALUES (7)");
        gives(7, "SELECT CAST(k AS Int64) AS n FROM g WHERE k = 7");
    }

    @Test
    void scriptsAndSchemes() {
        String sum = chain(" + ", "1L", TERMS);
        run("CREATE TABLE d (k Int64, v Int64 DEFAULT " + sum + ", PRIMARY KEY (k))");
        onVirtualThread(
                () -> {
                    Texts.runScript(
                            database.database(),
                            QueryText.ofQueryService(
                                    "UPSERT INTO d (k) VALUES (1); COMMIT; SELECT " + sum,
                                    Map.of()),
                            database.newRun(),
                            new TestDatabase.Collected());
                    return null;
                });
        gives(TERMS, "SELECT v FROM d");
        onVirtualThread(
                () -> {
                    database.database().parse("SELECT " + sum);
                    return null;
                });
    }
}
