package io.cleave.ytql;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.FakeDatabase;
import io.cleave.exec.QueryBench;
import io.cleave.plan.PlanRules;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Random texts: broken ones are refused and never fail in another way; the rows of good ones are
/// those of the same query in YQL, with any set of the planner's rules.
class YtQueryFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int BROKEN_COUNT = Integer.getInteger("requests", 10_000);
    private static final int QUERY_COUNT = Integer.getInteger("queries", 500);
    private static final int ROW_COUNT = 60;

    private static final List<String> TEXTS =
            List.of(
                    "k, l, v * 2 as w from [//t] where k = 1 and (l > 2 or v in (1, 2, 3)) limit 5",
                    "select `k` from `//t` where (k, l) in ((1, 2), (3, null)) order by v desc"
                            + " limit 3",
                    "sum(v) as s, min(l), first(s2) from [//t] group by k % 3 as m with totals"
                            + " having s > 1",
                    "t.k, d.name from [//t] as t left join [//d] as d on (t.k, 1) = (d.k, d.l) and"
                            + " d.l < 3",
                    "* from [//t] join [//d] using k, l where k between (1 and 2, 5 and (6, 7))",
                    "case k when 1 then \"a\" else s2 end, transform(k, (1, 2), (\"x\", \"y\"), s2)"
                            + " from [//t]",
                    "x from (select k + 1 as x, string(y) as z from [//t] array join a as y) where"
                            + " z like \"a%\"",
                    "farm_hash(k, s2) % 10u, if(is_null(v), 0, -v), cast(v as double) / 3.5e1 from"
                            + " [//t]",
                    "k from [//t] where {p} = k and not s2 rlike \"^[a-z]+$\" offset 1 limit 0x10");

    private static QueryBench<FakeDatabase> bench() {
        var bench = QueryBench.fake();
        for (String text :
                List.of(
                        "CREATE TABLE t (k Int64 NOT NULL, l Int64 NOT NULL, v Int64 NOT NULL, s2"
                                + " String, a Yson, PRIMARY KEY (k, l))",
                        "CREATE TABLE d (k Int64, l Int64, name String, PRIMARY KEY (k, l))",
                        "UPSERT INTO d (k, l, name) VALUES (1, 1, \"a\"), (2, 1, \"b\")")) {
            assertThat(bench.answer(List.of(text))).isEqualTo("ok");
        }
        return bench;
    }

    @Test
    void brokenTextsAreRefusedWithAnError() {
        var random = new Random(SEED);
        QueryBench<FakeDatabase> bench = bench();
        int refused = 0;
        for (int round = 0; round < BROKEN_COUNT; round++) {
            String text = broken(TEXTS.get(random.nextInt(TEXTS.size())), random);
            try {
                var _ = bench.compileYt(List.of(text));
            } catch (YtException e) {
                refused++;
                continue;
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("-Dseed=%d, round %d: %s".formatted(SEED, round, text), e);
            }
            // A good text runs, or a value fails it.
            assertThat(bench.answerYt(List.of(text))).isNotEmpty();
        }
        assertThat(refused).as("of %d", BROKEN_COUNT).isGreaterThan(BROKEN_COUNT / 4);
    }

    @Test
    void deepAndLongTextsAreRefusedOrRun() {
        QueryBench<FakeDatabase> bench = bench();
        int many = 20_000;
        for (String text :
                List.of(
                        "k from [//t] where " + "(".repeat(many) + "k" + ")".repeat(many) + " = 1",
                        "k from [//t] where " + "k = 1 or ".repeat(many) + "k = 2",
                        "-".repeat(many) + "k from [//t]",
                        "k" + " + 1".repeat(many) + " from [//t]",
                        "k from " + "(select k from ".repeat(many) + "[//t]",
                        "f(".repeat(many) + "k" + ")".repeat(many) + " from [//t]",
                        "case when k = 1 then ".repeat(many) + "k from [//t]",
                        "[".repeat(many) + " from [//t]")) {
            String answer = bench.answerYt(List.of(text));
            assertThat(answer)
                    .as(text.substring(0, 40))
                    .containsAnyOf(
                            "1711: Maximum expression depth exceeded",
                            "Maximum subquery depth exceeded",
                            "Error while parsing query");
        }
        String values =
                IntStream.range(0, many)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(","));
        assertThat(bench.answerYt(List.of("k from [//t] where k in (" + values + ")")))
                .startsWith("k:Int64");
    }

    @Test
    void rowsAreThoseOfTheSameQueryInYql() {
        var random = new Random(SEED);
        QueryBench<FakeDatabase> bench = bench();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < ROW_COUNT; row++) {
            rows.add(
                    "(%d, %d, %d)"
                            .formatted(random.nextInt(8), random.nextInt(8), random.nextInt(20)));
        }
        assertThat(
                        bench.answer(
                                List.of(
                                        "UPSERT INTO t (k, l, v) VALUES "
                                                + String.join(",", rows))))
                .isEqualTo("ok");
        for (int round = 0; round < QUERY_COUNT; round++) {
            boolean grouped = random.nextInt(3) == 0;
            String where = predicate(random, 3);
            String list =
                    grouped
                            ? "m, sum(v) as s, min(l) as a, max(v + k) as b"
                            : "k, l, " + number(random, 2) + " as x";
            String order = grouped ? " order by m" : " order by k, l";
            int limit = 1 + random.nextInt(20);
            String yt =
                    list
                            + " from [//t] where "
                            + where
                            + (grouped ? " group by " + number(random, 1) + " as m" : "")
                            + order
                            + " limit "
                            + limit;
            String yql = "select " + yt.replace("[//t]", "t").replace("%", "+ 0 *");
            yt = yt.replace("%", "+ 0 *");
            String expected = bench.with(PlanRules.ALL).answer(List.of(yql));
            String actual = bench.with(PlanRules.ALL).answerYt(List.of(yt));
            String unruled = bench.with(PlanRules.NONE).answerYt(List.of(yt));
            assertThat(withoutHead(actual))
                    .as("-Dseed=%d, round %d: %s%n%s", SEED, round, yt, actual)
                    .isEqualTo(withoutHead(expected));
            assertThat(unruled).as("-Dseed=%d, round %d: %s", SEED, round, yt).isEqualTo(actual);
        }
    }

    private static String withoutHead(String answer) {
        assertThat(answer).contains("\n");
        return answer.substring(answer.indexOf('\n'));
    }

    private static String predicate(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 6)) {
            case 0, 1 ->
                    number(random, 1)
                            + List.of(" = ", " != ", " < ", " <= ", " > ", " >= ")
                                    .get(random.nextInt(6))
                            + random.nextInt(12);
            case 2 ->
                    random.nextBoolean()
                            ? "k in (" + random.nextInt(8) + ", " + random.nextInt(8) + ")"
                            : column(random)
                                    + " between "
                                    + random.nextInt(5)
                                    + " and "
                                    + random.nextInt(9);
            case 3 ->
                    "("
                            + predicate(random, depth - 1)
                            + " and "
                            + predicate(random, depth - 1)
                            + ")";
            case 4 ->
                    "("
                            + predicate(random, depth - 1)
                            + " or "
                            + predicate(random, depth - 1)
                            + ")";
            default -> "(not (" + predicate(random, depth - 1) + "))";
        };
    }

    private static String number(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 2 : 4)) {
            case 0, 1 -> column(random);
            case 2 -> number(random, depth - 1) + " + " + random.nextInt(5);
            default ->
                    "(" + number(random, depth - 1) + " - " + number(random, depth - 1) + ") * 2";
        };
    }

    private static String column(Random random) {
        return List.of("k", "l", "v").get(random.nextInt(3));
    }

    private static String broken(String text, Random random) {
        var broken = new StringBuilder(text);
        for (int change = 1 + random.nextInt(3); change > 0 && !broken.isEmpty(); change--) {
            int at = random.nextInt(broken.length());
            switch (random.nextInt(5)) {
                case 0 -> broken.deleteCharAt(at);
                case 1 -> broken.insert(at, (char) (32 + random.nextInt(95)));
                case 2 -> broken.setCharAt(at, (char) (1 + random.nextInt(0x2FF)));
                case 3 -> {
                    String other = TEXTS.get(random.nextInt(TEXTS.size()));
                    int from = random.nextInt(other.length());
                    int to = from + random.nextInt(other.length() - from);
                    broken.insert(at, other, from, to);
                }
                default -> broken.delete(at, Math.min(broken.length(), at + random.nextInt(20)));
            }
        }
        return broken.toString();
    }
}
