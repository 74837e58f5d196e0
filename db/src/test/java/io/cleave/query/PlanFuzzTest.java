package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.QueryBench;
import io.cleave.exec.RunOptions;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.plan.PlanRules;
import io.cleave.txn.Transaction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/// Random queries come to the same rows with the optimizer and without, by batches and by rows,
/// whatever the store says of how many rows there are, on one tablet and on fifty in three cells.
class PlanFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 60);

    /// Of a query: less than the rows of the tables take.
    private static final long LITTLE = 24 << 10;

    private static final RunOptions SMALL_PARTS = RunOptions.DEFAULT.withPartBytes(256);

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final RandomQueries queries = new RandomQueries(random.split());

    @TempDir private Path folder;

    /// One way to run queries.
    private record Way(String name, QueryBench<?> bench) {}

    @Test
    void everyWayGivesTheSameRows() {
        var whole = new RealStore(false);
        var cut = RealStore.fifty();
        RunOptions byRow = RunOptions.DEFAULT.byRow();
        var plain = new QueryBench<>(whole, byRow).with(PlanRules.NONE);
        List<Way> ways =
                List.of(
                        new Way("optimized", new QueryBench<>(whole, byRow)),
                        new Way(
                                "by batches",
                                new QueryBench<>(whole, RunOptions.DEFAULT.withPartBytes(256))),
                        new Way("on many tablets", new QueryBench<>(cut, byRow)),
                        new Way(
                                "with any statistics",
                                new QueryBench<>(new GuessingStore(whole, random.split()), byRow)),
                        new Way(
                                "by batches on many tablets, with any statistics",
                                new QueryBench<>(
                                        new GuessingStore(cut, random.split()),
                                        RunOptions.DEFAULT.withPartBytes(256))),
                        new Way(
                                "by batches on many tablets",
                                new QueryBench<>(cut, RunOptions.DEFAULT.withPartBytes(256))),
                        new Way(
                                "with little memory",
                                new QueryBench<>(
                                        cut,
                                        RunOptions.DEFAULT.withMemory(LITTLE),
                                        SpillFolder.open(folder, 64 << 20))),
                        new Way(
                                "on many tablets, as written",
                                new QueryBench<>(cut, byRow).with(PlanRules.NONE)));
        for (String statement : statements()) {
            assertThat(plain.answer(List.of(statement))).as(statement).isEqualTo("ok");
            assertThat(ways.get(2).bench().answer(List.of(statement))).isEqualTo("ok");
        }
        int refused = 0;
        int tooLarge = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String query = random.nextInt(3) == 0 ? query() : queries.next();
            String expected = answer(plain, query);
            refused += expected.startsWith("GENERIC_ERROR") ? 1 : 0;
            for (Way way : ways) {
                String found = answer(way.bench(), query);
                if (found.contains("Memory limit exceeded")) {
                    tooLarge++;
                    continue;
                }
                assertThat(found)
                        .as("-Dseed=%d %s: %s", seed, way.name(), query)
                        .isEqualTo(expected);
            }
        }
        assertThat(folder).as("what was put on disk").isEmptyDirectory();
        assertThat(tooLarge)
                .as("queries that little memory is too little for")
                .isLessThan(ROUNDS / 4);
        assertThat(refused).as("queries that have no types").isLessThan(ROUNDS / 4);
    }

    /// Writes come to the same rows, too, those of RETURNING and those that each index has.
    @Test
    void everyWayWritesTheSame() {
        var whole = new RealStore(false);
        var cut = RealStore.fifty();
        var plain = new QueryBench<>(whole, RunOptions.DEFAULT.byRow()).with(PlanRules.NONE);
        List<Way> ways =
                List.of(
                        new Way("by batches", new QueryBench<>(whole, SMALL_PARTS)),
                        new Way("on many tablets", new QueryBench<>(cut, SMALL_PARTS)),
                        new Way(
                                "with any statistics",
                                new QueryBench<>(
                                        new GuessingStore(whole, random.split()), SMALL_PARTS)));
        for (String statement : statements()) {
            assertThat(plain.answer(List.of(statement))).as(statement).isEqualTo("ok");
            assertThat(ways.get(1).bench().answer(List.of(statement))).isEqualTo("ok");
        }
        for (int round = 0; round < ROUNDS / 2; round++) {
            String text = queries.write();
            String expected = undone(plain, text);
            for (Way way : ways) {
                assertThat(undone(way.bench(), text))
                        .as("-Dseed=%d %s: %s", seed, way.name(), text)
                        .isEqualTo(expected);
            }
        }
    }

    /// What a text answers that is rolled back then; its rows in no order.
    private static String undone(QueryBench<?> bench, String text) {
        Transaction transaction = bench.database.begin();
        try {
            String[] lines = bench.printed(bench.compile(text, Map.of()), transaction).split("\n");
            Arrays.sort(lines);
            return String.join("\n", lines);
        } finally {
            transaction.rollback();
        }
    }

    /// Without an ORDER BY over all columns rows come as they like.
    private static String answer(QueryBench<?> bench, String query) {
        String[] lines = bench.answer(query.lines().toList()).split("\n");
        if (!isOrdered(query)) {
            Arrays.sort(lines);
        }
        return String.join("\n", lines);
    }

    /// Whether an ORDER BY stands behind all of it, in no parentheses.
    private static boolean isOrdered(String query) {
        int at = query.lastIndexOf("ORDER BY");
        int open = 0;
        for (int index = Math.max(at, 0); index < query.length() && open >= 0; index++) {
            char letter = query.charAt(index);
            open += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        }
        return at >= 0 && open == 0;
    }

    private List<String> statements() {
        List<String> statements =
                new ArrayList<>(
                        List.of(
                                "CREATE TABLE t (a Int32, b Utf8, v Int32, w Double, PRIMARY KEY"
                                        + " (a, b), INDEX by_v GLOBAL ON (v) COVER (w), INDEX by_b"
                                        + " GLOBAL ON (b, v))",
                                "CREATE TABLE u (k Int32 NOT NULL, x Int32, y Utf8, PRIMARY KEY"
                                        + " (k), INDEX by_x GLOBAL ON (x), INDEX by_y GLOBAL ON"
                                        + " (y) COVER (x))",
                                "CREATE TABLE z (p Int64, q Uint8 NOT NULL, r String, n Int32,"
                                        + " PRIMARY KEY (p, q, r), INDEX by_n GLOBAL ON (n, q))"));
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < 150; row++) {
            rows.add(
                    "(%s, %s, %s, %s)"
                            .formatted(
                                    orNull(key()),
                                    orNull("'b" + random.nextInt(5) + "'u"),
                                    orNull(
                                            random.nextInt(3) == 0
                                                    ? key()
                                                    : "" + random.nextInt(-5, 15)),
                                    orNull(random.nextInt(-8, 8) / 4.0 + "")));
        }
        statements.add("UPSERT INTO t (a, b, v, w) VALUES " + String.join(", ", rows));
        rows.clear();
        for (int row = 0; row < 60; row++) {
            rows.add(
                    "(%s, %s, %s)"
                            .formatted(
                                    key(), orNull(key()), orNull("'b" + random.nextInt(5) + "'u")));
        }
        statements.add("UPSERT INTO u (k, x, y) VALUES " + String.join(", ", rows));
        statements.add("DELETE FROM t WHERE a = 3");
        rows.clear();
        for (int row = 0; row < 150; row++) {
            rows.add(
                    "(%s, %d, %s, %s)"
                            .formatted(
                                    orNull(key()),
                                    random.nextInt(6),
                                    orNull("'b" + random.nextInt(5) + "'"),
                                    orNull(key())));
        }
        statements.add("UPSERT INTO z (p, q, r, n) VALUES " + String.join(", ", rows));
        return statements;
    }

    /// Of a hundred, and more often one of the first.
    private String key() {
        return "" + random.nextInt(random.nextBoolean() ? 12 : 100);
    }

    private String orNull(String value) {
        return random.nextInt(8) == 0 ? "NULL" : value;
    }

    private String query() {
        return switch (random.nextInt(6)) {
            case 0 -> single();
            case 1 -> grouped();
            case 2 -> chained();
            case 3 -> crossed();
            default -> joined();
        };
    }

    private String term(String prefix) {
        String comparison = pick("=", "<", "<=", ">", ">=", "!=");
        return switch (random.nextInt(8)) {
            case 0, 1 -> prefix + "a " + comparison + " " + key();
            case 2 -> prefix + "b " + comparison + " 'b" + random.nextInt(5) + "'u";
            case 3 -> prefix + "v " + comparison + " " + random.nextInt(-5, 15);
            case 4 -> prefix + "a IN (1, 4, " + key() + ")";
            case 5 -> prefix + "a IS " + pick("NULL", "NOT NULL");
            case 6 -> "(" + term(prefix) + " OR " + term(prefix) + ")";
            default -> prefix + "w * 2.0 " + comparison + " " + prefix + "v";
        };
    }

    private String where(String prefix, String more) {
        List<String> terms = new ArrayList<>();
        while (random.nextInt(3) > 0 && terms.size() < 3) {
            terms.add(!more.isEmpty() && random.nextInt(3) == 0 ? more : term(prefix));
        }
        return terms.isEmpty() ? "" : " WHERE " + String.join(" AND ", terms);
    }

    private String single() {
        String order =
                switch (random.nextInt(4)) {
                    case 0 -> " ORDER BY a, b";
                    case 1 -> " ORDER BY a DESC, b DESC";
                    case 2 -> " ORDER BY v DESC, a, b";
                    default -> "";
                };
        String limit =
                order.isEmpty()
                        ? ""
                        : pick(
                                "",
                                " LIMIT " + random.nextInt(10),
                                " LIMIT 5 OFFSET " + random.nextInt(9));
        return "SELECT a, b, v, w, v + 1 AS plus FROM t" + where("", "") + order + limit;
    }

    private String grouped() {
        String key = pick("a", "b", "v", "v % 3");
        return "SELECT g, COUNT(*), SUM(v), MIN(b), MAX(w) FROM t"
                + where("", "")
                + " GROUP BY "
                + key
                + " AS g"
                + pick("", " HAVING COUNT(*) > 1");
    }

    private String joined() {
        String kind = pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
        String on =
                pick(
                        "t.v = u.k",
                        "t.a = u.k",
                        "t.b = u.y",
                        "t.a = u.x AND t.b = u.y",
                        "u.y = t.b AND u.k = t.a");
        String order = random.nextBoolean() ? "" : " ORDER BY a, b, k";
        return "SELECT t.a AS a, t.b AS b, t.v AS v, u.k AS k, u.x AS x FROM t "
                + kind
                + " u ON "
                + on
                + where("t.", "u.x > " + random.nextInt(8))
                + order;
    }

    private String chained() {
        String first = pick("t.v = u.k", "t.a = u.k", "t.a = u.x");
        String second = pick("u.x = s.a AND u.y = s.b", "u.k = s.a", "t.a = s.a", "u.y = s.b");
        return "SELECT t.a AS a, t.b AS b, u.k AS k, s.a AS c, s.b AS d, s.v AS v FROM t "
                + pick("JOIN", "JOIN", "LEFT JOIN")
                + " u ON "
                + first
                + " "
                + pick("JOIN", "JOIN", "LEFT JOIN")
                + " t AS s ON "
                + second
                + where("t.", "s.v > " + random.nextInt(8))
                + pick("", " ORDER BY a, b, k, c, d", " ORDER BY a, b, k, c, d LIMIT 7");
    }

    /// Sides that only the WHERE ties to each other, if anything does.
    private String crossed() {
        String comma = pick(", ", " CROSS JOIN ");
        List<String> terms = new ArrayList<>();
        terms.add(pick("t.v = u.k", "u.k = t.a", "t.a = u.x", "t.b = u.y", "t.w = u.x"));
        if (random.nextInt(3) == 0) {
            terms.add(pick("t.a = u.x", "t.b = u.y", "t.v < u.x", "t.v + u.k > 9"));
        }
        String third = "";
        if (random.nextBoolean()) {
            third = comma + "(SELECT k AS p, x AS q, y AS r FROM u WHERE k < 12) AS s";
            terms.add(pick("u.x = s.p", "t.a = s.q", "s.r = t.b", "t.v + u.k = s.p", "s.p < u.k"));
            if (random.nextInt(3) == 0) {
                // Nothing ties the second to the first without the third.
                terms.set(0, pick("u.k = s.p", "s.q = u.x", "u.y = s.r"));
            }
        }
        while (random.nextInt(3) == 0) {
            terms.add(pick(term("t."), "u.x > " + random.nextInt(8), "u.k = " + key()));
        }
        return "SELECT t.a AS a, t.b AS b, t.v AS v, u.k AS k, u.x AS x"
                + (third.isEmpty() ? "" : ", s.p AS p")
                + " FROM t"
                + comma
                + "u"
                + third
                + pick("", " LEFT JOIN t AS l ON u.x = l.a")
                + " WHERE "
                + String.join(" AND ", terms)
                + (third.isEmpty() && random.nextBoolean() ? " ORDER BY a, b, k" : "");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
