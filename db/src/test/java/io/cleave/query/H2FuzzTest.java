package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.QueryBench;
import io.cleave.exec.RunOptions;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

/// Random queries of what the language has in common with H2's come to the same rows there:
/// integers, text, NULL, joins of every kind, groups and sets of them, windows, set operations,
/// subqueries, CASE and LIMIT.
class H2FuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 150);

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final PairedQueries paired = new PairedQueries(random.split());

    /// A query in both languages.
    private record Query(String ours, String theirs) {
        static Query of(String text) {
            return new Query(text, text.replace("'u", "'"));
        }

        boolean isOrdered() {
            return ours.contains("\nORDER BY");
        }
    }

    @Test
    void h2GivesTheSameRows() throws SQLException {
        var cut = new RealStore(true);
        List<QueryBench<?>> ways =
                List.of(
                        new QueryBench<>(cut, RunOptions.DEFAULT.withPartBytes(256)),
                        new QueryBench<>(cut, RunOptions.DEFAULT.byRow()),
                        new QueryBench<>(
                                new GuessingStore(cut, random.split()), RunOptions.DEFAULT));
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = h2.createStatement()) {
            for (Query made : tables()) {
                assertThat(ways.getFirst().answer(List.of(made.ours))).isEqualTo("ok");
                statement.execute(made.theirs);
            }
            for (int round = 0; round < ROUNDS; round++) {
                Query query = query();
                String expected = theirs(statement, query);
                for (QueryBench<?> way : ways) {
                    assertThat(ours(way, query))
                            .as("-Dseed=%d: %s", seed, query.ours)
                            .isEqualTo(expected);
                }
            }
        }
    }

    /// Without its first line, which has names and types.
    private static String ours(QueryBench<?> bench, Query query) {
        String answer = bench.answer(query.ours.lines().toList());
        assertThat(answer).as(query.ours).contains("\n");
        String[] lines = answer.split("\n");
        return text(query, Arrays.copyOfRange(lines, 1, lines.length));
    }

    private String theirs(Statement statement, Query query) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query.theirs)) {
            int width = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                List<String> cells = new ArrayList<>();
                for (int column = 1; column <= width; column++) {
                    Object value = rows.getObject(column);
                    cells.add(
                            value instanceof Boolean
                                    ? value.toString().toLowerCase(Locale.ROOT)
                                    : value == null ? "NULL" : value.toString());
                }
                lines.add(String.join(" | ", cells));
            }
        } catch (SQLException refused) {
            throw new SQLException("-Dseed=" + seed + ": " + query.theirs, refused);
        }
        return text(query, lines.toArray(String[]::new));
    }

    private static String text(Query query, String[] lines) {
        if (!query.isOrdered()) {
            Arrays.sort(lines);
        }
        return String.join("\n", lines);
    }

    private List<Query> tables() {
        List<Query> made = new ArrayList<>();
        made.add(
                new Query(
                        "CREATE TABLE t (id Int32 NOT NULL, a Int32, b Utf8, v Int32, PRIMARY KEY"
                                + " (id))",
                        "CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR, v INT)"));
        made.add(
                new Query(
                        "CREATE TABLE u (k Int32 NOT NULL, x Int32, y Utf8, PRIMARY KEY (k))",
                        "CREATE TABLE u (k INT PRIMARY KEY, x INT, y VARCHAR)"));
        List<String> rows = new ArrayList<>();
        for (int id = 0; id < 80; id++) {
            rows.add("(%d, %s, %s, %s)".formatted(id, orNull(small()), orNull(word()), number()));
        }
        made.add(Query.of("INSERT INTO t (id, a, b, v) VALUES " + String.join(", ", rows)));
        rows.clear();
        for (int k = 0; k < 25; k++) {
            rows.add("(%d, %s, %s)".formatted(k * 2, orNull(small()), orNull(word())));
        }
        made.add(Query.of("INSERT INTO u (k, x, y) VALUES " + String.join(", ", rows)));
        made.add(
                new Query(
                        "CREATE TABLE p (g Int64 NOT NULL, h Int32 NOT NULL, i Utf8 NOT NULL, n"
                                + " Int32, PRIMARY KEY (g, h, i))",
                        "CREATE TABLE p (g BIGINT, h INT, i VARCHAR, n INT, PRIMARY KEY (g, h,"
                                + " i))"));
        rows.clear();
        for (int g = 0; g < 4; g++) {
            for (int h = 0; h < 12; h++) {
                rows.add("(%d, %d, %s, %s)".formatted(g, h, word(), number()));
            }
        }
        made.add(Query.of("INSERT INTO p (g, h, i, n) VALUES " + String.join(", ", rows)));
        return made;
    }

    private String orNull(String value) {
        return random.nextInt(6) == 0 ? "NULL" : value;
    }

    private String small() {
        return "" + random.nextInt(12);
    }

    private String number() {
        return orNull("" + random.nextInt(-20, 60));
    }

    private String word() {
        return "'" + pick("", "a", "ab", "b", "ba", "B", "cab") + "'u";
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String comparison() {
        return pick("=", "<", "<=", ">", ">=", "<>");
    }

    /// A number, of the columns of `t`.
    private String sum(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 4)) {
            case 0 -> "t.id";
            case 1 -> "t.a";
            case 2 -> "t.v";
            case 3 -> small();
            case 4 -> "(" + sum(depth - 1) + pick(" + ", " - ", " * ") + sum(0) + ")";
            case 5 -> "(" + sum(depth - 1) + pick(" / ", " % ") + random.nextInt(2, 5) + ")";
            case 6 -> "COALESCE(" + sum(depth - 1) + ", " + small() + ")";
            case 7 ->
                    "CASE WHEN %s THEN %s ELSE %s END"
                            .formatted(predicate(depth - 1), sum(0), sum(0));
            default ->
                    "CASE t.a WHEN 1 THEN %s WHEN 2 THEN %s ELSE NULL END".formatted("t.v", "t.id");
        };
    }

    private String text() {
        return switch (random.nextInt(4)) {
            case 0 -> "t.b || " + word();
            case 1 -> "COALESCE(t.b, " + word() + ")";
            case 2 -> "CASE WHEN %s THEN t.b ELSE %s END".formatted(predicate(1), word());
            default -> "t.b";
        };
    }

    private String predicate(int depth) {
        return switch (random.nextInt(depth > 0 ? 12 : 5)) {
            case 0 -> "t.a " + comparison() + " " + small();
            case 1 -> "t.v " + comparison() + " t.a";
            case 2 -> "t.b " + comparison() + " " + word();
            case 3 -> pick("t.a", "t.b", "t.v") + " IS " + pick("NULL", "NOT NULL");
            case 4 -> "t.id " + comparison() + " " + random.nextInt(80);
            case 5 -> sum(depth - 1) + " " + comparison() + " " + sum(depth - 1);
            case 6 -> "t.v BETWEEN " + small() + " AND " + sum(depth - 1);
            case 7 -> pick("t.a", "t.id", "t.v") + pick("", " NOT") + " IN (1, 4, " + small() + ")";
            case 8 -> "t.b" + pick("", " NOT") + " LIKE " + pick("'a%'", "'%b'", "'_a%'", "'%a%'");
            case 9 -> "(" + predicate(depth - 1) + " AND " + predicate(depth - 1) + ")";
            case 10 -> "(" + predicate(depth - 1) + " OR " + predicate(depth - 1) + ")";
            default -> "NOT (" + predicate(depth - 1) + ")";
        };
    }

    private String where() {
        return random.nextInt(4) == 0 ? "" : "\nWHERE " + predicate(3);
    }

    private Query query() {
        if (random.nextInt(3) == 0) {
            PairedQueries.Pair pair = paired.next();
            return new Query(pair.ours(), pair.theirs());
        }
        return switch (random.nextInt(12)) {
            case 10, 11 -> keyed();
            case 0, 1 -> selected();
            case 2 -> grouped();
            case 3, 4 -> joined();
            case 5 -> chained();
            case 6 -> combined();
            case 7 -> windowed();
            case 8 -> crossed();
            default -> nested();
        };
    }

    private Query selected() {
        String order = pick("t.v", "t.a DESC", "t.b", "t.b DESC, t.v", "t.id DESC", "t.id");
        String limit =
                pick("", "\nLIMIT " + random.nextInt(20), "\nLIMIT 5 OFFSET " + random.nextInt(90));
        String text =
                "SELECT t.id AS id, %s AS n, %s AS s, %s AS p FROM t AS t"
                        .formatted(sum(2), text(), predicate(2));
        return Query.of(
                random.nextBoolean()
                        ? text + where()
                        : text + where() + "\nORDER BY " + order + ", t.id" + limit);
    }

    private Query grouped() {
        String key = pick("t.a", "t.b", "t.v % 3", "COALESCE(t.a, 5)", "t.id / 10");
        String results =
                "COUNT(*) AS c, COUNT(t.v) AS d, SUM(%s) AS s, MIN(t.b) AS m, MAX(%s) AS n"
                                .formatted(sum(1), sum(2))
                        + ", COUNT(DISTINCT t.a) AS e";
        String where = where();
        String having = pick("", "\nHAVING COUNT(*) > 2", "\nHAVING MAX(t.v) > 10");
        String from = " FROM t AS t" + where + "\nGROUP BY ";
        return new Query(
                "SELECT g, " + results + from + key + " AS g" + having,
                Query.of("SELECT " + key + " AS g, " + results + from + key + having).theirs);
    }

    private String on() {
        return pick(
                "t.a = u.x",
                "t.id = u.k",
                "t.v = u.k",
                "t.b = u.y",
                "t.a = u.x AND t.b = u.y",
                "t.a = u.k AND u.y = t.b");
    }

    private Query joined() {
        String order = pick("", "\nORDER BY id, k", "\nORDER BY k DESC, id\nLIMIT 9");
        return Query.of(
                "SELECT t.id AS id, t.b AS b, u.k AS k, u.x AS x, %s AS n FROM t AS t %s u AS u ON %s"
                                .formatted(sum(2), pick("JOIN", "LEFT JOIN", "RIGHT JOIN"), on())
                        + where()
                        + order);
    }

    /// Equalities of the join and of the WHERE that are together a part of a key.
    private Query keyed() {
        String on = pick("p.h = t.a", "t.v = p.h", "t.a = p.g AND p.i = t.b", "p.i = t.b");
        String rows = pick("p", "p", "(SELECT * FROM p WHERE g = 2)", "(SELECT * FROM p)");
        String kind = pick("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN");
        String from =
                random.nextBoolean()
                        ? "t AS t %s %s AS p ON %s".formatted(kind, rows, on)
                        : "%s AS p %s t AS t ON %s".formatted(rows, kind, on);
        List<String> terms = new ArrayList<>();
        terms.add(pick("p.g = 1", "2 = p.g", "p.g = t.a", "p.h = 3", "p.g IN (1, 3)", "t.a = 2"));
        if (random.nextBoolean()) {
            terms.add(pick("p.h = t.a", "t.a = p.g", "p.n > 5", "p.i = " + word(), "t.v = 3"));
        }
        return Query.of(
                "SELECT t.id AS id, t.a AS a, p.g AS g, p.h AS h, p.i AS i, p.n AS n FROM "
                        + from
                        + "\nWHERE "
                        + String.join(" AND ", terms)
                        + pick("", "\nORDER BY id, g, h, i"));
    }

    private Query chained() {
        String second = pick("u.x = s.a", "u.k = s.id", "t.a = s.a AND u.y = s.b", "t.v = s.id");
        return Query.of(
                "SELECT COUNT(*) AS c, SUM(t.id + u.k) AS n, SUM(s.v) AS v, MIN(s.b) AS m"
                        + " FROM t AS t %s u AS u ON %s %s t AS s ON %s"
                                .formatted(
                                        pick("JOIN", "JOIN", "LEFT JOIN"),
                                        on(),
                                        pick("JOIN", "JOIN", "LEFT JOIN"),
                                        second)
                        + where());
    }

    /// Sides that only the WHERE ties to each other.
    private Query crossed() {
        String comma = pick(", ", " CROSS JOIN ");
        String first = pick("t.a = u.x", "u.k = t.id", "t.b = u.y", "t.a = u.x AND t.v > u.k");
        String second = pick("u.x = s.a", "s.id = u.k", "t.a = s.a", "t.a + u.x = s.id");
        boolean third = random.nextBoolean();
        return Query.of(
                "SELECT COUNT(*) AS c, SUM(t.id + u.k) AS n, MIN(u.y) AS m"
                        + (third ? ", SUM(s.v) AS v" : "")
                        + " FROM t AS t%su AS u%s\nWHERE %s%s AND %s"
                                .formatted(
                                        comma,
                                        third ? comma + "t AS s" : "",
                                        first,
                                        third ? " AND " + second : "",
                                        predicate(2)));
    }

    private Query combined() {
        String kind = pick("UNION ALL", "UNION", "INTERSECT", "EXCEPT");
        return Query.of(
                "SELECT t.a AS n, t.b AS s FROM t AS t"
                        + where()
                        + "\n"
                        + kind
                        + "\nSELECT u.x AS n, u.y AS s FROM u AS u WHERE u.k "
                        + comparison()
                        + " "
                        + random.nextInt(50));
    }

    private Query windowed() {
        String frame = pick("", " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW");
        return Query.of(
                ("SELECT t.id AS id, ROW_NUMBER() OVER (PARTITION BY t.a ORDER BY t.v, t.id) AS r,"
                                        + " SUM(t.v) OVER (PARTITION BY t.b ORDER BY t.id%s) AS s,"
                                        + " MAX(t.v) OVER (PARTITION BY t.a) AS m FROM t AS t")
                                .formatted(frame)
                        + where());
    }

    private Query nested() {
        String inner =
                "SELECT u.x AS x, COUNT(*) AS c FROM u AS u WHERE u.k %s %d GROUP BY u.x"
                        .formatted(comparison(), random.nextInt(50));
        return switch (random.nextInt(3)) {
            case 0 ->
                    Query.of(
                            "SELECT t.id AS id, q.c AS c FROM t AS t %s (%s) AS q ON t.a = q.x"
                                            .formatted(pick("JOIN", "LEFT JOIN"), inner)
                                    + where());
            case 1 ->
                    Query.of(
                            "SELECT t.id AS id FROM t AS t WHERE t.a IN (SELECT u.x FROM u AS u"
                                    + " WHERE u.x IS NOT NULL AND u.k %s %d) AND %s"
                                            .formatted(
                                                    comparison(),
                                                    random.nextInt(50),
                                                    predicate(2)));
            default ->
                    Query.of(
                            "SELECT DISTINCT q.n AS n, q.b AS b FROM (SELECT t.a + 1 AS n, t.b AS"
                                    + " b FROM t AS t"
                                    + where()
                                    + ") AS q");
        };
    }
}
