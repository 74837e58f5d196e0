package io.cleave.query;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// Random texts over the tables `t (a, b, v, w)`, with the key (a, b) and the indexes `by_v` and
/// `by_b`, `u (k, x, y)`, with the key k and the indexes `by_x` and `by_y`, and `z (p, q, r, n)`,
/// with the key (p, q, r) of other types and the index `by_n`: every kind of join, groups of
/// several sets, windows, set operations, subqueries, reads of indexes, and writes. Each has one
/// right answer, up to the order of its rows where it has no ORDER BY.
final class RandomQueries {
    private static final Pattern COMPARED =
            Pattern.compile("(\\b[avkx] (?:=|!=|<|<=|>|>=) )(-?\\d+)\\b");
    private static final Pattern LISTED = Pattern.compile(" IN \\(([0-9, ]+)\\)");

    private final SplittableRandom random;

    RandomQueries(SplittableRandom random) {
        this.random = random;
    }

    String next() {
        String query =
                switch (random.nextInt(15)) {
                    case 0, 1, 2 -> joined();
                    case 12, 13, 14 -> keyed();
                    case 3 -> groupedInSets();
                    case 4 -> windowed();
                    case 5 -> combined();
                    case 6, 7 -> viewed();
                    case 8 -> nested();
                    case 9 -> firstOfMany();
                    case 10 -> distinct();
                    default -> limitedInside();
                };
        String text = random.nextInt(4) == 0 ? "PRAGMA cleave.IndexAutoSelect; " + query : query;
        return random.nextInt(3) == 0 ? withParameters(text) : text;
    }

    /// The same with parameters in the place of some numbers and lists, each in a line before the
    /// text, and now and then one that is NULL, has a NULL, or is empty.
    private String withParameters(String text) {
        List<String> lines = new ArrayList<>();
        String typed =
                COMPARED.matcher(text)
                        .replaceAll(
                                found -> {
                                    String name = "\\$p" + lines.size();
                                    lines.add(
                                            "param $p%d = %s"
                                                    .formatted(
                                                            lines.size(), number(found.group(2))));
                                    return found.group(1) + name;
                                });
        typed =
                LISTED.matcher(typed)
                        .replaceAll(
                                found -> {
                                    String name = "\\$p" + lines.size();
                                    lines.add(
                                            "param $p%d = %s"
                                                    .formatted(lines.size(), list(found.group(1))));
                                    return " IN " + name;
                                });
        lines.add(typed);
        return String.join("\n", lines);
    }

    private String number(String digits) {
        return pick(
                digits,
                digits,
                "Just(" + digits + ")",
                "CAST(" + digits + " AS Int64)",
                "Nothing(Int32?)");
    }

    private String list(String items) {
        return pick(
                "[" + items + "]",
                "[" + items + "]",
                "ListCreate(Int32)",
                "[" + items + ", Nothing(Int32?)]",
                "[Nothing(Int32?)]",
                "ListFromRange(0, 70)");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /// Of a hundred, and more often one of the first.
    String key() {
        return "" + random.nextInt(random.nextBoolean() ? 12 : 100);
    }

    private String comparison() {
        return pick("=", "=", "<", "<=", ">", ">=", "!=");
    }

    private String word() {
        return "'b" + random.nextInt(6) + "'u";
    }

    /// A condition on the columns of `t`.
    private String ofT(String prefix) {
        return switch (random.nextInt(14)) {
            case 0, 1 -> prefix + "a " + comparison() + " " + key();
            case 2 -> prefix + "b " + comparison() + " " + word();
            case 3, 4 -> prefix + "v " + comparison() + " " + random.nextInt(-5, 15);
            case 5 -> prefix + pick("a", "v") + pick("", " NOT") + " IN (1, 4, " + key() + ")";
            case 6 -> prefix + pick("a", "b", "v") + " IS " + pick("NULL", "NOT NULL");
            case 7 -> "(" + ofT(prefix) + " OR " + ofT(prefix) + ")";
            case 8 -> "NOT (" + ofT(prefix) + ")";
            case 9 -> prefix + "w * 2.0 " + comparison() + " " + prefix + "v";
            case 10 ->
                    "(%sa, %sb) %s (%s, %s)".formatted(prefix, prefix, comparison(), key(), word());
            case 11 ->
                    "%sv BETWEEN %d AND %s".formatted(prefix, random.nextInt(-5, 9), prefix + "a");
            case 12 -> prefix + "b LIKE '" + pick("b1%", "b%", "%2", "b_", "") + "'";
            default ->
                    "(%sb = %s AND %sv %s %d)"
                            .formatted(
                                    prefix, word(), prefix, comparison(), random.nextInt(-5, 15));
        };
    }

    private String ofU(String prefix) {
        return switch (random.nextInt(7)) {
            case 0 -> prefix + "k " + comparison() + " " + key();
            case 1 -> prefix + "x " + comparison() + " " + key();
            case 2 -> prefix + "y " + comparison() + " " + word();
            case 3 -> prefix + pick("x", "y") + " IS " + pick("NULL", "NOT NULL");
            case 4 -> prefix + pick("k", "x") + " IN (2, 7, " + key() + ", " + key() + ")";
            case 5 -> "(" + ofU(prefix) + " OR " + ofU(prefix) + ")";
            default -> prefix + "x + 1 " + comparison() + " " + prefix + "k";
        };
    }

    private String where(List<String> terms) {
        return terms.isEmpty()
                ? ""
                : " WHERE " + String.join(pick(" AND ", " AND ", " OR "), terms);
    }

    private String whereOfT(String prefix) {
        List<String> terms = new ArrayList<>();
        while (random.nextInt(3) > 0 && terms.size() < 3) {
            terms.add(ofT(prefix));
        }
        return where(terms);
    }

    private String whereOfU(String prefix) {
        List<String> terms = new ArrayList<>();
        while (random.nextInt(2) > 0 && terms.size() < 2) {
            terms.add(ofU(prefix));
        }
        return where(terms);
    }

    /// Rows of `t`, in one of the ways to come to them.
    private String sourceT() {
        return switch (random.nextInt(5)) {
            case 0 -> "t VIEW " + pick("by_v", "by_b");
            case 1 -> "(SELECT * FROM t" + pick("", " VIEW by_v") + whereOfT("") + ")";
            case 2 ->
                    "(SELECT a, b, MAX(v) AS v, MIN(w) AS w FROM t"
                            + whereOfT("")
                            + " GROUP BY a, b)";
            default -> "t";
        };
    }

    private String sourceU() {
        return switch (random.nextInt(5)) {
            case 0 -> "u VIEW " + pick("by_x", "by_y");
            case 1 -> "(SELECT * FROM u" + pick("", " VIEW by_x") + whereOfU("") + ")";
            case 2 -> "(SELECT * FROM u WHERE k < 10 UNION ALL SELECT * FROM u WHERE k >= 10)";
            default -> "u";
        };
    }

    private String on() {
        return pick(
                "t.v = u.k",
                "t.a = u.k",
                "t.a = u.x",
                "t.b = u.y",
                "t.a = u.x AND t.b = u.y",
                "u.y = t.b AND u.k = t.a",
                "t.v = u.x AND t.a = u.k",
                "t.v + 1 = u.k",
                "CAST(t.v AS Int64) = u.x");
    }

    private String joined() {
        String kind =
                pick(
                        "JOIN",
                        "LEFT JOIN",
                        "RIGHT JOIN",
                        "FULL JOIN",
                        "LEFT SEMI JOIN",
                        "LEFT ONLY JOIN",
                        "RIGHT SEMI JOIN",
                        "RIGHT ONLY JOIN",
                        "EXCLUSION JOIN");
        boolean turned = random.nextInt(3) == 0;
        String from =
                turned
                        ? "%s AS u %s %s AS t ON %s".formatted(sourceU(), kind, sourceT(), on())
                        : "%s AS t %s %s AS u ON %s".formatted(sourceT(), kind, sourceU(), on());
        boolean onlyT = kind.matches((turned ? "RIGHT" : "LEFT") + " (SEMI|ONLY).*");
        boolean onlyU = kind.matches((turned ? "LEFT" : "RIGHT") + " (SEMI|ONLY).*");
        List<String> terms = new ArrayList<>();
        while (random.nextInt(3) > 0 && terms.size() < 3) {
            terms.add(onlyU || (!onlyT && random.nextBoolean()) ? ofU("u.") : ofT("t."));
        }
        String columns =
                onlyT
                        ? "t.a AS a, t.b AS b, t.v AS v, t.w AS w"
                        : onlyU
                                ? "u.k AS k, u.x AS x, u.y AS y"
                                : "t.a AS a, t.b AS b, t.w AS w, u.k AS k, u.y AS y";
        String all = onlyT ? "a, b" : onlyU ? "k" : "a, b, k";
        String rows = "SELECT " + columns + " FROM " + from + where(terms);
        return switch (random.nextInt(5)) {
            case 0 -> rows + " ORDER BY " + all;
            case 1 -> rows + " ORDER BY " + all + limit();
            case 2 -> rows + " ORDER BY " + all.replace(",", " DESC,") + " DESC" + limit();
            case 3 ->
                    "SELECT COUNT(*) AS c, %s FROM %s%s"
                            .formatted(
                                    onlyU ? "SUM(u.x) AS s" : "SUM(t.v) AS s, MAX(t.w) AS m",
                                    from,
                                    where(terms));
            default -> rows;
        };
    }

    /// A join whose equalities, with those of the WHERE, are a key or a part of one.
    private String keyed() {
        boolean ofZ = random.nextBoolean();
        String inner = ofZ ? "z" : "t";
        List<String> on = new ArrayList<>();
        on.add(ofZ ? onZ() : onT());
        if (random.nextInt(3) == 0) {
            on.add(ofZ ? onZ() : onT());
        }
        String rows = keyedRows(inner);
        boolean turned = random.nextBoolean();
        String kind =
                pick(
                        "JOIN",
                        "JOIN",
                        turned ? "RIGHT JOIN" : "LEFT JOIN",
                        turned ? "RIGHT SEMI JOIN" : "LEFT SEMI JOIN",
                        turned ? "RIGHT ONLY JOIN" : "LEFT ONLY JOIN",
                        "FULL JOIN");
        boolean one = kind.contains("SEMI") || kind.contains("ONLY");
        List<String> terms = new ArrayList<>();
        while (terms.size() < 3 && random.nextInt(4) > 0) {
            terms.add(
                    one || random.nextInt(4) == 0
                            ? ofU("u.")
                            : random.nextInt(5) == 0 ? (ofZ ? onZ() : onT()) : fixed(inner + "."));
        }
        String joined = String.join(" AND ", on);
        String from =
                turned
                        ? "%s AS %s %s u AS u ON %s".formatted(rows, inner, kind, joined)
                        : "u AS u %s %s AS %s ON %s".formatted(kind, rows, inner, joined);
        String comma = "u AS u, " + rows + " AS " + inner;
        boolean crossed = kind.equals("JOIN") && random.nextInt(4) == 0;
        if (crossed) {
            terms.addAll(on);
        }
        String columns =
                one
                        ? "u.k AS k, u.x AS x, u.y AS y"
                        : "u.k AS k, u.y AS y, "
                                + (ofZ
                                        ? "z.p AS p, z.q AS q, z.r AS r, z.n AS n"
                                        : "t.a AS a, t.b AS b, t.v AS v, t.w AS w");
        String order = one ? "k" : ofZ ? "k, p, q, r" : "k, a, b";
        return "SELECT "
                + columns
                + " FROM "
                + (crossed ? comma : from)
                + (terms.isEmpty() ? "" : " WHERE " + String.join(" AND ", terms))
                + pick("", "", " ORDER BY " + order + pick("", limit()));
    }

    private String onT() {
        return pick("t.b = u.y", "u.y = t.b", "t.a = u.x", "u.k = t.a", "t.v = u.x", "t.v = u.k");
    }

    private String onZ() {
        return pick(
                "z.p = u.x",
                "u.k = z.p",
                "z.q = u.x",
                "z.q = u.k",
                "z.r = u.y",
                "u.x = z.n",
                "z.q = u.x - 1",
                "z.q = u.x + 256",
                "z.p = CAST(u.x AS Uint8)");
    }

    /// A column of the key that is equal to something, or something else of the row.
    private String fixed(String prefix) {
        if (prefix.startsWith("t")) {
            return switch (random.nextInt(6)) {
                case 0, 1 -> prefix + "a = " + key();
                case 2 -> word() + " = " + prefix + "b";
                case 3 -> prefix + "v = " + random.nextInt(-5, 15);
                case 4 -> prefix + "a IN (1, 4, " + key() + ")";
                default -> ofT(prefix);
            };
        }
        return switch (random.nextInt(7)) {
            case 0, 1 -> prefix + "p = " + pick(key(), key() + "ul", "CAST(" + key() + " AS Int8)");
            case 2 -> pick(key(), "258", "-1", "2l") + " = " + prefix + "q";
            case 3 -> prefix + "r = " + pick(word(), "'b1'");
            case 4 -> prefix + "q IN (0, 2, " + key() + ")";
            case 5 -> prefix + "n " + comparison() + " " + key();
            default -> prefix + pick("p", "r") + " IS NOT NULL";
        };
    }

    /// Rows of `t` or `z`, perhaps some of them and through an index.
    private String keyedRows(String table) {
        String view =
                switch (random.nextInt(3)) {
                    case 0 -> " VIEW " + (table.equals("t") ? pick("by_v", "by_b") : "by_n");
                    default -> "";
                };
        String columns = table.equals("t") ? "w, b, a, v" : "n, r, q, p";
        return switch (random.nextInt(4)) {
            case 0 ->
                    "(SELECT "
                            + columns
                            + " FROM "
                            + table
                            + view
                            + " WHERE "
                            + fixed(table + ".")
                            + ")";
            case 1 -> "(SELECT * FROM " + table + view + " WHERE " + fixed(table + ".") + ")";
            default -> table + view;
        };
    }

    private String limit() {
        return pick(
                " LIMIT " + random.nextInt(10),
                " LIMIT 5 OFFSET " + random.nextInt(9),
                " LIMIT 0",
                " LIMIT 1000 OFFSET 3");
    }

    private String groupedInSets() {
        String sets =
                pick(
                        "ROLLUP(a, b)",
                        "CUBE(a, b)",
                        "GROUPING SETS (a, b)",
                        "GROUPING SETS ((a, b), (a), ())",
                        "GROUPING SETS ((b), (), ())",
                        "b, ROLLUP(a)",
                        "b, a");
        boolean several = sets.contains("(");
        String from =
                random.nextBoolean()
                        ? sourceT() + " AS t" + whereOfT("t.")
                        : "(SELECT t.a AS a, u.y AS b, t.v AS v, t.w AS w FROM t AS t JOIN u AS u"
                                + " ON t.v = u.k)";
        return "SELECT a, b, COUNT(*) AS c, SUM(v) AS s, MIN(w) AS m, COUNT(DISTINCT v) AS d"
                + (several ? ", GROUPING(a, b) AS g" : "")
                + " FROM "
                + from
                + " GROUP BY "
                + sets
                + pick("", " HAVING COUNT(*) > 1", " HAVING SUM(v) IS NOT NULL");
    }

    private String windowed() {
        String frame =
                pick(
                        "",
                        " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
                        " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
                        " ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING",
                        " ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING");
        String direction = pick("", " DESC");
        String order = pick("a%1$s, b%1$s", "v%1$s, a, b", "b, a%1$s").formatted(direction);
        String over =
                "(PARTITION BY " + pick("a", "b", "v % 3") + " ORDER BY " + order + frame + ")";
        String rows =
                "SELECT a, b, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s) AS n, SUM(v) OVER %s"
                                .formatted(pick("a", "b", "v"), order, over)
                        + " AS s, COUNT(*) OVER (PARTITION BY b) AS c, LAG(v) OVER (ORDER BY "
                        + order
                        + ") AS l, FIRST_VALUE(w) OVER "
                        + over
                        + " AS f, RANK() OVER (ORDER BY v) AS r FROM "
                        + sourceT()
                        + " AS t"
                        + whereOfT("");
        return random.nextInt(3) == 0
                ? "SELECT a, b, n, s FROM (" + rows + ") WHERE n <= 2" + pick("", " AND a < 9")
                : rows;
    }

    /// Two columns of the same types, of either table.
    private String pair() {
        return switch (random.nextInt(4)) {
            case 0 -> "SELECT a AS n, b AS s FROM t" + whereOfT("");
            case 1 -> "SELECT v AS n, b AS s FROM t VIEW by_b" + whereOfT("");
            case 2 -> "SELECT x AS n, y AS s FROM u" + whereOfU("");
            default -> "SELECT x AS n, y AS s FROM u VIEW by_x" + whereOfU("");
        };
    }

    private String operator() {
        return pick("UNION ALL", "UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL");
    }

    private String combined() {
        String rows = pair() + " " + operator() + " " + pair();
        if (random.nextBoolean()) {
            rows += " " + operator() + " " + pair();
        }
        return switch (random.nextInt(4)) {
            case 0 -> "SELECT n, s FROM (" + rows + ") ORDER BY n, s" + limit();
            case 1 -> "SELECT s, COUNT(*) AS c, SUM(n) AS m FROM (" + rows + ") GROUP BY s";
            case 2 -> "SELECT * FROM (" + rows + ") WHERE n > 3 OR s = " + word();
            default -> rows;
        };
    }

    private String viewed() {
        if (random.nextInt(3) == 0) {
            String index = pick("by_x", "by_y");
            return "SELECT k, x, y FROM u VIEW %s%s%s"
                    .formatted(
                            index,
                            whereOfU(""),
                            pick("", " ORDER BY x, k", " ORDER BY y DESC, k DESC", " ORDER BY k")
                                    + "");
        }
        String columns = pick("a, b, v, w", "a, b, v", "v, a, b, w + 1.0 AS p", "b, a");
        String order =
                pick(
                        "",
                        " ORDER BY v, a, b" + pick("", limit()),
                        " ORDER BY v DESC, a DESC, b DESC" + pick("", limit()),
                        " ORDER BY b, v, a" + pick("", limit()),
                        " ORDER BY a, b" + pick("", limit()));
        if (order.contains("v") && !columns.contains("v")) {
            columns = "a, b, v";
        }
        return "SELECT " + columns + " FROM t VIEW " + pick("by_v", "by_b") + whereOfT("") + order;
    }

    private String nested() {
        String inner =
                pick("k", "x", "x", "k + 1") + " FROM u" + pick("", " VIEW by_x") + whereOfU("");
        return switch (random.nextInt(5)) {
            case 0 ->
                    "SELECT a, b, v FROM t WHERE %s%s IN (SELECT %s)%s"
                            .formatted(
                                    pick("a", "v"),
                                    pick("", " NOT"),
                                    inner,
                                    pick("", " AND " + ofT("")));
            case 1 ->
                    "SELECT a, b FROM t WHERE %sEXISTS (SELECT %s) AND %s"
                            .formatted(pick("", "NOT "), inner, ofT(""));
            case 2 ->
                    "SELECT a, b, v FROM t WHERE %s %s (SELECT %s FROM u%s)"
                            .formatted(
                                    pick("a", "v"),
                                    comparison(),
                                    pick("MAX(x)", "MIN(k)", "SUM(x)"),
                                    whereOfU(""));
            case 3 ->
                    "SELECT a, SUM(c) AS s FROM (SELECT a, v, COUNT(*) AS c FROM t%s GROUP BY a, v)%s GROUP BY a"
                            .formatted(whereOfT(""), pick("", " WHERE v > 2", " WHERE a < 10"));
            default ->
                    "SELECT * FROM (SELECT a AS p, b AS q, v + 1 AS r FROM t%s) WHERE %s"
                            .formatted(
                                    whereOfT(""),
                                    pick("p = 4", "p < 8 AND q = 'b1'", "r > 3", "p IS NULL")
                                            + pick(
                                                    "",
                                                    " ORDER BY p, q",
                                                    " ORDER BY p, q" + limit()));
        };
    }

    /// Joins with ANY, of which only that is asked which does not depend on the row they take.
    private String firstOfMany() {
        String on = pick("t.a = u.x", "t.b = u.y", "t.v = u.x", "t.a = u.x AND t.b = u.y");
        return switch (random.nextInt(3)) {
            case 0 ->
                    "SELECT t.a AS a, t.b AS b, t.v AS v, u.k IS NULL AS n FROM %s AS t %s ANY u AS u ON %s%s"
                            .formatted(sourceT(), pick("JOIN", "LEFT JOIN"), on, whereOfT("t."));
            case 1 ->
                    "SELECT u.k AS k, u.x AS x, t.a IS NULL AND t.b IS NULL AND t.v IS NULL AS n FROM ANY t AS t RIGHT JOIN u AS u ON %s%s"
                            .formatted(on, whereOfU("u."));
            default ->
                    "SELECT COUNT(*) AS c FROM ANY t AS t %s ANY u AS u ON %s"
                            .formatted(pick("JOIN", "LEFT JOIN", "FULL JOIN"), on);
        };
    }

    private String distinct() {
        String columns = pick("a", "b", "v", "a, v", "b, v", "a, b");
        return "SELECT DISTINCT %s FROM %s AS t%s%s"
                .formatted(
                        columns,
                        sourceT(),
                        whereOfT("t."),
                        pick("", " ORDER BY " + columns + pick("", limit())));
    }

    /// A LIMIT of ordered rows, and something above it.
    private String limitedInside() {
        String inner =
                "(SELECT a, b, v, w FROM t%s%s ORDER BY %s%s)"
                        .formatted(
                                pick("", " VIEW by_v", " VIEW by_b"),
                                whereOfT(""),
                                pick("a, b", "v, a, b", "a DESC, b DESC", "b, v DESC, a"),
                                limit());
        return switch (random.nextInt(3)) {
            case 0 -> "SELECT a, b, v FROM " + inner + " AS t" + whereOfT("t.");
            case 1 ->
                    "SELECT t.a AS a, t.b AS b, u.k AS k FROM "
                            + inner
                            + " AS t "
                            + pick("JOIN", "LEFT JOIN", "RIGHT JOIN")
                            + " u AS u ON "
                            + on()
                            + whereOfT("t.");
            default ->
                    "SELECT COUNT(*) AS c, SUM(v) AS s, MAX(b) AS m FROM "
                            + inner
                            + " AS t"
                            + whereOfT("t.");
        };
    }

    /// A text that writes, gives back what it wrote, and reads all of it in every way.
    String write() {
        String write =
                switch (random.nextInt(8)) {
                    case 0 -> "UPDATE t SET v = v + 1, w = NULL" + whereOfT("");
                    case 1 -> "DELETE FROM t" + whereOfT("");
                    case 2 -> "UPDATE t SET v = " + pick("a", "NULL", "7") + whereOfT("");
                    case 3 ->
                            "UPSERT INTO t SELECT a, b, %s AS v FROM t VIEW %s%s"
                                    .formatted(
                                            pick("a", "v * 2"), pick("by_v", "by_b"), whereOfT(""));
                    case 4 ->
                            "REPLACE INTO t SELECT x AS a, y AS b, MAX(k) AS v FROM u%s GROUP BY x, y"
                                    .formatted(whereOfU(""));
                    case 5 -> "DELETE FROM t ON SELECT a, b FROM t VIEW by_b" + whereOfT("");
                    case 6 ->
                            "UPDATE t ON SELECT t.a AS a, t.b AS b, u.k AS v FROM t AS t JOIN u AS u ON %s%s"
                                    .formatted("t.a = u.k", whereOfT("t."));
                    default ->
                            "INSERT OR IGNORE INTO t SELECT x AS a, y AS b, MIN(k) AS v FROM u%s GROUP BY x, y"
                                    .formatted(whereOfU(""));
                };
        return write
                + " RETURNING *; SELECT a, b, v, w FROM t; SELECT v, a, b, w FROM t VIEW by_v;"
                + " SELECT b, v, a FROM t VIEW by_b; SELECT a, b, v FROM t VIEW by_v WHERE v > 3;"
                + " SELECT COUNT(*) AS c, SUM(v) AS s FROM t";
    }
}
