package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.analysis.GeneratedColumnAnalyzer;
import io.cleave.schema.Table;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.Test;

/// Joins with a table whose key begins with a generated column.
class GeneratedJoinsTest {
    @Test
    void aRowWhoseGeneratedKeyIsNullIsFound() {
        try (var store = new TestStore()) {
            var board = new QueryBoard(store);
            board.run(
                    "CREATE TABLE t (g Int64 AS (a % b) STORED, a Int64, b Int64, PRIMARY KEY (g,"
                            + " a, b))");
            board.run("CREATE TABLE wanted (n Int64, x Int64, y Int64, PRIMARY KEY (n))");
            board.run("UPSERT INTO t (a, b) VALUES (5, 0), (5, 2), (6, 2)");
            board.run("UPSERT INTO wanted (n, x, y) VALUES (1, 5, 0), (2, 5, 2), (3, 7, 7)");
            assertThat(board.number("SELECT COUNT(*) FROM t WHERE g IS NULL")).isEqualTo(1);
            assertThat(
                            board.number(
                                    "SELECT COUNT(*) FROM wanted AS w JOIN t ON w.x = t.a AND w.y"
                                            + " = t.b"))
                    .isEqualTo(2);
        }
    }

    @Test
    void aHashIsNullOnlyWhereItsSourceIs() {
        try (var store = new TestStore()) {
            new QueryBoard(store)
                    .run(
                            "CREATE TABLE t (g Uint64 AS (Digest::NumericHash(a)) STORED, h Uint64"
                                    + " AS (a % 7u) STORED, a Uint64, PRIMARY KEY (g, h, a))");
            Table table = store.tablets().table("t");
            assertThat(GeneratedColumnAnalyzer.ANALYZER.mayBeNull(table, table.key().get(0)))
                    .isFalse();
            assertThat(GeneratedColumnAnalyzer.ANALYZER.mayBeNull(table, table.key().get(1)))
                    .isTrue();
        }
    }
}
