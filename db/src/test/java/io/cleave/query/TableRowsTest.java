package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.KeyBounds.Bound;
import io.cleave.query.TableRows.RangeRead;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class TableRowsTest {
    private static final String PATH = "/local/t";
    private static final Type.Member A = new Type.Member("a", Primitive.INT32);
    private static final Type.Member B = new Type.Member("b", Primitive.UTF8.optional());
    private static final Type.Member N = new Type.Member("n", Primitive.INT64.optional());

    private final MemoryDatabase memory = new MemoryDatabase();
    private final TableRows rows = memory.database().rows();

    @BeforeEach
    void fill() {
        QueryRun run =
                new QueryRun(TxControl.IMPLICIT, Map.of(), ResultLimits.NONE, cancellation());
        Texts.runAlone(
                memory.database(),
                QueryText.ofQueryService(
                        "CREATE TABLE t (b Text, n Int64, a Int32 NOT NULL,"
                                + " PRIMARY KEY (a, b))",
                        Map.of()),
                run,
                new Shown());
        rows.bulkUpsert(
                PATH,
                list(
                        List.of(N, B, A),
                        List.of(Value.of(10), Value.text("x"), Value.of(1)),
                        List.of(Value.of(11), Value.text("y"), Value.of(1)),
                        List.of(Value.of(20), Value.Null.NULL, Value.of(2)),
                        List.of(Value.of(30), Value.text("x"), Value.of(3))));
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private Cancellation cancellation() {
        return Cancellation.byDefault(memory.env());
    }

    @SafeVarargs
    private static TypedValue list(List<Type.Member> members, List<Value>... values) {
        List<Value> items = new ArrayList<>();
        for (List<Value> value : values) {
            items.add(Value.items(value));
        }
        return new TypedValue(new Type.ListOf(new Type.Struct(members)), Value.items(items));
    }

    private List<String> lookup(TypedValue keys, String... columns) {
        Shown shown = new Shown();
        rows.lookup(PATH, keys, List.of(columns), cancellation(), shown);
        return shown.rows;
    }

    private List<String> read(Optional<Bound> from, Optional<Bound> to, long limit) {
        Shown shown = new Shown();
        rows.read(
                new RangeRead(PATH, new KeyBounds(from, to), List.of("n"), limit, false),
                cancellation(),
                shown);
        return shown.rows;
    }

    private static Optional<Bound> bound(boolean inclusive, Value... values) {
        Type[] key = {Primitive.INT32.optional(), Primitive.UTF8.optional()};
        List<Type> types = List.of(key).subList(0, values.length);
        return Optional.of(
                new Bound(
                        new TypedValue(new Type.Tuple(types), Value.items(List.of(values))),
                        inclusive));
    }

    @Test
    void rowsAreFoundByWholeKeys() {
        TypedValue keys =
                list(
                        List.of(B, A),
                        List.of(Value.Null.NULL, Value.of(2)),
                        List.of(Value.text("no"), Value.of(2)),
                        List.of(Value.text("y"), Value.of(1)));
        assertThat(lookup(keys, "n", "a")).containsExactly("20 2", "11 1");
        assertThat(lookup(keys)).containsExactly("NULL 20 2", "y 11 1");
    }

    @Test
    void boundsMayBePrefixes() {
        assertThat(read(Optional.empty(), Optional.empty(), 0))
                .containsExactly("10", "11", "20", "30");
        assertThat(read(bound(true, Value.of(1)), bound(false, Value.of(2)), 0))
                .containsExactly("10", "11");
        assertThat(read(bound(false, Value.of(1)), bound(true, Value.of(2)), 0))
                .containsExactly("20");
        assertThat(
                        read(
                                bound(false, Value.of(1), Value.text("x")),
                                bound(true, Value.of(3), Value.text("x")),
                                0))
                .containsExactly("11", "20", "30");
        assertThat(read(bound(true, Value.of(3)), bound(true, Value.of(1)), 0)).isEmpty();
        assertThat(read(Optional.empty(), Optional.empty(), 3)).containsExactly("10", "11", "20");
    }

    @Test
    void newRowsHaveTheDefaultsOfToday() {
        for (String text :
                List.of(
                        "ALTER TABLE t ADD COLUMN d Int32 DEFAULT 5, ADD COLUMN e Int32 DEFAULT 6",
                        "ALTER TABLE t ADD INDEX i GLOBAL ON (d)",
                        "ALTER TABLE t ALTER COLUMN d SET DEFAULT 7, ALTER COLUMN e DROP"
                                + " DEFAULT")) {
            Texts.run(memory.database(), memory.env(), text);
        }
        rows.bulkUpsert(
                PATH,
                list(
                        List.of(N, B, A),
                        List.of(Value.of(31), Value.text("x"), Value.of(3)),
                        List.of(Value.of(40), Value.text("x"), Value.of(4)),
                        List.of(Value.of(41), Value.text("x"), Value.of(4))));
        TypedValue keys =
                list(
                        List.of(B, A),
                        List.of(Value.text("x"), Value.of(3)),
                        List.of(Value.text("x"), Value.of(4)));
        assertThat(lookup(keys, "n", "d", "e")).containsExactly("31 5 6", "41 7 NULL");
        assertThat(Texts.run(memory.database(), memory.env(), "SELECT a FROM t VIEW i WHERE d = 7"))
                .containsExactly(List.of(Value.of(4)));
    }

    @Test
    void mistakesInRowsAreNamed() {
        assertFails(
                Status.BAD_REQUEST,
                "Missing key columns: b",
                () -> rows.bulkUpsert(PATH, list(List.of(A), List.of(Value.of(1)))));
        Type.Member other = new Type.Member("other", Primitive.INT32);
        assertFails(
                Status.SCHEME_ERROR,
                "Unknown column: other",
                () -> rows.bulkUpsert(PATH, list(List.of(A, B, other))));
        Type.Member narrow = new Type.Member("n", Primitive.INT32);
        assertFails(
                Status.SCHEME_ERROR,
                "got type Int32 for column n, but expected Int64",
                () -> rows.bulkUpsert(PATH, list(List.of(A, B, narrow))));
        Type.Member maybe = new Type.Member("a", Primitive.INT32.optional());
        assertFails(
                Status.BAD_REQUEST,
                "NULL value for not null column: a",
                () ->
                        rows.bulkUpsert(
                                PATH,
                                list(
                                        List.of(maybe, B),
                                        List.of(Value.Null.NULL, Value.Null.NULL))));
        assertFails(
                Status.BAD_REQUEST,
                "larger than the allowed threshold",
                () ->
                        rows.bulkUpsert(
                                PATH,
                                list(
                                        List.of(A, B),
                                        List.of(
                                                Value.of(1),
                                                Value.text("x".repeat((8 << 20) + 1))))));
        assertFails(
                Status.SCHEME_ERROR,
                "/local/none",
                () -> rows.bulkUpsert("/local/none", list(List.of(A))));
        assertFails(
                Status.BAD_REQUEST,
                "read-only",
                () -> rows.bulkUpsert("/local/.sys/partition_stats", list(List.of(A))));
        assertFails(
                Status.BAD_REQUEST,
                "List<Struct>",
                () -> rows.bulkUpsert(PATH, new TypedValue(Primitive.INT32, Value.of(1))));
    }

    @Test
    void mistakesInKeysAreNamed() {
        assertFails(Status.BAD_REQUEST, "No keys", () -> lookup(list(List.of(A, B)), "n"));
        assertFails(
                Status.BAD_REQUEST, "only key columns", () -> lookup(list(List.of(A, B, N)), "n"));
        assertFails(
                Status.SCHEME_ERROR,
                "Unknown column 'zz'",
                () -> lookup(list(List.of(A, B), List.of(Value.of(1), Value.text("x"))), "zz"));
        Optional<Bound> wrong =
                Optional.of(
                        new Bound(
                                new TypedValue(
                                        new Type.Tuple(List.of(Primitive.UTF8)),
                                        Value.items(List.of(Value.text("x")))),
                                true));
        assertFails(
                Status.BAD_REQUEST,
                "has Utf8 for key column a, whose type is Int32",
                () -> read(wrong, Optional.empty(), 0));
    }

    private static final class Shown implements Results {
        final List<String> rows = new ArrayList<>();

        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {
            StringBuilder shown = new StringBuilder();
            for (Value value : row) {
                shown.append(shown.isEmpty() ? "" : " ")
                        .append(
                                switch (value) {
                                    case Value.Int(long number) -> String.valueOf(number);
                                    case Value.Text(String text) -> text;
                                    default -> "NULL";
                                });
            }
            rows.add(shown.toString());
        }

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }
}
