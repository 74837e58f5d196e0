package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.TestStore;
import io.cleave.value.Value;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/// Random predicates over a table whose key begins with generated columns find the same rows as in
/// one that is read as a whole.
class GeneratedRangesFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int PREDICATES = 120;
    private static final int VALUES = 5;

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "g Uint64 AS (Digest::NumericHash(a)), h Int64 AS (b % 3 + (c ?? 100))",
                "g Uint64 AS (a / 2), h Int64 AS (b / 2 + b / -3)",
                "g Uint64 AS (Digest::NumericHash(a / 3)), h Int64 AS (b % 2)",
                "g Uint64 AS (Digest::NumericHash(a) % 3), h Int64 AS (c / 2)",
                "g Uint64 AS (a >> 1), h Int64 AS ((b / 2) % 2)",
                "g Uint64 AS (Digest::NumericHash(a / 2) % 3 ?? 7ul), h Int64 AS (b / 2 + c)",
            })
    void inferredRangesFindWhatIsThere(String generated) {
        try (var store = new TestStore()) {
            var board = new QueryBoard(store);
            List<String> key = new ArrayList<>(List.of("a", "b", "c", "g", "h"));
            Collections.shuffle(key, random);
            String primaryKey = String.join(", ", key);
            board.run(
                    "CREATE TABLE t ("
                            + generated
                            + ", a Uint64, b Int64, c Int64 NOT NULL, PRIMARY KEY ("
                            + primaryKey
                            + "))");
            board.run(
                    "CREATE TABLE plain (n Uint64, g Uint64, h Int64, a Uint64, b Int64, c Int64,"
                            + " PRIMARY KEY (n))");
            fill(board);
            int points = 0;
            for (int number = 0; number < PREDICATES; number++) {
                String predicate = predicate(3);
                String limit =
                        "PRAGMA cleave.RangeExpansionLimit = "
                                + List.of(1, 4, 20, 200_000).get(random.nextInt(4))
                                + "; ";
                String found =
                        sorted(board.run(limit + "SELECT a, b, c, g, h FROM t WHERE " + predicate));
                String expected =
                        sorted(board.run("SELECT a, b, c, g, h FROM plain WHERE " + predicate));
                assertThat(found)
                        .as(
                                "-Dseed=%d: %s, key %s: %s%s",
                                SEED, generated, primaryKey, limit, predicate)
                        .isEqualTo(expected);
                points += found.equals("[]") ? 0 : 1;
            }
            assertThat(points).as("-Dseed=%d: predicates with rows", SEED).isPositive();
        }
    }

    private static void fill(QueryBoard board) {
        List<String> rows = new ArrayList<>();
        for (int a = -1; a < VALUES; a++) {
            for (int b = -1; b < VALUES; b++) {
                for (int c = 0; c < VALUES; c++) {
                    // Negative numbers, too: their quotients are rounded to zero.
                    rows.add(
                            "(%s, %s, %d)"
                                    .formatted(nullable(a), b < 0 ? "NULL" : b - 3 + "", c - 2));
                }
            }
        }
        board.run("UPSERT INTO t (a, b, c) VALUES " + String.join(", ", rows));
        List<List<Value>> stored = board.run("SELECT a, b, c FROM t");
        assertThat(stored).hasSize(rows.size());
        board.run(
                "UPSERT INTO plain SELECT ROW_NUMBER() OVER w AS n, a, b, c, g, h FROM t WINDOW w"
                        + " AS (ORDER BY c)");
        assertThat(board.number("SELECT COUNT(*) FROM plain")).isEqualTo(rows.size());
    }

    private static String nullable(int value) {
        return value < 0 ? "NULL" : Integer.toString(value);
    }

    private static String sorted(List<List<Value>> rows) {
        return rows.stream().map(List::toString).sorted().toList().toString();
    }

    private String predicate(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return term();
        }
        String by = random.nextInt(3) == 0 ? " OR " : " AND ";
        int count = 2 + random.nextInt(2);
        List<String> terms = new ArrayList<>();
        for (int term = 0; term < count; term++) {
            terms.add(predicate(depth - 1));
        }
        String all = "(" + String.join(by, terms) + ")";
        return random.nextInt(10) == 0 ? "NOT " + all : all;
    }

    private String term() {
        String column = List.of("a", "b", "c").get(random.nextInt(3));
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> column + " = " + value();
            case 3, 4 -> column + " IN (" + values() + ")";
            case 5 ->
                    "(a, b) IN (("
                            + value()
                            + ", "
                            + value()
                            + "), ("
                            + value()
                            + ", "
                            + value()
                            + "))";
            case 6 -> column.equals("c") ? "c >= " + value() : column + " IS NULL";
            case 7 -> column + (random.nextBoolean() ? " > " : " < ") + value();
            case 8 -> column + " BETWEEN " + (value() - 3) + " AND " + value();
            default ->
                    random.nextBoolean()
                            ? "h = " + random.nextInt(8)
                            : "g = Digest::NumericHash(%dul)".formatted(random.nextInt(VALUES));
        };
    }

    private int value() {
        return random.nextInt(VALUES + 3) - 2;
    }

    private String values() {
        return random.ints(1 + random.nextInt(3), -3, VALUES + 1)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }
}
