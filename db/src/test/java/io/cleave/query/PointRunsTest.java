package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.txn.Isolation;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The short way of a read by key answers as the long one does.
class PointRunsTest {
    private static final TxControl AUTO = TxControl.auto(Isolation.SERIALIZABLE);
    private static final String BY_KEY = "SELECT v FROM t WHERE a = $a AND b = $b";

    private final TestDatabase store = new TestDatabase();
    private final Database database = store.database();
    private final Session session = database.as(Caller.IN_PROCESS).openSession();

    @BeforeEach
    void makeTable() {
        store.run("CREATE TABLE t (a Int64, b Utf8, v Utf8, PRIMARY KEY (a, b))");
        store.run("UPSERT INTO t (a, b, v) VALUES (1, 'x'u, 'one'u), (-1, ''u, NULL)");
        store.run("UPSERT INTO t (a, b, v) VALUES (NULL, 'x'u, 'null'u)");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void itIsTakenByAReadOfPlainColumnsByParametersAndConstants() {
        assertThat(suits(BY_KEY, AUTO)).isTrue();
        assertThat(suits(BY_KEY, TxControl.IMPLICIT)).isTrue();
        assertThat(suits("SELECT v FROM t WHERE b = 'x'u AND a = 1l", AUTO)).isTrue();
        assertThat(suits(BY_KEY, TxControl.auto(Isolation.STALE_READ_ONLY))).isFalse();
        assertThat(suits(BY_KEY, new TxControl.Begin(Isolation.SERIALIZABLE, false))).isFalse();
        assertThat(suits(BY_KEY, new TxControl.Existing("x", true))).isFalse();
        for (String other :
                List.of(
                        "SELECT v || 'x'u FROM t WHERE a = $a AND b = $b",
                        "SELECT v FROM t WHERE a = $a",
                        "SELECT v FROM t WHERE a = $a AND b = $b AND v = 'x'u",
                        "SELECT v FROM t WHERE a = $a + 1 AND b = $b",
                        "SELECT v FROM t WHERE a = $a AND b = $b; SELECT 1",
                        "DISCARD SELECT v FROM t WHERE a = $a AND b = $b",
                        "SELECT OwnerId FROM `.sys/partition_stats` WHERE OwnerId = 1ul"
                                + " AND PathId = 1ul AND PartIdx = 1ul AND FollowerId = 0u")) {
            assertThat(suits(other, AUTO)).as(other).isFalse();
        }
    }

    private boolean suits(String text, TxControl control) {
        Map<String, Type> types =
                text.contains("$") ? Map.of("$a", Primitive.INT64, "$b", Primitive.UTF8) : Map.of();
        return PointRuns.suits(database.compile(QueryText.ofQueryService(text, types)), control);
    }

    @Test
    void rowsAreThoseOfTheLongWay() {
        assertSame(number(Primitive.INT64, 1), text("x"), Value.text("one"));
        assertSame(number(Primitive.INT64, -1), text(""), Value.Null.NULL);
        assertSame(number(Primitive.INT64, 2), text("x"));
        assertSame(number(Primitive.INT64, 1), text("y"));
        // Numbers of other types are of their own plan, and NULL equals nothing.
        assertSame(number(Primitive.INT32, 1), text("x"), Value.text("one"));
        assertSame(new TypedValue(new Type.Optional(Primitive.INT64), Value.Null.NULL), text("x"));
        assertSame(
                new TypedValue(new Type.Optional(Primitive.INT64), Value.of(1)),
                text("x"),
                Value.text("one"));
    }

    private void assertSame(TypedValue a, TypedValue b, Value... expected) {
        Map<String, TypedValue> sent = new TreeMap<>(Map.of("$a", a, "$b", b));
        List<List<Value>> rows = run(BY_KEY, sent, AUTO, ResultLimits.NONE);
        assertThat(rows).isEqualTo(run(BY_KEY + " LIMIT 9", sent, AUTO, ResultLimits.NONE));
        assertThat(rows).isEqualTo(Arrays.stream(expected).map(List::of).toList());
    }

    @Test
    void whatIsMissingOrTooLargeIsRefused() {
        Map<String, TypedValue> sent = Map.of("$a", number(Primitive.INT64, 1), "$b", text("x"));
        var types =
                sent.entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, each -> each.getValue().type()));
        Compiled compiled = database.compile(QueryText.ofQueryService(BY_KEY, types));
        assertFails(
                Status.BAD_REQUEST,
                "Missing value for parameter: $b",
                () ->
                        database.threads()
                                .run(
                                        session,
                                        compiled,
                                        run(
                                                Map.of("$a", number(Primitive.INT64, 1)),
                                                AUTO,
                                                ResultLimits.NONE),
                                        new TestDatabase.Collected()));
        assertFails(
                Status.PRECONDITION_FAILED,
                "Query result size limit exceeded. (5 > 4)",
                () -> run(BY_KEY, sent, AUTO, new ResultLimits(1000, 4)));
        assertThat(run(BY_KEY, sent, AUTO, new ResultLimits(1000, 5))).hasSize(1);
    }

    @Test
    void aRunIsCountedAndItsRowToo() {
        Map<String, TypedValue> sent = Map.of("$a", number(Primitive.INT64, 1), "$b", text("x"));
        long before = session.info().queryCount();
        run(BY_KEY, sent, AUTO, ResultLimits.NONE);
        assertThat(session.info().queryCount()).isEqualTo(before + 1);
        assertThat(session.info().query()).isEqualTo(BY_KEY);
        assertThat(session.isBusy()).isFalse();
        assertThat(
                        store.run(
                                "SELECT ReadRows FROM `.sys/top_queries_by_duration_one_minute`"
                                        + " WHERE QueryText = \"%s\"".formatted(BY_KEY)))
                .isEqualTo(List.of(List.of(Value.of(1))));
    }

    private List<List<Value>> run(
            String text, Map<String, TypedValue> sent, TxControl control, ResultLimits limits) {
        var types =
                sent.entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, each -> each.getValue().type()));
        var rows = new TestDatabase.Collected();
        database.run(
                session, QueryText.ofQueryService(text, types), run(sent, control, limits), rows);
        return rows.rows();
    }

    private QueryRun run(Map<String, TypedValue> sent, TxControl control, ResultLimits limits) {
        return new QueryRun(control, sent, limits, Cancellation.byDefault(store.store.env()));
    }

    private static TypedValue number(Primitive type, long number) {
        return new TypedValue(type, Value.of(number));
    }

    private static TypedValue text(String text) {
        return new TypedValue(Primitive.UTF8, Value.text(text));
    }
}
