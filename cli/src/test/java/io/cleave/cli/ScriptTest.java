package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.cli.Script.Kind;
import io.cleave.cli.Script.Query;

import org.junit.jupiter.api.Test;

import java.util.List;

class ScriptTest {
    @Test
    void statementsThatChangeTablesAreSentApart() {
        assertThat(Script.queries("CREATE TABLE t; DROP TABLE u; UPSERT INTO t; SELECT 1"))
                .containsExactly(
                        new Query(Kind.SCHEME, "CREATE TABLE t; DROP TABLE u;"),
                        new Query(Kind.DATA, " ".repeat(30) + "UPSERT INTO t; SELECT 1"));
    }

    @Test
    void aPlaceInAQueryIsThePlaceInTheText() {
        String text = "create table t;\n  select 1;\ndrop table t;";

        for (Query query : Script.queries(text)) {
            String found = query.text().strip();
            assertThat(query.text().indexOf(found)).isEqualTo(text.indexOf(found));
        }
        assertThat(Script.queries(text).get(1).text()).isEqualTo(" ".repeat(15) + "\n  select 1;");
    }

    @Test
    void whatIsSetUpHoldsForEveryQueryAfterIt() {
        List<Query> queries =
                Script.queries("PRAGMA a = 1; CREATE TABLE t; $x = 2; SELECT $x; SELECT 3;");

        assertThat(queries).hasSize(2);
        assertThat(queries.get(0).text()).isEqualTo("PRAGMA a = 1; CREATE TABLE t;");
        assertThat(queries.get(1).text())
                .isEqualTo("PRAGMA a = 1;                 $x = 2; SELECT $x; SELECT 3;");
    }

    @Test
    void aSemicolonInsideSomethingEndsNothing() {
        String one =
                """
                SELECT ';', "a\\";", `b;`, @@c;@@@@;@@ -- d;
                  /* e; */ FROM t\
                """;

        assertThat(Script.queries(one)).containsExactly(new Query(Kind.DATA, one));
        assertThat(Script.isComplete(one)).isFalse();
        assertThat(Script.isComplete(one + ";")).isTrue();
    }

    @Test
    void anOpenStringIsNotComplete() {
        assertThat(Script.isComplete("SELECT 'a;")).isFalse();
        assertThat(Script.isComplete("SELECT 1; SELECT @@;")).isFalse();
    }

    @Test
    void aTextWithoutStatementsHasNoQueries() {
        assertThat(Script.queries(" -- nothing\n ;; ")).isEmpty();
    }
}
