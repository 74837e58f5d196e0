package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Issue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

/// A query that writes what its user should not is told so, once for each table.
class WriteWarningsTest {
    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    private List<Issue> issues(String text) {
        return database.summary(text).issues();
    }

    private void only(String text, String words) {
        assertThat(issues(text))
                .singleElement()
                .satisfies(
                        issue -> {
                            assertThat(issue.severity()).isEqualTo(Issue.Severity.WARNING);
                            assertThat(issue.message()).startsWith("Table '/local/t': ");
                            assertThat(issue.message()).contains(words);
                        });
    }

    @Test
    void aKeyOverTwoKilobytes() {
        database.run("CREATE TABLE t (k String, v Int32, PRIMARY KEY (k))");
        String text = "UPSERT INTO t (k, v) VALUES (ListConcat(ListReplicate('x', %du)), 1)";
        assertThat(issues(text.formatted(2048))).isEmpty();
        only(text.formatted(2049), "a key of 2049 bytes was written");
        assertThat(issues("DELETE FROM t")).isEmpty();
    }

    @Test
    void aRowOverEightMegabytes() {
        database.run("CREATE TABLE t (k Int32, a String, b String, PRIMARY KEY (k))");
        String half = "ListConcat(ListReplicate('12345678', %du))";
        String text = "UPSERT INTO t (k, a, b) VALUES (1, " + half + ", " + half + ")";
        assertThat(issues(text.formatted(1 << 19, 1 << 18))).isEmpty();
        only(text.formatted(1 << 19, 1 << 19), "bytes were written to one row");
    }

    @Test
    void aNullInAnyColumnOfAKey() {
        database.run("CREATE TABLE t (a Int32, b Utf8, c Uint64, v Int32, PRIMARY KEY (a, b, c))");
        assertThat(issues("UPSERT INTO t (a, b, c, v) VALUES (0, ''u, 0, NULL)")).isEmpty();
        only("UPSERT INTO t (a, b, c) VALUES (NULL, 'x'u, 1)", "NULL in its key");
        only("UPSERT INTO t (a, b, c) VALUES (1, NULL, 1)", "NULL in its key");
        only("UPSERT INTO t (a, b, c) VALUES (1, 'x'u, 1), (1, 'x'u, NULL)", "NULL in its key");
        only("UPDATE t SET v = 1 WHERE a IS NULL", "NULL in its key");
    }

    @Test
    void theKeysOfIndexesAreNobodysChoice() {
        database.run(
                "CREATE TABLE t (k Int32 NOT NULL, v String, PRIMARY KEY (k), INDEX i GLOBAL ON"
                        + " (v))");
        assertThat(issues("UPSERT INTO t (k, v) VALUES (1, NULL)")).isEmpty();
        assertThat(issues("UPSERT INTO t (k, v) VALUES (2, ListConcat(ListReplicate('x', 3000u)))"))
                .isEmpty();
    }
}
