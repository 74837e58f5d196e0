package io.cleave.query;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Random queries of what H2 has to be told in other words: outer joins of both sides, joins that
/// ask only whether there is a match, several sets of groups, and set operations that count.
final class PairedQueries {
    private static final String BOTH = "t.id AS id, t.a AS a, t.b AS b, u.k AS k, u.x AS x";

    private final SplittableRandom random;

    /// A query in both languages.
    record Pair(String ours, String theirs) {}

    PairedQueries(SplittableRandom random) {
        this.random = random;
    }

    Pair next() {
        return switch (random.nextInt(6)) {
            case 0 -> full();
            case 1 -> exclusion();
            case 2 -> matching();
            case 3 -> sets();
            case 4 -> counted();
            default -> same(windowed());
        };
    }

    private static Pair same(String text) {
        return new Pair(text, plain(text));
    }

    private static String plain(String text) {
        return text.replace("'u", "'");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String small() {
        return "" + random.nextInt(12);
    }

    private String comparison() {
        return pick("=", "<", "<=", ">", ">=", "<>");
    }

    private String word() {
        return "'" + pick("", "a", "ab", "b", "ba", "B", "cab") + "'u";
    }

    private String on() {
        return pick(
                "t.a = u.x",
                "t.id = u.k",
                "t.v = u.k",
                "t.b = u.y",
                "t.a = u.x AND t.b = u.y",
                "t.a + 1 = u.x",
                "t.a = u.k AND u.y = t.b");
    }

    /// Of columns that both sides of a join give.
    private String term() {
        return switch (random.nextInt(9)) {
            case 0 -> "t.a " + comparison() + " " + small();
            case 1 -> "t.b " + comparison() + " " + word();
            case 2 -> "u.x " + comparison() + " " + small();
            case 3 -> "u.k " + comparison() + " " + random.nextInt(50);
            case 4 -> pick("t.a", "t.b", "u.x", "u.k") + " IS " + pick("NULL", "NOT NULL");
            case 5 -> "COALESCE(t.a, u.x, 3) " + comparison() + " " + small();
            case 6 -> "t.a " + comparison() + " u.x";
            case 7 -> "NOT (" + term() + ")";
            default -> "(" + term() + pick(" OR ", " AND ") + term() + ")";
        };
    }

    private String where() {
        return random.nextInt(3) == 0 ? "" : "\nWHERE " + term() + pick("", " AND " + term());
    }

    private static String unmatched(String columns, String from, String other, String on) {
        return "SELECT %s FROM %s WHERE NOT EXISTS (SELECT 1 FROM %s WHERE %s)"
                .formatted(columns, from, other, on);
    }

    /// The rows of several parts, of which the WHERE sees one.
    private static String parts(List<String> parts, String where) {
        return plain(
                "SELECT id, a, b, k, x FROM ("
                        + String.join(" UNION ALL ", parts)
                        + ") AS q"
                        + where.replace("t.", "q.").replace("u.", "q."));
    }

    private static String leftOnly(String on) {
        return unmatched(
                "t.id AS id, t.a AS a, t.b AS b, CAST(NULL AS INT) AS k, CAST(NULL AS INT) AS x",
                "t AS t",
                "u AS u",
                on);
    }

    private static String rightOnly(String on) {
        return unmatched(
                "CAST(NULL AS INT) AS id, CAST(NULL AS INT) AS a, CAST(NULL AS VARCHAR) AS b,"
                        + " u.k AS k, u.x AS x",
                "u AS u",
                "t AS t",
                on);
    }

    private Pair full() {
        String on = on();
        String where = where();
        String inner = "SELECT " + BOTH + " FROM t AS t JOIN u AS u ON " + on;
        return new Pair(
                "SELECT " + BOTH + " FROM t AS t FULL JOIN u AS u ON " + on + where,
                parts(List.of(inner, leftOnly(on), rightOnly(on)), where));
    }

    private Pair exclusion() {
        String on = on();
        String where = where();
        return new Pair(
                "SELECT " + BOTH + " FROM t AS t EXCLUSION JOIN u AS u ON " + on + where,
                parts(List.of(leftOnly(on), rightOnly(on)), where));
    }

    private Pair matching() {
        String on = on();
        boolean only = random.nextBoolean();
        boolean left = random.nextBoolean();
        String columns = left ? "t.id AS id, t.b AS b, t.v AS v" : "u.k AS k, u.x AS x, u.y AS y";
        String side = left ? "t AS t" : "u AS u";
        String other = left ? "u AS u" : "t AS t";
        String term = left ? "t.a " + comparison() + " 5" : "u.x " + comparison() + " 5";
        String filter = random.nextBoolean() ? "" : term;
        String kind = (left ? "LEFT " : "RIGHT ") + (only ? "ONLY" : "SEMI");
        String exists =
                "%sEXISTS (SELECT 1 FROM %s WHERE %s)".formatted(only ? "NOT " : "", other, on);
        return new Pair(
                "SELECT %s FROM t AS t %s JOIN u AS u ON %s%s"
                        .formatted(columns, kind, on, filter.isEmpty() ? "" : "\nWHERE " + filter),
                plain(
                        "SELECT %s FROM %s WHERE %s%s"
                                .formatted(
                                        columns,
                                        side,
                                        exists,
                                        filter.isEmpty() ? "" : " AND " + filter)));
    }

    private Pair sets() {
        List<String> both = List.of("t.a AS a, t.b AS b", "t.a, t.b");
        List<String> onlyA = List.of("t.a AS a, CAST(NULL AS VARCHAR) AS b", "t.a");
        List<String> onlyB = List.of("CAST(NULL AS INT) AS a, t.b AS b", "t.b");
        List<String> none = List.of("CAST(NULL AS INT) AS a, CAST(NULL AS VARCHAR) AS b", "");
        String where = random.nextBoolean() ? "" : "\nWHERE t.v " + comparison() + " " + small();
        String having = pick("", "\nHAVING COUNT(*) > 2", "\nHAVING SUM(t.v) > 10");
        String results = ", COUNT(*) AS c, SUM(t.v) AS s, COUNT(DISTINCT t.v) AS d, MIN(t.id) AS m";
        int shape = random.nextInt(5);
        String ours =
                switch (shape) {
                    case 0 -> "ROLLUP(t.a AS a, t.b AS b)";
                    case 1 -> "CUBE(t.a AS a, t.b AS b)";
                    case 2 -> "GROUPING SETS (a, b)";
                    case 3 -> "t.a AS a, ROLLUP(t.b AS b)";
                    default -> "GROUPING SETS ((), (b), (a, b))";
                };
        List<List<String>> sets =
                switch (shape) {
                    case 0 -> List.of(both, onlyA, none);
                    case 1 -> List.of(both, onlyA, onlyB, none);
                    case 2 -> List.of(onlyA, onlyB);
                    case 3 -> List.of(both, onlyA);
                    default -> List.of(none, onlyB, both);
                };
        List<String> parts = new ArrayList<>();
        for (List<String> set : sets) {
            String by = set.get(1).isEmpty() ? "" : "\nGROUP BY " + set.get(1);
            parts.add("SELECT " + set.get(0) + results + " FROM t AS t" + where + by + having);
        }
        return new Pair(
                "SELECT a, b" + results + " FROM t AS t" + where + "\nGROUP BY " + ours + having,
                String.join("\nUNION ALL\n", parts));
    }

    /// Rows come as often as the operation says; H2 is told by numbering them.
    private Pair counted() {
        String kind = pick("INTERSECT", "EXCEPT");
        String left =
                "SELECT t.a AS n, t.b AS s FROM t AS t WHERE t.v " + comparison() + " " + small();
        String right =
                "SELECT u.x AS n, u.y AS s FROM u AS u WHERE u.k "
                        + comparison()
                        + " "
                        + random.nextInt(50);
        if (random.nextBoolean()) {
            right = "SELECT r.a AS n, r.b AS s FROM t AS r WHERE r.v " + comparison() + " 10";
        }
        String numbered = "SELECT n, s, ROW_NUMBER() OVER (PARTITION BY n, s) AS r FROM (%s) AS %s";
        return new Pair(
                left + "\n" + kind + " ALL\n" + right,
                "SELECT n, s FROM (%s %s %s) AS q"
                        .formatted(
                                numbered.formatted(left, "l"),
                                kind,
                                numbered.formatted(right, "o")));
    }

    private String windowed() {
        String order = "t.v" + pick("", " DESC") + ", t.id";
        String over =
                "OVER (PARTITION BY %s ORDER BY %s%s)"
                        .formatted(
                                pick("t.a", "t.b", "t.id % 3"),
                                order,
                                pick(
                                        "",
                                        " ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING",
                                        " ROWS BETWEEN 2 FOLLOWING AND UNBOUNDED FOLLOWING",
                                        " ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING"));
        String ranked = "OVER (PARTITION BY t.b ORDER BY t.a" + pick("", " DESC") + ")";
        return ("SELECT t.id AS id, SUM(t.v) %1$s AS s, COUNT(t.v) %1$s AS c, MIN(t.a) %1$s AS m,"
                                + " FIRST_VALUE(t.v) %1$s AS f, LAST_VALUE(t.v) %1$s AS l,"
                                + " RANK() %2$s AS r, DENSE_RANK() %2$s AS d,"
                                + " SUM(t.a) OVER (PARTITION BY t.b ORDER BY t.v) AS p,"
                                + " LAG(t.v, 2) OVER (ORDER BY %3$s) AS g,"
                                + " LEAD(t.v) OVER (PARTITION BY t.a ORDER BY %3$s) AS e,"
                                + " NTILE(3) OVER (ORDER BY t.id) AS n FROM t AS t")
                        .formatted(over, ranked, order)
                + (random.nextBoolean() ? "" : "\nWHERE t.v " + comparison() + " " + small());
    }
}
