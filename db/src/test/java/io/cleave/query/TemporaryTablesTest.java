package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.plan.Program.ResultShape;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class TemporaryTablesTest {
    private final TestDatabase database = new TestDatabase();
    private final Session session = database.database().as(Caller.IN_PROCESS).openSession();
    private final Session other = database.database().as(Caller.IN_PROCESS).openSession();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void onlyItsSessionSeesIt() {
        database.run(session, "CREATE TEMP TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        database.run(session, "UPSERT INTO t (k, v) VALUES (1, 1)");
        assertThat(database.run(session, "SELECT v FROM t")).isEqualTo(ints(1));
        assertThat(database.refusal(other, "SELECT v FROM t")).isEqualTo(Status.SCHEME_ERROR);
        assertThat(database.refusal("SELECT v FROM t")).isEqualTo(Status.SCHEME_ERROR);
        assertThat(database.database().scheme().list("/local"))
                .noneMatch(entry -> entry.name().equals("t") || entry.name().equals(".tmp"));
        // Nor where it really stands.
        String place = session.temporaries().places().get("/local/t");
        String named = "`" + place.substring("/local/".length()) + "`";
        assertThat(database.refusal(other, "SELECT v FROM " + named))
                .isEqualTo(Status.SCHEME_ERROR);
        assertThat(database.refusal(other, "DROP TABLE " + named)).isEqualTo(Status.SCHEME_ERROR);
        assertThat(database.refusal(other, "TRUNCATE TABLE " + named))
                .isEqualTo(Status.SCHEME_ERROR);
    }

    @Test
    void itsSessionReadsItsRowsWithoutAText() {
        database.run(session, "CREATE TEMP TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        database.run(session, "UPSERT INTO t (k, v) VALUES (1, 5)");
        assertThat(lookup(session)).containsExactly(Value.of(1), Value.of(5));
        assertThat(TestDatabase.status(() -> lookup(other))).isEqualTo(Status.SCHEME_ERROR);
        TableRows alone = database.database().rows();
        assertThat(TestDatabase.status(() -> alone.bulkUpsert("/local/t", keys())))
                .isEqualTo(Status.SCHEME_ERROR);
    }

    private static TypedValue keys() {
        var key = new Type.Member("k", Type.Primitive.INT32);
        return new TypedValue(
                new Type.ListOf(new Type.Struct(List.of(key))),
                Value.items(List.of(Value.items(List.of(Value.of(1))))));
    }

    private List<Value> lookup(Session asking) {
        var row = new ArrayList<Value>();
        database.database()
                .rows()
                .of(asking)
                .lookup(
                        "/local/t",
                        keys(),
                        List.of(),
                        Cancellation.byDefault(database.store.env()),
                        new Results() {
                            @Override
                            public void transaction(String txId) {}

                            @Override
                            public void begin(int resultIndex, ResultShape shape) {}

                            @Override
                            public void row(int resultIndex, Value[] found) {
                                row.addAll(List.of(found));
                            }

                            @Override
                            public void end(int resultIndex, boolean truncated) {}
                        });
        return row;
    }

    @Test
    void howeverManyThereWereOneWaitsForTheSessionsEnd() {
        var waiting = new AtomicInteger();
        var env =
                new ForwardingEnv(database.store.env()) {
                    @Override
                    public Thread spawn(String name, Runnable body) {
                        if (name.equals("temporary tables")) {
                            waiting.incrementAndGet();
                        }
                        return super.spawn(name, body);
                    }
                };
        var counting = Databases.of(database.store, env, 1);
        Session own = counting.as(Caller.IN_PROCESS).openSession();
        for (int count = 0; count < 20; count++) {
            for (String text :
                    List.of("CREATE TEMP TABLE t (k Int32, PRIMARY KEY (k))", "DROP TABLE t")) {
                counting.run(
                        own,
                        QueryText.ofQueryService(text, Map.of()),
                        database.newRun(),
                        new TestDatabase.Collected());
            }
        }
        counting.sessions().close(own.id());
        assertThat(waiting).hasValue(1);
    }

    @Test
    void theSameTextMeansEachSessionsOwnTable() {
        database.run("CREATE TABLE t (k Int32 NOT NULL, PRIMARY KEY (k))");
        database.run("INSERT INTO t (k) VALUES (0)");
        String text = "SELECT k FROM t";
        assertThat(database.run(session, text)).isEqualTo(ints(0));
        for (Session each : List.of(session, other)) {
            int number = each == session ? 1 : 2;
            database.run(
                    each, "CREATE TEMPORARY TABLE t (k Int32 NOT NULL, w Utf8, PRIMARY KEY (k))");
            database.run(each, "INSERT INTO t (k) VALUES (" + number + ")");
        }
        assertThat(database.run(session, text)).isEqualTo(ints(1));
        assertThat(database.run(other, text)).isEqualTo(ints(2));
        assertThat(database.run(text)).isEqualTo(ints(0));
        PreparedText prepared =
                database.database().prepare(QueryText.ofQueryService(text, Map.of()));
        assertThat(prepared.compiled(session).tables())
                .isNotEqualTo(prepared.compiled(other).tables());
        database.run(session, "DROP TABLE t");
        assertThat(database.run(session, text)).isEqualTo(ints(0));
    }

    @Test
    void itGoesWithItsSession() {
        database.run(
                session,
                "CREATE TEMP TABLE t (k Int32, PRIMARY KEY (k), INDEX i GLOBAL ON (k, v), v"
                        + " Int32)");
        database.run(session, "CREATE TEMP TABLE `dir/u` (k Serial, PRIMARY KEY (k))");
        assertThat(stored()).hasSize(3);
        database.database().sessions().close(session.id());
        awaitNothingStored();
    }

    @Test
    void itGoesWithASessionThatNobodyUses() {
        database.run(session, "CREATE TEMP TABLE t (k Int32, PRIMARY KEY (k))");
        assertThat(session.isIdleSince(database.store.env().nanoTime() + 1)).isTrue();
        database.database().sessions().closeAll();
        awaitNothingStored();
    }

    @Test
    void itIsGoneAfterACrash() {
        database.run(session, "CREATE TEMP TABLE t (k Int32, PRIMARY KEY (k))");
        assertThat(stored()).hasSize(1);
        database.restart();
        assertThat(stored()).isEmpty();
        assertThat(database.store.cluster().allTablets()).isEmpty();
    }

    @Test
    void itIsChangedAndDroppedByItsPath() {
        database.run(session, "CREATE TEMP TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        database.run(session, "ALTER TABLE t ADD COLUMN w Int32 DEFAULT 5");
        database.run(session, "UPSERT INTO t (k) VALUES (1)");
        database.run(session, "ALTER TABLE t ADD INDEX i GLOBAL ON (w)");
        assertThat(database.run(session, "SELECT k FROM t VIEW i WHERE w = 5")).isEqualTo(ints(1));
        database.run(session, "TRUNCATE TABLE t");
        assertThat(database.run(session, "SELECT k FROM t")).isEmpty();
        assertThat(database.refusal(session, "ALTER TABLE t RENAME TO u"))
                .isEqualTo(Status.UNSUPPORTED);
        database.run(session, "DROP TABLE t");
        assertThat(database.refusal(session, "SELECT k FROM t")).isEqualTo(Status.SCHEME_ERROR);
        assertThat(database.refusal(session, "DROP TABLE t")).isEqualTo(Status.SCHEME_ERROR);
        assertThat(stored()).isEmpty();
    }

    @Test
    void theTextThatMakesItMayEmptyIt() {
        database.run("CREATE TABLE t (k Int32 NOT NULL, PRIMARY KEY (k))");
        database.run("INSERT INTO t (k) VALUES (1)");
        database.run(
                session,
                "CREATE TEMP TABLE t (k Int32 NOT NULL, PRIMARY KEY (k)); TRUNCATE TABLE t;");
        assertThat(database.run("SELECT k FROM t")).isEqualTo(ints(1));
    }

    @Test
    void itIsMadeOfAQuery() {
        database.run("CREATE TABLE t (k Int32 NOT NULL, PRIMARY KEY (k))");
        database.run("INSERT INTO t (k) VALUES (1), (2)");
        database.run(session, "CREATE TEMP TABLE c (PRIMARY KEY (k)) AS SELECT k FROM t");
        assertThat(database.run(session, "SELECT k FROM c ORDER BY k")).isEqualTo(ints(1, 2));
        assertThat(database.refusal("SELECT k FROM c")).isEqualTo(Status.SCHEME_ERROR);
        assertThat(
                        database.refusal(
                                session,
                                "CREATE TEMP TABLE d (PRIMARY KEY (k)) AS SELECT"
                                        + " Unwrap(Nothing(Int32?)) AS k FROM t"))
                .isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(stored()).hasSize(2);
    }

    @Test
    void ofTheSamePathThereIsOne() {
        String create = "TABLE t (k Int32, PRIMARY KEY (k))";
        database.run(session, "CREATE TEMP " + create);
        assertThat(database.refusal(session, "CREATE TEMP " + create))
                .isEqualTo(Status.SCHEME_ERROR);
        database.run(
                session, "CREATE TEMP TABLE IF NOT EXISTS t (other Utf8, PRIMARY KEY (other))");
        assertThat(stored()).hasSize(1);
        database.run(session, "CREATE " + create);
        assertThat(stored()).hasSize(2);
    }

    @Test
    void withoutASessionThereIsNone() {
        assertThat(database.refusal("CREATE TEMP TABLE t (k Int32, PRIMARY KEY (k))"))
                .isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(stored()).isEmpty();
    }

    @Test
    void aPathThatNoTableMayHaveIsRefused() {
        for (String path : List.of(".sys/t", ".tmp/1", "a b")) {
            assertThat(
                            database.refusal(
                                    session,
                                    "CREATE TEMP TABLE `%s` (k Int32, PRIMARY KEY (k))"
                                            .formatted(path)))
                    .as(path)
                    .isNotEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void aSessionHasSoManyAndNoMore() {
        for (int number = 0; number < TemporaryTables.MAX_TABLES; number++) {
            session.temporaries().add("/local/x" + number, table());
        }
        assertThat(database.refusal(session, "CREATE TEMP TABLE t (k Int32, PRIMARY KEY (k))"))
                .isEqualTo(Status.SCHEME_ERROR);
    }

    private Table table() {
        database.run("CREATE TABLE IF NOT EXISTS any (k Int32, PRIMARY KEY (k))");
        return database.store.cluster().table("/local/any");
    }

    private List<Table> stored() {
        return database.store.cluster().allTables();
    }

    private void awaitNothingStored() {
        while (!stored().isEmpty() || !database.store.cluster().allTablets().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private static List<List<Value>> ints(int... numbers) {
        return Arrays.stream(numbers).mapToObj(number -> List.<Value>of(Value.of(number))).toList();
    }
}
