package io.cleave.plan;

import io.cleave.base.StatusException;
import io.cleave.exec.QueryBench;
import io.cleave.plan.range.InferredRanges;
import io.cleave.plan.range.KeyConstraint;
import io.cleave.plan.range.KeyLimit;
import io.cleave.plan.range.RangeInference;
import io.cleave.plan.range.TupleRange;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpressionTyping;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The key ranges that follow from predicates in YTsaurus' query language, from the files in
/// testdata/inference. `table` has a line for each column: a name, a type, and `= expression` for a
/// computed one; `value` marks a column outside the key. In ranges, `M` is after all values and `#`
/// is NULL. `explain` prints how the ranges were found, too.
class InferenceTextsTest {
    private static final String LIMIT = "1000";

    private List<String> lines = List.of();

    @TestFactory
    Stream<DynamicTest> predicatesBecomeRanges() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/inference"), this::run);
    }

    private String run(Command command) {
        if (command.name().equals("table")) {
            lines = command.input();
            return "ok";
        }
        long limit = Long.parseLong(command.args().getOrDefault("limit", LIMIT));
        try {
            Table table = table();
            List<Type> types = table.key().stream().map(Column::type).toList();
            String where = String.join(" ", command.input());
            Typed predicate = YtExpressionTyping.of(where, fields(table));
            KeyConstraint set =
                    KeyConstraints.of(
                            types, KeyPredicates.of(table, predicate), RangeText::constant);
            InferredRanges found = new RangeInference(types, generated(table)).infer(set, limit);
            List<String> answer = new ArrayList<>();
            for (TupleRange range : found.ranges()) {
                answer.add(text(range.lower(), types) + ".." + text(range.upper(), types));
            }
            if (answer.isEmpty()) {
                answer.add("nothing");
            }
            if (command.name().equals("explain")) {
                answer.addAll(
                        InferenceText.of(found, table.key().stream().map(Column::name).toList()));
            }
            return String.join("\n", answer);
        } catch (YtException | StatusException e) {
            return "error: " + e.getMessage();
        }
    }

    private Table table() {
        var columns = new StringBuilder();
        List<String> key = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", 3);
            columns.append('`').append(words[0]).append("` ").append(type(words[1])).append(", ");
            if (!line.endsWith(" value")) {
                key.add("`" + words[0] + "`");
            }
        }
        var bench = QueryBench.fake();
        bench.answer(
                List.of(
                        "CREATE TABLE t ("
                                + columns
                                + "PRIMARY KEY ("
                                + String.join(", ", key)
                                + "))"));
        var input = bench.input(List.of("SELECT * FROM t"));
        Program program = bench.compile(input.text(), input.types());
        return read(((DataSteps.Select) program.steps().getFirst()).rows()).table();
    }

    private static PlanNode.Read read(PlanNode node) {
        return node instanceof PlanNode.Read read ? read : read(Nodes.inputs(node).getFirst());
    }

    private static String type(String name) {
        return name.equals("boolean")
                ? "Bool"
                : name.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + name.substring(1);
    }

    private static List<Field> fields(Table table) {
        return table.columns().stream()
                .map(column -> new Field(column.name(), column.valueType()))
                .toList();
    }

    private List<GeneratedColumn> generated(Table table) {
        List<Field> key =
                table.key().stream()
                        .map(column -> new Field(column.name(), column.valueType()))
                        .toList();
        List<GeneratedColumn> all = new ArrayList<>();
        for (int column = 0; column < key.size(); column++) {
            String[] words = lines.get(column).split(" ", 4);
            if (words.length == 4) {
                Typed expression = YtExpressionTyping.of(words[3], key);
                all.add(
                        new GeneratedColumn(
                                column, List.copyOf(TypedTree.inputs(expression)), expression));
            }
        }
        return all;
    }

    private static String text(KeyLimit limit, List<Type> types) {
        List<String> texts = new ArrayList<>();
        for (int column = 0; column < limit.values().size(); column++) {
            texts.add(text(types.get(column), limit.values().get(column)));
        }
        if (limit.max()) {
            texts.add("M");
        }
        return "[" + String.join(";", texts) + "]";
    }

    private static String text(Type type, Value value) {
        return switch (value) {
            case Value.Null _ -> "#";
            case Value.Int(long number) when type == Primitive.UINT64 ->
                    Long.toUnsignedString(number) + "u";
            case Value.Int(long number) -> Long.toString(number);
            case Value.Binary(var bytes) -> '"' + bytes.utf8() + '"';
            default -> value.toString();
        };
    }
}
