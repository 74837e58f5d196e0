package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.WriteModel.Mode;
import io.cleave.query.WriteModel.Refused;
import io.cleave.txn.Isolation;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Random statements that write, alone and in transactions that see their own writes, come to what
/// a plain model of the table says: its rows, those of RETURNING, and those that each index finds.
class WriteFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 60);
    private static final int KEYS = 12;
    private static final String FAILED = "failed";

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final MemoryDatabase memory = new MemoryDatabase();
    private final Database database = memory.database();
    private final Session session = database.as(Caller.IN_PROCESS).openSession();
    private final List<String> history = new ArrayList<>();
    private WriteModel model = new WriteModel();
    private TxControl control = TxControl.IMPLICIT;

    /// Numbers of the sequence that rows have had.
    private final Set<Object> numbers = new HashSet<>();

    @AfterEach
    void close() {
        memory.close();
    }

    /// A statement, and what it does to the model: the rows of its RETURNING.
    private record Statement(String text, List<String> returning, Effect effect) {}

    @FunctionalInterface
    private interface Effect {
        List<Map<String, @Nullable Object>> on(WriteModel rows) throws Refused;
    }

    @Test
    void theTableIsWhatItsModelIs() {
        run(
                """
                CREATE TABLE t (k Int32 NOT NULL, a Int32, b Utf8 DEFAULT "d", u Int32,
                    n Int32 NOT NULL DEFAULT 7, c Int32, s Serial, PRIMARY KEY (k),
                    INDEX by_a GLOBAL SYNC ON (a) COVER (c), INDEX by_b GLOBAL SYNC ON (b, a),
                    INDEX by_u GLOBAL UNIQUE SYNC ON (u) COVER (b))
                WITH (PARTITION_AT_KEYS = (4, 8))
                """);
        for (int round = 0; round < ROUNDS; round++) {
            if (random.nextInt(3) == 0) {
                inTransaction();
            } else {
                control = TxControl.auto(isolation());
                model = attempt(model);
            }
            control = TxControl.IMPLICIT;
            compare(model);
        }
    }

    private Isolation isolation() {
        return random.nextInt(4) == 0 ? Isolation.SNAPSHOT_READ_WRITE : Isolation.SERIALIZABLE;
    }

    /// Several texts, each of which sees what those before it wrote.
    private void inTransaction() {
        String txId = database.begin(session, isolation());
        history.add("begin");
        WriteModel inside = model.copy();
        int texts = random.nextInt(1, 5);
        for (int text = 0; text < texts; text++) {
            control = new TxControl.Existing(txId, false);
            WriteModel before = inside;
            inside = attempt(before);
            if (inside == before) {
                history.add("is gone");
                return;
            }
            compare(inside);
        }
        if (random.nextInt(4) == 0) {
            history.add("rollback");
            database.rollback(session, txId);
        } else {
            history.add("commit");
            database.commit(session, txId);
            model = inside;
        }
    }

    /// Runs a text of a few statements; the same model if it was refused.
    private WriteModel attempt(WriteModel before) {
        WriteModel after = before.copy();
        List<Statement> statements = new ArrayList<>();
        List<List<String>> expected = new ArrayList<>();
        boolean refused = false;
        int count = random.nextInt(1, 4);
        for (int index = 0; index < count; index++) {
            Statement statement = statement();
            statements.add(statement);
            try {
                List<Map<String, @Nullable Object>> returned =
                        refused ? List.of() : statement.effect.on(after);
                if (!statement.returning.isEmpty()) {
                    expected.add(printed(returned, statement.returning));
                }
            } catch (Refused _) {
                refused = true;
            }
        }
        String text = statements.stream().map(Statement::text).collect(Collectors.joining("; "));
        List<List<Map<String, @Nullable Object>>> results = run(text);
        if (refused || results.isEmpty()) {
            assertThat(results).as(place()).isEqualTo(refused ? failed() : List.of());
        }
        if (refused) {
            return before;
        }
        List<Statement> returning =
                statements.stream().filter(s -> !s.returning.isEmpty()).toList();
        assertThat(results).as(place()).hasSize(returning.size());
        for (int index = 0; index < results.size(); index++) {
            List<String> columns = returning.get(index).returning;
            assertThat(forgetNumbers(printed(results.get(index), columns), columns))
                    .as(place())
                    .isEqualTo(forgetNumbers(expected.get(index), columns));
        }
        return after;
    }

    /// Which number a row took is known only when it is read.
    private static List<String> forgetNumbers(List<String> rows, List<String> columns) {
        return columns.contains("s")
                ? rows.stream().map(row -> row.substring(0, row.lastIndexOf('|'))).sorted().toList()
                : rows;
    }

    private static List<List<Map<String, @Nullable Object>>> failed() {
        return List.of(List.of(Map.of(FAILED, FAILED)));
    }

    private Statement statement() {
        return switch (random.nextInt(10)) {
            case 0 -> update();
            case 1 -> delete();
            case 2, 3 -> copyOfOthers();
            default -> rows(Mode.values()[random.nextInt(Mode.values().length)]);
        };
    }

    private List<String> returning() {
        return switch (random.nextInt(4)) {
            case 0 -> WriteModel.COLUMNS;
            case 1 -> List.of("u", "k", "b");
            default -> List.of();
        };
    }

    private static String returningText(List<String> columns) {
        if (columns.isEmpty()) {
            return "";
        }
        return " RETURNING " + String.join(", ", columns);
    }

    private static String join(List<String> parts) {
        return String.join(", ", parts);
    }

    private Statement rows(Mode mode) {
        List<String> columns = new ArrayList<>(List.of("k"));
        boolean values = mode != Mode.DELETE_ON;
        for (String column : List.of("a", "b", "u", "n", "c")) {
            if (values && random.nextInt(3) > 0) {
                columns.add(column);
            }
        }
        List<Map<String, @Nullable Object>> given = new ArrayList<>();
        int count = random.nextInt(1, 4);
        for (int index = 0; index < count; index++) {
            given.add(row(columns));
        }
        List<String> returning = returning();
        String target =
                mode == Mode.UPDATE_ON || mode == Mode.DELETE_ON
                        ? mode.words + " t ON"
                        : mode.words + " t";
        String text =
                random.nextBoolean()
                        ? "%s (%s) VALUES %s".formatted(target, join(columns), valuesText(given))
                        : "%s SELECT * FROM AS_TABLE([%s])".formatted(target, structsText(given));
        return new Statement(
                text + returningText(returning), returning, model -> model.write(mode, given));
    }

    private Map<String, @Nullable Object> row(List<String> columns) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (String column : columns) {
            row.put(column, column.equals("k") ? (Long) random.nextLong(KEYS) : value(column));
        }
        return row;
    }

    private @Nullable Object value(String column) {
        if (!column.equals("n") && random.nextInt(5) == 0) {
            return null;
        }
        return switch (column) {
            case "b" -> "" + (char) ('a' + random.nextInt(3));
            case "u" -> random.nextLong(30);
            default -> random.nextLong(4);
        };
    }

    private static String literal(@Nullable Object value) {
        return value == null ? "NULL" : value instanceof String ? "\"" + value + "\"u" : "" + value;
    }

    private static String valuesText(List<Map<String, @Nullable Object>> rows) {
        return rows.stream()
                .map(
                        row ->
                                row.values().stream()
                                        .map(WriteFuzzTest::literal)
                                        .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", "));
    }

    private static String structsText(List<Map<String, @Nullable Object>> rows) {
        return rows.stream()
                .map(
                        row ->
                                row.entrySet().stream()
                                        .map(cell -> cell.getKey() + ": " + typed(cell))
                                        .collect(Collectors.joining(", ", "<|", "|>")))
                .collect(Collectors.joining(", "));
    }

    private static String typed(Map.Entry<String, @Nullable Object> cell) {
        String literal = literal(cell.getValue());
        return switch (cell.getKey()) {
            case "k", "n" -> literal;
            case "b" -> cell.getValue() == null ? "Nothing(Utf8?)" : "Just(" + literal + ")";
            default -> cell.getValue() == null ? "Nothing(Int32?)" : "Just(" + literal + ")";
        };
    }

    private record Where(String text, Predicate<Map<String, @Nullable Object>> test) {}

    private Where where() {
        long number = random.nextLong(KEYS);
        long small = random.nextLong(4);
        return switch (random.nextInt(6)) {
            case 0 -> new Where("k = " + number, row -> Objects.equals(row.get("k"), number));
            case 1 -> new Where("k < " + number, row -> compare(row.get("k"), number) < 0);
            case 2 -> new Where("a = " + small, row -> Objects.equals(row.get("a"), small));
            case 3 -> new Where("b = \"a\" OR u IS NULL", row -> isOfA(row));
            case 4 ->
                    new Where(
                            "k IN (1, %d) AND n >= 3".formatted(number),
                            row ->
                                    (Objects.equals(row.get("k"), 1L)
                                                    || Objects.equals(row.get("k"), number))
                                            && compare(row.get("n"), 3) >= 0);
            default -> new Where("k IN (SELECT c FROM t)", _ -> false);
        };
    }

    private static boolean isOfA(Map<String, @Nullable Object> row) {
        return Objects.equals(row.get("b"), "a") || row.get("u") == null;
    }

    private static int compare(@Nullable Object left, long right) {
        return Long.compare((Long) Objects.requireNonNull(left), right);
    }

    /// A predicate may ask for what the whole table has.
    private static Predicate<Map<String, @Nullable Object>> test(Where where, WriteModel rows) {
        if (!where.text.contains("SELECT")) {
            return where.test;
        }
        Set<@Nullable Object> found =
                rows.rows.values().stream().map(row -> row.get("c")).collect(Collectors.toSet());
        // A NULL among them makes nothing true.
        return row -> found.contains(row.get("k"));
    }

    /// What UPDATE sets a column to.
    private record Assignment(
            String text,
            String column,
            Function<Map<String, @Nullable Object>, @Nullable Object> value) {}

    private Statement update() {
        Where where = where();
        List<String> returning = returning();
        long number = random.nextLong(4);
        List<Assignment> sets =
                List.of(
                        new Assignment("a = a + 1", "a", row -> plus(row.get("a"), 1)),
                        new Assignment("b = NULL", "b", _ -> null),
                        new Assignment("b = \"a\"u", "b", _ -> "a"),
                        new Assignment("u = k + 100", "u", row -> plus(row.get("k"), 100)),
                        new Assignment("u = u + 1", "u", row -> plus(row.get("u"), 1)),
                        new Assignment("u = a", "u", row -> row.get("a")),
                        new Assignment(
                                "n = n + k",
                                "n",
                                row ->
                                        plus(
                                                row.get("n"),
                                                (Long) Objects.requireNonNull(row.get("k")))),
                        new Assignment("c = " + number, "c", _ -> number));
        List<Assignment> chosen = new ArrayList<>();
        Set<String> columns = new HashSet<>();
        for (int count = random.nextInt(1, 4); count > 0; count--) {
            Assignment set = sets.get(random.nextInt(sets.size()));
            if (columns.add(set.column)) {
                chosen.add(set);
            }
        }
        String text =
                "UPDATE t SET %s WHERE %s%s"
                        .formatted(
                                join(chosen.stream().map(Assignment::text).toList()),
                                where.text,
                                returningText(returning));
        return new Statement(
                text,
                returning,
                rows ->
                        rows.update(
                                test(where, rows),
                                row -> {
                                    Map<String, @Nullable Object> change = new LinkedHashMap<>();
                                    chosen.forEach(
                                            set -> change.put(set.column, set.value.apply(row)));
                                    return change;
                                }));
    }

    private static @Nullable Object plus(@Nullable Object value, long more) {
        return value == null ? null : (Long) value + more;
    }

    private Statement delete() {
        Where where = where();
        List<String> returning = returning();
        return new Statement(
                "DELETE FROM t WHERE " + where.text + returningText(returning),
                returning,
                rows -> rows.delete(test(where, rows)));
    }

    /// Rows made of the table's own.
    private Statement copyOfOthers() {
        Mode mode = Mode.values()[random.nextInt(Mode.values().length)];
        Where where = where();
        List<String> returning = returning();
        long shift = random.nextLong(3);
        String target =
                mode == Mode.UPDATE_ON || mode == Mode.DELETE_ON
                        ? mode.words + " t ON"
                        : mode.words + " t";
        String list = mode == Mode.DELETE_ON ? "" : ", c AS a, a AS c, b";
        String from = random.nextInt(3) == 0 ? "t VIEW by_a" : "t";
        // The order decides which of two rows with one key comes last, so keys stay apart.
        String text =
                "%s SELECT k + %d AS k%s FROM %s WHERE %s%s"
                        .formatted(target, shift, list, from, where.text, returningText(returning));
        return new Statement(
                text,
                returning,
                rows -> {
                    List<Map<String, @Nullable Object>> given = new ArrayList<>();
                    Predicate<Map<String, @Nullable Object>> test = test(where, rows);
                    for (Map<String, @Nullable Object> row : rows.rows.values()) {
                        if (test.test(row)) {
                            Map<String, @Nullable Object> made = new LinkedHashMap<>();
                            made.put("k", plus(row.get("k"), shift));
                            if (mode != Mode.DELETE_ON) {
                                made.put("a", row.get("c"));
                                made.put("c", row.get("a"));
                                made.put("b", row.get("b"));
                            }
                            given.add(made);
                        }
                    }
                    return rows.write(mode, given);
                });
    }

    private void compare(WriteModel expected) {
        List<Map<String, @Nullable Object>> found = run("SELECT * FROM t").getFirst();
        learnNumbers(expected, found);
        List<Map<String, @Nullable Object>> all = List.copyOf(expected.rows.values());
        assertThat(printed(found, WriteModel.COLUMNS))
                .as(place())
                .isEqualTo(printed(all, WriteModel.COLUMNS));
        same("SELECT a, k, c FROM t VIEW by_a", all, "a", "k", "c");
        same("SELECT b, a, k, n FROM t VIEW by_b", all, "b", "a", "k", "n");
        same("SELECT u, k, b, s FROM t VIEW by_u", all, "u", "k", "b", "s");
        same("SELECT a, k, c FROM `t/by_a/indexImplTable`", all, "a", "k", "c");
        same("SELECT u, k, b FROM `t/by_u/indexImplTable`", all, "u", "k", "b");
        long number = random.nextLong(30);
        same(
                "SELECT k, u, c FROM t VIEW by_u WHERE u = " + number,
                all.stream().filter(row -> Objects.equals(row.get("u"), number)).toList(),
                "k",
                "u",
                "c");
    }

    /// Rows keep the number they took, and no two ever have the same.
    private void learnNumbers(WriteModel expected, List<Map<String, @Nullable Object>> found) {
        for (Map<String, @Nullable Object> row : found) {
            Map<String, @Nullable Object> known = expected.rows.get((Long) row.get("k"));
            if (known != null && WriteModel.FRESH.equals(known.get("s"))) {
                Object number = Objects.requireNonNull(row.get("s"));
                assertThat(numbers.add(number)).as(place()).isTrue();
                known.put("s", number);
            }
        }
    }

    private void same(
            String query, List<Map<String, @Nullable Object>> expected, String... columns) {
        assertThat(printed(run(query).getFirst(), List.of(columns)))
                .as(place())
                .isEqualTo(printed(expected, List.of(columns)));
    }

    /// In no order.
    private static List<String> printed(
            List<Map<String, @Nullable Object>> rows, List<String> columns) {
        return rows.stream()
                .map(
                        row ->
                                columns.stream()
                                        .map(column -> column + "=" + row.get(column))
                                        .collect(Collectors.joining("|")))
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    private String place() {
        int from = Math.max(0, history.size() - 12);
        return "-Dseed=%d%n%s"
                .formatted(seed, String.join("\n", history.subList(from, history.size())));
    }

    private List<List<Map<String, @Nullable Object>>> run(String text) {
        history.add(text);
        var results = new Collected();
        try {
            database.run(
                    session,
                    QueryText.ofQueryService(text, Map.of()),
                    new QueryRun(
                            control,
                            Map.of(),
                            ResultLimits.NONE,
                            Cancellation.byDefault(memory.env())),
                    results);
        } catch (StatusException refused) {
            assertThat(refused.status())
                    .as("%s%n%s", refused.issues(), place())
                    .isEqualTo(Status.PRECONDITION_FAILED);
            return failed();
        }
        return results.sets;
    }

    private static final class Collected implements Results {
        private final List<List<Map<String, @Nullable Object>>> sets = new ArrayList<>();
        private List<String> names = List.of();

        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {
            names = shape.columns().stream().map(ResultColumn::name).toList();
            sets.add(new ArrayList<>());
        }

        @Override
        public void row(int resultIndex, Value[] row) {
            Map<String, @Nullable Object> cells = new LinkedHashMap<>();
            for (int index = 0; index < row.length; index++) {
                cells.put(
                        names.get(index),
                        switch (row[index]) {
                            case Value.Int(long number) -> number;
                            case Value.Text(String text) -> text;
                            case Value.Null _ -> null;
                            default -> throw new IllegalArgumentException("" + row[index]);
                        });
            }
            sets.getLast().add(cells);
        }

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }
}
