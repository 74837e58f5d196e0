package io.cleave.ytql;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.FakeDatabase;
import io.cleave.exec.QueryBench;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A query may have at most 15 groups of joins. A join whose keys use the columns of a join before
/// it begins a group.
class YtJoinGroupsTest {
    private static final String REFUSED =
            "1: The query has 16 groups of joins, and at most 15 are allowed";

    private final QueryBench<FakeDatabase> bench = QueryBench.fake();

    @BeforeEach
    void fill() {
        for (String text :
                List.of(
                        "CREATE TABLE t (k Int64, v Int64, a Yson, PRIMARY KEY (k))",
                        "UPSERT INTO t (k, v, a) VALUES (1, 1, Yson(\"[1]\"))")) {
            assertThat(bench.answer(List.of(text))).isEqualTo("ok");
        }
    }

    private String answer(String joins) {
        return bench.answerYt(List.of("t.k from [//t] as t " + joins));
    }

    private static String joins(int count, String join) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> join.replace("NEXT", "t" + number))
                .collect(Collectors.joining(" "));
    }

    /// Each join uses the columns of the join before it.
    private static String chain(int count) {
        return "join [//t] as t1 on t.v = t1.k "
                + IntStream.range(1, count)
                        .mapToObj(
                                n ->
                                        "join [//t] as t%d on t%d.v = t%d.k"
                                                .formatted(n + 1, n, n + 1))
                        .collect(Collectors.joining(" "));
    }

    @Test
    void sixteenJoinsThatUseEachOtherAreRefused() {
        assertThat(answer(chain(15))).endsWith("\n1\n");
        assertThat(answer(chain(16))).startsWith(REFUSED);
    }

    @Test
    void joinsOfTheFirstTableAreOneGroup() {
        assertThat(answer(joins(40, "join [//t] as NEXT on t.v = NEXT.k"))).endsWith("\n1\n");
    }

    @Test
    void aJoinOfTheFirstTableDoesNotBeginAGroup() {
        assertThat(answer(chain(15) + " join [//t] as u on t.v = u.k")).endsWith("\n1\n");
    }

    @Test
    void anArrayJoinIsAGroup() {
        assertThat(answer(joins(15, "array join t.a as NEXT"))).endsWith("\n1\n");
        assertThat(answer(joins(16, "array join t.a as NEXT"))).startsWith(REFUSED);
        assertThat(answer(chain(14) + " array join t.a as x")).endsWith("\n1\n");
        assertThat(answer(chain(14) + " array join t.a as x join [//t] as u on t.v = u.k"))
                .startsWith(REFUSED);
    }
}
