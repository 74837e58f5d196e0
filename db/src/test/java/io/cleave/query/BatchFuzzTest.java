package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.QueryBench;
import io.cleave.exec.RunOptions;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/// Random filters and groups over random rows: by batches on several threads they come to what they
/// come to row by row. Rows are overwritten in part, erased, and lie in memtables and in files.
class BatchFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 120);

    /// Flushes after a few hundred rows.
    private static final CellOptions SMALL =
            new CellOptions(64 << 10, 240L << 20, 32L << 20, 384L << 20, 10_000);

    private static final List<String> NUMBERS =
            List.of("i", "u", "y", "d", "f", "m", "n", "k", "CAST(y AS Int64)");

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void batchesAnswerAsRowsDo() {
        try (var store = new TestStore(SMALL)) {
            var real = new RealStore(store, random.nextBoolean());
            var rows = new QueryBench<>(real, RunOptions.DEFAULT.byRow());
            var batches = new QueryBench<>(real, RunOptions.DEFAULT.withPartBytes(8 << 10));
            assertThat(
                            rows.answer(
                                    List.of(
                                            """
                                            CREATE TABLE t (k Int32, s Utf8, i Int64, u Uint64,
                                                y Uint8, d Double, f Float, m Decimal(12,2),
                                                n Decimal(35,5), b Bool, g String, day Date,
                                                PRIMARY KEY (k, s))\
                                            """)))
                    .isEqualTo("ok");
            int refused = 0;
            for (int round = 0; round < ROUNDS; round++) {
                if (round % 10 == 0) {
                    String write = write();
                    assertThat(rows.answer(List.of(write))).as(write).isEqualTo("ok");
                }
                String query = random.nextInt(3) == 0 ? select() : group();
                String expected = rows.answer(List.of(query));
                refused += expected.startsWith("GENERIC_ERROR") ? 1 : 0;
                assertThat(batches.answer(List.of(query)))
                        .as("-Dseed=%d: %s", seed, query)
                        .isEqualTo(expected);
            }
            assertThat(refused).as("queries that have no types").isLessThan(ROUNDS / 2);
        }
    }

    private String write() {
        if (random.nextInt(6) == 0) {
            return "DELETE FROM t WHERE k % 7 = " + random.nextInt(7);
        }
        List<String> columns =
                new ArrayList<>(List.of("i", "u", "y", "d", "f", "m", "n", "b", "g", "day"));
        while (random.nextInt(3) > 0 && columns.size() > 1) {
            columns.remove(random.nextInt(columns.size()));
        }
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < 150; row++) {
            List<String> values =
                    new ArrayList<>(
                            List.of("" + random.nextInt(300), "'s" + random.nextInt(3) + "'u"));
            columns.forEach(column -> values.add(value(column)));
            rows.add("(" + String.join(", ", values) + ")");
        }
        String kind = random.nextInt(3) == 0 ? "REPLACE" : "UPSERT";
        return kind
                + " INTO t (k, s, "
                + String.join(", ", columns)
                + ") VALUES "
                + String.join(", ", rows);
    }

    /// Sums of the reals are exact, whatever the order.
    private String value(String column) {
        int small = random.nextInt(-20, 20);
        if (random.nextInt(5) == 0) {
            return "NULL";
        }
        boolean odd = random.nextInt(12) == 0;
        return switch (column) {
            case "i" -> odd ? "CAST('-9223372036854775808' AS Int64)" : small + "l";
            case "u" -> odd ? "18446744073709551615ul" : Math.abs(small) + "ul";
            case "y" -> Math.abs(small) + "ut";
            case "d" -> odd ? "CAST('" + special() + "' AS Double)" : small / 4.0 + "";
            case "f" -> odd ? "CAST('" + special() + "' AS Float)" : small / 4.0 + "f";
            case "m" -> "Decimal('" + (odd ? special() : small * 1.25) + "', 12, 2)";
            case "n" -> "Decimal('" + (odd ? special() : small + "e20") + "', 35, 5)";
            case "b" -> random.nextBoolean() ? "true" : "false";
            case "g" -> "'" + "abcdefghij".substring(0, random.nextInt(10)) + "'";
            default -> "Date('2020-01-%02d')".formatted(random.nextInt(1, 29));
        };
    }

    private String special() {
        return List.of("nan", "inf", "-inf", "0", "-0").get(random.nextInt(5));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String pattern() {
        return pick("'a%'", "'%c'", "'%bc%'", "'S_'", "'ab_d%'", "'%'", "''", "'abc'");
    }

    private String chosen() {
        return switch (random.nextInt(6)) {
            case 0 -> "CASE WHEN " + predicate() + " THEN i ELSE CAST(k AS Int64) END";
            case 1 -> "COALESCE(u, 7ul)";
            case 2 -> "IF(" + predicate() + ", d, 0.5)";
            case 3 -> "COALESCE(m, Decimal('1.25', 12, 2))";
            case 4 -> "CASE y WHEN 3 THEN f WHEN 5 THEN f ELSE NULL END";
            default -> "CASE WHEN b THEN n WHEN i IN (1, 2) THEN NULL ELSE n END";
        };
    }

    private String number() {
        if (random.nextInt(4) == 0) {
            return chosen();
        }
        String one = NUMBERS.get(random.nextInt(NUMBERS.size()));
        if (random.nextInt(2) == 0) {
            return one;
        }
        String other =
                one.equals("m") || one.equals("n")
                        ? random.nextBoolean() ? one : "2"
                        : List.of("i", "u", "y", "d", "3", "0.5", "0").get(random.nextInt(7));
        return "(" + one + " " + "+-*/%".charAt(random.nextInt(5)) + " " + other + ")";
    }

    private String predicate() {
        String comparison = List.of("<", "<=", ">", ">=", "=", "!=").get(random.nextInt(6));
        return switch (random.nextInt(20)) {
            case 12 -> "k IN (1, 5, NULL, " + random.nextInt(300) + ")";
            case 13 -> "NOT (u IN (1, 2, 3ul, 18446744073709551615ul) OR y IN (-1, 3l, 5ut))";
            case 14 -> "d IN (0.25, 1.5, 2.0) OR m IN (Decimal('2.50', 12, 2), 5)";
            case 15 -> pick("g", "s") + pick(" LIKE ", " NOT LIKE ", " ILIKE ") + pattern();
            case 16 -> "CASE WHEN " + predicate() + " THEN b WHEN i > 3 THEN false ELSE NULL END";
            case 17 -> "COALESCE(b, " + predicate() + ", true)";
            case 18 -> "IF(b, i, 3l) " + comparison + " COALESCE(i, CAST(y AS Int64), 2l)";
            case 19 -> "COALESCE(g, 'none') IN ('abc', 'none', '', 'abcdefghi')";
            case 0 -> "k " + comparison + " " + random.nextInt(300);
            case 1 -> "i " + comparison + " " + random.nextInt(-20, 20);
            case 2 -> "d " + comparison + " " + random.nextInt(-5, 5);
            case 3 -> "m " + comparison + " " + random.nextInt(-20, 20);
            case 4 -> "g " + comparison + " 'abc'";
            case 5 -> "day " + comparison + " Date('2020-01-15')";
            case 6 -> "(b OR u " + comparison + " y)";
            case 7 -> "NOT (d " + comparison + " f AND n " + comparison + " n)";
            case 8 -> "(i IS NULL OR s " + comparison + " 's1')";
            case 9 -> "g LIKE 'ab%'";
            case 10 -> "k IN (1, 5, 7, 100, 200)";
            default -> "i + 1 " + comparison + " d * 2.0";
        };
    }

    private String where() {
        List<String> terms = new ArrayList<>();
        while (random.nextInt(3) > 0 && terms.size() < 3) {
            terms.add(predicate());
        }
        return terms.isEmpty() ? "" : " WHERE " + String.join(" AND ", terms);
    }

    private String group() {
        List<String> keys = new ArrayList<>();
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "k",
                                "s",
                                "y",
                                "b",
                                "g",
                                "d",
                                "m",
                                "day",
                                "k % 5",
                                "u",
                                "COALESCE(g, s)",
                                "IF(b, day, NULL)",
                                "g LIKE 'ab%'"));
        while (random.nextInt(3) > 0 && keys.size() < 3) {
            keys.add(all.remove(random.nextInt(all.size())));
        }
        List<String> values = new ArrayList<>();
        for (int value = random.nextInt(1, 5); value > 0; value--) {
            values.add(
                    switch (random.nextInt(9)) {
                        case 0 -> "COUNT(*)";
                        case 1 -> "COUNT(" + number() + ")";
                        case 2 ->
                                "MIN(" + List.of("g", "day", "b", "s").get(random.nextInt(4)) + ")";
                        case 3 -> "MAX(" + number() + ")";
                        case 4 -> "MIN(" + number() + ")";
                        case 5 -> "AVG(" + List.of("i", "y", "m", "k").get(random.nextInt(4)) + ")";
                        case 6 -> random.nextInt(4) == 0 ? "COUNT(DISTINCT i)" : "SUM(i)";
                        case 7 -> "SUM(" + List.of("u", "y", "d", "f").get(random.nextInt(4)) + ")";
                        default -> "SUM(m * (1 - m))";
                    });
        }
        String select = String.join(", ", values);
        if (keys.isEmpty()) {
            return "SELECT " + select + " FROM t" + where();
        }
        List<String> named = new ArrayList<>();
        for (int key = 0; key < keys.size(); key++) {
            named.add(keys.get(key) + " AS g" + key);
        }
        return "SELECT " + select + " FROM t" + where() + " GROUP BY " + String.join(", ", named);
    }

    private String select() {
        String limit = random.nextBoolean() ? " LIMIT " + random.nextInt(20) : "";
        return "SELECT k, s, " + number() + ", g FROM t" + where() + limit;
    }
}
