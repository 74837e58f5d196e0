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

    @Test
    void aCommitEndsATransaction() {
        assertThat(Script.queries("$a = 1; UPSERT INTO t; COMMIT; SELECT $a; commit;"))
                .containsExactly(
                        new Query(Kind.DATA, "        UPSERT INTO t;"),
                        new Query(Kind.DATA, "$a = 1;" + " ".repeat(24) + "SELECT $a;"));
        assertThat(Script.queries("COMMIT;")).isEmpty();
    }

    @Test
    void aNameIsPartOfTheQueriesThatUseItOrOfAllIfNoneDoes() {
        assertThat(Script.queries("$a = 1; $b = $a; $no = 1; SELECT $b; COMMIT; SELECT 1;"))
                .containsExactly(
                        new Query(Kind.DATA, "$a = 1; $b = $a; $no = 1; SELECT $b;"),
                        new Query(
                                Kind.DATA,
                                " ".repeat(17) + "$no = 1;" + " ".repeat(20) + "SELECT 1;"));
    }

    @Test
    void aBatchIsSentAlone() {
        assertThat(Script.queries("SELECT 1; BATCH DELETE FROM t; SELECT 2;"))
                .containsExactly(
                        new Query(Kind.DATA, "SELECT 1;"),
                        new Query(Kind.BATCH, " ".repeat(10) + "BATCH DELETE FROM t;"),
                        new Query(Kind.DATA, " ".repeat(31) + "SELECT 2;"));
        assertThat(Script.queries("BATCH UPDATE t; BATCH UPDATE u;")).hasSize(2);
    }

    @Test
    void theHeaderHoldsForEveryQuery() {
        String header = "--!ansi_lexer\n";

        assertThat(Script.queries(header + "DROP TABLE t; SELECT 'it''s';"))
                .containsExactly(
                        new Query(Kind.SCHEME, header + "DROP TABLE t;"),
                        new Query(Kind.DATA, header + " ".repeat(14) + "SELECT 'it''s';"));
        assertThat(Script.queries(header)).isEmpty();
    }

    @Test
    void theHeaderChangesWhereStringsAndCommentsEnd() {
        String header = "--!ansi_lexer\n";

        assertThat(Script.queries(header + "SELECT 'a\\'; DROP TABLE t;")).hasSize(2);
        assertThat(Script.queries("SELECT 'a\\'; DROP TABLE t;")).hasSize(1);
        assertThat(Script.queries(header + "SELECT 1; /* a /* b */ ; DROP */")).hasSize(1);
    }
}
