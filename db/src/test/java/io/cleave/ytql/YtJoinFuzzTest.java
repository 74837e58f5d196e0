package io.cleave.ytql;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.FakeDatabase;
import io.cleave.exec.QueryBench;
import io.cleave.plan.PlanRules;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Random joins by columns of narrow types. The rows are those of the same join of tables whose
/// columns have the types of the language, with and without the planner's rules.
class YtJoinFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int ROUND_COUNT = Integer.getInteger("rounds", 60);
    private static final int QUERIES_OF_ROUND = 10;

    /// Types that the language widens to the first one, and literals of the first one.
    private record Family(List<String> types, List<String> values) {
        String wide() {
            return types.getFirst();
        }
    }

    private static final List<Family> FAMILIES =
            List.of(
                    new Family(
                            List.of("Int64", "Int32", "Int16", "Int8"),
                            List.of(
                                    "0", "1", "-1", "127", "-128", "128", "255", "32767",
                                    "-32768")),
                    new Family(
                            List.of("Int64", "Int32"),
                            List.of(
                                    "0",
                                    "1",
                                    "2147483647",
                                    "-2147483648",
                                    "2147483648",
                                    "4294967297",
                                    "-4294967295",
                                    "9223372036854775807")),
                    new Family(
                            List.of("Uint64", "Uint32", "Uint16", "Uint8"),
                            List.of(
                                    "0",
                                    "1",
                                    "255",
                                    "256",
                                    "257",
                                    "65535",
                                    "4294967295",
                                    "4294967297",
                                    "18446744073709551615")),
                    new Family(
                            List.of("String", "Utf8"),
                            List.of("''", "'a'", "'ab'", "'\\xff'", "'\\xc3\\xa9'", "'\\x00'")));

    private final Random random = new Random(SEED);
    private final QueryBench<FakeDatabase> bench = QueryBench.fake();

    @Test
    void rowsAreThoseOfTheJoinOfWideColumns() {
        for (int round = 0; round < ROUND_COUNT; round++) {
            Family one = any(FAMILIES);
            Family other = any(FAMILIES);
            List<String> left = List.of(any(one.types), any(other.types));
            List<String> right = List.of(any(one.types), any(other.types));
            table("narrow_left" + round, "wide_left" + round, left, one, other);
            table("narrow_right" + round, "wide_right" + round, right, one, other);
            for (int query = 0; query < QUERIES_OF_ROUND; query++) {
                check(round, left + " and " + right);
            }
        }
    }

    private void check(int round, String types) {
        String on =
                switch (random.nextInt(4)) {
                    case 0 -> "l.a = r.a";
                    case 1 -> "(l.a, l.b) = (r.a, r.b)";
                    case 2 -> "(l.b, l.a) = (r.b, r.a)";
                    default -> "l.b = r.b";
                };
        String text =
                "l.a, l.b, l.n, r.a, r.b, r.n from [//%s_left"
                        + round
                        + "] l"
                        + (random.nextBoolean() ? " left" : "")
                        + " join [//%s_right"
                        + round
                        + "] r on "
                        + on
                        + (random.nextInt(3) == 0 ? " and r.n < 4" : "")
                        + (random.nextInt(3) == 0 ? " where l.n = " + random.nextInt(6) : "")
                        + " order by l.n, r.n limit 1000";
        List<String> options = new ArrayList<>(List.of("option allow_join_without_index=1"));
        if (random.nextInt(3) == 0) {
            options.add("option use_canonical_null_relations=1");
        }
        String expected = answer(PlanRules.NONE, options, text.formatted("wide", "wide"));
        assertThat(expected).startsWith("l.a:");
        for (PlanRules rules : List.of(PlanRules.ALL, PlanRules.NONE)) {
            for (String leftKind : List.of("narrow", "wide")) {
                assertThat(answer(rules, options, text.formatted(leftKind, "narrow")))
                        .as("-Dseed=%d, round %d, %s: %s %s", SEED, round, types, options, text)
                        .isEqualTo(expected);
            }
        }
    }

    private String answer(PlanRules rules, List<String> options, String text) {
        return bench.with(rules)
                .answerYt(Stream.concat(options.stream(), Stream.of(text)).toList());
    }

    /// Two tables with equal rows. Values that the narrow types do not have become NULL.
    private void table(
            String narrow, String wide, List<String> types, Family first, Family second) {
        create(narrow, types);
        create(wide, List.of(first.wide(), second.wide()));
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < 6; row++) {
            rows.add("(%s, %s, %d)".formatted(value(first), value(second), row));
        }
        String values =
                "SELECT CAST(a AS %s) AS a, CAST(b AS %s) AS b, CAST(n AS Int64) AS n FROM"
                        + " (VALUES "
                        + String.join(", ", rows)
                        + ") AS v (a, b, n)";
        run("UPSERT INTO %s %s".formatted(narrow, values.formatted(types.get(0), types.get(1))));
        run("UPSERT INTO %s SELECT * FROM %s".formatted(wide, narrow));
    }

    private void create(String name, List<String> types) {
        String key = random.nextBoolean() ? "a, b, n" : "b, a, n";
        run(
                "CREATE TABLE %s (a %s, b %s, n Int64, PRIMARY KEY (%s))"
                        .formatted(name, types.get(0), types.get(1), key));
    }

    private void run(String text) {
        assertThat(bench.with(PlanRules.ALL).answer(List.of(text))).as(text).isEqualTo("ok");
    }

    private String value(Family family) {
        return random.nextInt(5) == 0 ? "NULL" : any(family.values);
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
