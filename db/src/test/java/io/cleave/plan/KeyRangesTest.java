package io.cleave.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.exec.QueryBench;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.schema.Column;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Which ranges predicates come to, from the files in testdata/ranges. The key columns of a case
/// are `a`, `b`, `c` in their order; `v` is no key.
class KeyRangesTest {
    private static final String NAMES = "abcdefgh";

    @TestFactory
    Stream<DynamicTest> predicatesBecomeRanges() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ranges"), KeyRangesTest::run);
    }

    private static String run(Command command) {
        var bench = QueryBench.fake();
        String[] types = command.args().getOrDefault("key", "").split(",(?![^(]*\\))");
        bench.answer(List.of(createTable(types)));
        List<String> lines = new ArrayList<>(command.input());
        lines.set(lines.size() - 1, "SELECT v FROM t WHERE " + lines.getLast());
        var input = bench.input(lines);
        Program program = bench.compile(input.text(), input.types());
        PlanNode.Read read = read(((DataSteps.Select) program.steps().getFirst()).rows());
        KeySpans spans = spans(read, input.values());
        List<Type> keyTypes = read.table().key().stream().map(Column::type).toList();
        return RangeText.of(spans, keyTypes);
    }

    private static String createTable(String[] types) {
        var text = new StringBuilder("CREATE TABLE t (v Int32");
        List<String> names = new ArrayList<>();
        for (int index = 0; index < types.length; index++) {
            names.add(NAMES.substring(index, index + 1));
            text.append(", ").append(names.getLast()).append(' ').append(types[index]);
        }
        return text + ", PRIMARY KEY (" + String.join(", ", names) + "))";
    }

    private static PlanNode.Read read(PlanNode node) {
        return node instanceof PlanNode.Read read ? read : read(Nodes.inputs(node).getFirst());
    }

    private static KeySpans spans(PlanNode.Read read, Map<String, Value> parameters) {
        var context = new RunContext(parameters, () -> 0, new SplittableRandom(1));
        return KeyRanges.of(
                read.table(),
                read.keys(),
                expression -> Evaluator.compile(expression).eval(new Value[0], context));
    }

    /// Every predicate keeps, of rows read in its ranges, what it keeps of all rows.
    @Test
    void rangesLoseNoRow() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        var bench = QueryBench.fake();
        bench.answer(List.of(createTable(new String[] {"Int8", "Uint8"})));
        bench.answer(
                List.of("CREATE TABLE u (i Int32, v Int32, a Int8, b Uint8, PRIMARY KEY (i))"));
        var rows = new ArrayList<String>();
        for (int index = 0; index < 60; index++) {
            rows.add(
                    "(%d, %d, %s, %s)"
                            .formatted(index, index, small(random, -3), small(random, 0)));
        }
        String values = String.join(", ", rows);
        bench.answer(List.of("UPSERT INTO u (i, v, a, b) VALUES " + values));
        bench.answer(List.of("UPSERT INTO t SELECT a, b, MAX(v) AS v FROM u GROUP BY a, b"));
        bench.answer(List.of("DELETE FROM u"));
        bench.answer(List.of("UPSERT INTO u SELECT v AS i, v, a, b FROM t"));
        for (int round = 0; round < 300; round++) {
            String where = predicate(random, 3);
            String ranged = bench.answer(List.of("SELECT v FROM t WHERE " + where + " ORDER BY v"));
            String full = bench.answer(List.of("SELECT v FROM u WHERE " + where + " ORDER BY v"));
            assertThat(ranged).as("-Dseed=%d: %s", seed, where).isEqualTo(full);
        }
    }

    private static String small(SplittableRandom random, int from) {
        return random.nextInt(6) == 0 ? "NULL" : Integer.toString(random.nextInt(from, from + 6));
    }

    private static String predicate(SplittableRandom random, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            String operator = random.nextBoolean() ? " AND " : " OR ";
            return "("
                    + predicate(random, depth - 1)
                    + operator
                    + predicate(random, depth - 1)
                    + ")";
        }
        String column = random.nextBoolean() ? "a" : "b";
        return switch (random.nextInt(7)) {
            case 0 -> column + " IS NULL";
            case 1 -> column + " IS NOT NULL";
            case 2 -> column + " IN (" + literal(random) + ", " + literal(random) + ")";
            case 3 -> column + " BETWEEN " + literal(random) + " AND " + literal(random);
            case 4 ->
                    "(a, b) "
                            + comparison(random)
                            + " ("
                            + literal(random)
                            + ", "
                            + literal(random)
                            + ")";
            default -> column + " " + comparison(random) + " " + literal(random);
        };
    }

    private static String comparison(SplittableRandom random) {
        return List.of("=", "!=", "<", "<=", ">", ">=").get(random.nextInt(6));
    }

    private static String literal(SplittableRandom random) {
        return List.of("-300", "-1", "0", "1", "2", "1.5", "300", "2ul", "-2l")
                .get(random.nextInt(9));
    }

    /// A point stays a point beside a range that holds it, and in a union with itself.
    @Test
    void unionsAndIntersectionsKeepPoints() {
        KeySpans one = point(1);
        KeySpans two = point(2);
        assertThat(one.union(two).spans()).hasSize(2);
        assertThat(one.union(two).arePoints()).isTrue();
        assertThat(one.union(one)).isEqualTo(one);
        assertThat(one.intersection(KeySpans.ALL)).isEqualTo(one);
        assertThat(one.intersection(two)).isEqualTo(KeySpans.NONE);
        assertThat(one.union(two).intersection(two)).isEqualTo(two);
    }

    private static KeySpans point(int number) {
        Bytes from = KeyCodec.encode(List.of(Primitive.UINT8), Value.of(number));
        return KeySpans.of(new KeySpans.Span(from, KeyCodec.prefixEnd(from), true));
    }
}
