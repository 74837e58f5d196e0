package io.cleave.ytql;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.FakeDatabase;
import io.cleave.exec.QueryBench;
import io.cleave.plan.PlanRules;
import io.cleave.plan.PlanRules.Rule;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/// Random queries of tables with computed columns: their rows are the same with inference of key
/// ranges and without it, with any limit on the number of ranges, and those of the same query in
/// YQL where both languages mean the same.
class YtInferenceQueryFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int QUERY_COUNT = Integer.getInteger("queries", 600);
    private static final int ROW_COUNT = 80;
    private static final int LEAST = -6;
    private static final int MOST = 12;

    private static final PlanRules WITHOUT_RANGES = PlanRules.without(Rule.KEY_RANGES);

    /// The computed columns of the tables `t0`, `t1` and so on, before `k` and `l`.
    private static final List<List<String>> COMPUTED =
            List.of(
                    List.of("Uint64 = Yt::FarmHash(k) % 7ul"),
                    List.of("Uint64 = Yt::FarmHash(k, l)"),
                    List.of("Uint64 = Yt::FarmHash(k / 3l)"),
                    List.of("Int64 = k / 2l", "Int64 = l % 3l"),
                    List.of("Int64 = k / 3l + l / 2l"),
                    List.of("Int64 = k % 3l", "Uint64 = Yt::FarmHash(l / 4l) % 3ul"),
                    List.of());

    private final Random random = new Random(SEED);
    private final QueryBench<FakeDatabase> bench = QueryBench.fake();

    private void makeTables(boolean nulls) {
        for (int table = 0; table < COMPUTED.size(); table++) {
            List<String> computed = COMPUTED.get(table);
            var columns = new StringBuilder();
            List<String> key = new ArrayList<>();
            for (int column = 0; column < computed.size(); column++) {
                String[] parts = computed.get(column).split(" = ", 2);
                columns.append(
                        "c%d %s GENERATED ALWAYS AS (%s) STORED, "
                                .formatted(column, parts[0], parts[1]));
                key.add("c" + column);
            }
            key.addAll(List.of("k", "l"));
            String optional = nulls ? "" : " NOT NULL";
            ok(
                    "CREATE TABLE t%d (%sk Int64%s, l Int64%s, v Int64%s, PRIMARY KEY (%s))"
                            .formatted(
                                    table,
                                    columns,
                                    optional,
                                    optional,
                                    optional,
                                    String.join(", ", key)));
            Set<String> rows = new LinkedHashSet<>();
            for (int row = 0; row < ROW_COUNT; row++) {
                rows.add("(%s, %s, %s)".formatted(value(nulls), value(nulls), value(nulls)));
            }
            ok("UPSERT INTO t%d (k, l, v) VALUES %s".formatted(table, String.join(", ", rows)));
        }
    }

    private void ok(String text) {
        assertThat(bench.answer(List.of(text))).as(text).isEqualTo("ok");
    }

    private String value(boolean nulls) {
        return nulls && random.nextInt(8) == 0 ? "NULL" : Integer.toString(number());
    }

    private int number() {
        return LEAST + random.nextInt(MOST - LEAST);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inferenceLosesNoRow(boolean nulls) {
        makeTables(nulls);
        for (int round = 0; round < QUERY_COUNT; round++) {
            int table = random.nextInt(COMPUTED.size());
            int computed = COMPUTED.get(table).size();
            String where = predicate(new Words("", computed, nulls), 3);
            String grouped = "sum(v) as s, max(l) as m from [//t%d] where %s group by k as k";
            String query =
                    switch (random.nextInt(6)) {
                        case 0 -> grouped.formatted(table, where) + " order by k limit 100";
                        case 4, 5 -> groups(table, where, computed);
                        case 1 -> "k, l, v from [//t%d] where %s limit 7".formatted(table, where);
                        default -> "* from [//t%d] where %s".formatted(table, where);
                    };
            same(round, query);
        }
    }

    /// Groups by any columns and expressions, of which some come in key order.
    private String groups(int table, String where, int computed) {
        List<String> keys = new ArrayList<>(List.of("k", "l", "k / 2 as e", "v", "1 as one"));
        for (int column = 0; column < computed; column++) {
            keys.add("c" + column);
        }
        Collections.shuffle(keys, random);
        List<String> chosen = keys.subList(0, 1 + random.nextInt(3));
        String end =
                List.of(" limit 3", " with totals limit 2", " with totals offset 1 limit 2", "")
                        .get(random.nextInt(4));
        return "%s, sum(v) as s, avg(v) as a, first(v) as f, sum(1) as n from [//t%d] where %s group by %s%s"
                .formatted(
                        chosen.stream()
                                .map(key -> key.substring(key.lastIndexOf(' ') + 1))
                                .collect(Collectors.joining(", ")),
                        table,
                        where,
                        String.join(", ", chosen),
                        end);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void joinsThatLookUpRowsLoseNone(boolean nulls) {
        makeTables(nulls);
        for (int round = 0; round < QUERY_COUNT; round++) {
            int left = random.nextInt(COMPUTED.size());
            int right = random.nextInt(COMPUTED.size());
            String on =
                    List.of(
                                    "a.k = b.k",
                                    "(a.k, a.l) = (b.k, b.l)",
                                    "(a.v, a.k) = (b.k, b.l)",
                                    "(a.k, a.v) = (b.k, b.v)",
                                    "(a.l + 1, a.k) = (b.l, b.k)")
                            .get(random.nextInt(5));
            String and = random.nextBoolean() ? "" : " and b.l " + comparison(nulls);
            String query =
                    "a.k, a.l, a.v, b.k, b.l, b.v from [//t%d] as a %sjoin [//t%d] as b on %s%s where %s order by a.k, a.l, a.v, b.k, b.l, b.v limit 10000"
                            .formatted(
                                    left,
                                    random.nextBoolean() ? "left " : "",
                                    right,
                                    on,
                                    and,
                                    predicate(
                                            new Words("a.", COMPUTED.get(left).size(), nulls), 2));
            same(round, query);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void rowsAreThoseOfTheSameQueryInYql(int table) {
        makeTables(false);
        for (int round = 0; round < QUERY_COUNT / COMPUTED.size(); round++) {
            String where = predicate(new Words("", 0, false), 3);
            boolean grouped = random.nextInt(3) == 0;
            String list = grouped ? "k, sum(v) as s, min(l) as m" : "k, l, v";
            String end = (grouped ? " group by k order by k" : " order by k, l") + " limit 20";
            String yt = list + " from [//t" + table + "] where " + where + end;
            String yql = "select " + list + " from t" + table + " where " + where + end;
            String expected = bench.with(PlanRules.ALL).answer(List.of(yql));
            String actual = same(round, yt);
            assertThat(rows(actual))
                    .as("-Dseed=%d, round %d: %s", SEED, round, yt)
                    .isEqualTo(rows(expected));
        }
    }

    /// The answer, which no rule of the planner and no limit changes.
    private String same(int round, String query) {
        String limit =
                "option range_expansion_limit="
                        + List.of(1, 3, 10, 100, 200_000).get(random.nextInt(5));
        String index = "option allow_join_without_index=1";
        String expected = bench.with(PlanRules.NONE).answerYt(List.of(index, query));
        assertThat(expected).as("-Dseed=%d: %s", SEED, query).contains("\n");
        assertThat(bench.with(PlanRules.ALL).answerYt(List.of(limit, index, query)))
                .as("-Dseed=%d, round %d: %s, %s", SEED, round, query, limit)
                .isEqualTo(expected);
        assertThat(bench.with(WITHOUT_RANGES).answerYt(List.of(index, query)))
                .as("-Dseed=%d, round %d: %s", SEED, round, query)
                .isEqualTo(expected);
        return expected;
    }

    private static List<String> rows(String answer) {
        return answer.lines().skip(1).toList();
    }

    /// What predicates are made of: the prefix of columns, the number of computed columns that they
    /// may name, and whether NULL may be compared.
    private record Words(String prefix, int computed, boolean nulls) {}

    private String predicate(Words words, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0, 1 -> column(words) + " " + comparison(words.nulls());
            case 2 -> {
                String column = words.prefix() + (random.nextBoolean() ? "k" : "l");
                yield "%s in (%d, %d, %s)"
                        .formatted(column, number(), number(), value(words.nulls()));
            }
            case 3 -> {
                int from = number();
                yield "%sk between %d and %d"
                        .formatted(words.prefix(), from, from + random.nextInt(6));
            }
            case 4 -> tuples(words);
            case 5, 6 ->
                    "(%s and %s)"
                            .formatted(predicate(words, depth - 1), predicate(words, depth - 1));
            default ->
                    random.nextInt(4) == 0
                            ? "(not (" + predicate(words, depth - 1) + "))"
                            : "(%s or %s)"
                                    .formatted(
                                            predicate(words, depth - 1),
                                            predicate(words, depth - 1));
        };
    }

    private String tuples(Words words) {
        String prefix = words.prefix();
        return switch (random.nextInt(3)) {
            case 0 ->
                    "(%sk, %sl) in ((%d, %d), (%d, %d))"
                            .formatted(prefix, prefix, number(), number(), number(), number());
            case 1 -> "(%sl, %sk) = (%d, %d)".formatted(prefix, prefix, number(), number());
            default ->
                    "(%sk, %sl) %s (%d, %d)"
                            .formatted(
                                    prefix,
                                    prefix,
                                    List.of(">", ">=", "<", "<=").get(random.nextInt(4)),
                                    number(),
                                    number());
        };
    }

    private String comparison(boolean nulls) {
        return List.of("=", "!=", "<", "<=", ">", ">=").get(random.nextInt(6))
                + " "
                + (nulls && random.nextInt(6) == 0 ? "null" : number());
    }

    /// Half of the time a column of the key.
    private String column(Words words) {
        int choice = random.nextInt(6 + words.computed());
        return words.prefix()
                + (choice >= 6
                        ? "c" + (choice - 6)
                        : List.of("k", "k", "k", "l", "l", "v").get(choice));
    }
}
