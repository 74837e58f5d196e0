package io.cleave.yt.table;

import io.cleave.base.StatusException;
import io.cleave.plan.PlanRules;
import io.cleave.plan.ReadInference;
import io.cleave.query.CompileOptions;
import io.cleave.query.Compiler;
import io.cleave.query.QueryBoard;
import io.cleave.query.Texts;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtQueryOptions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Tables with computed columns that YTsaurus' commands make and YQL writes and reads, from the
/// files in testdata/yt/computed. `yql` and `yt` run a text, `inferred` prints what `explain_query`
/// needs, `bulk_upsert` writes a row of numbers.
class ComputedColumnsTest {
    private TestYtTables world = new TestYtTables(1);

    @TestFactory
    Stream<DynamicTest> bothLanguagesSeeTheSameKeys() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/yt/computed"), this::run);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String run(Command command) {
        String text = String.join("\n", command.input());
        try {
            return switch (command.name()) {
                case "new" -> {
                    world.close();
                    world = new TestYtTables(1);
                    yield "ok";
                }
                case "restart" -> {
                    world.restart();
                    yield "ok";
                }
                case "yql" -> printed(new QueryBoard(world.store()).run(text));
                case "yt" ->
                        printed(
                                Texts.runYt(
                                        new QueryBoard(world.store()).database(),
                                        world.store().env(),
                                        text));
                case "inferred" -> inferred(text);
                case "bulk_upsert" -> bulkUpsert(command.args());
                case "insert_rows", "lookup_rows", "delete_rows" ->
                        shown(world.runOnRows(command.name(), text));
                default -> world.run(command.name(), text, Optional.empty());
            };
        } catch (StatusException e) {
            return e.status() + ": " + e.getMessage();
        } catch (YtException e) {
            return "error: " + e.getMessage();
        }
    }

    private String bulkUpsert(Map<String, String> columns) {
        List<Type.Member> members =
                columns.keySet().stream()
                        .map(name -> new Type.Member(name, Type.Primitive.INT64))
                        .toList();
        List<Value> row =
                columns.values().stream().map(number -> Value.of(Long.parseLong(number))).toList();
        var rows =
                new TypedValue(
                        new Type.ListOf(new Type.Struct(members)),
                        Value.items(List.of(Value.items(row))));
        new QueryBoard(world.store()).bulkUpsert("/local/t", rows);
        return "ok";
    }

    /// Timestamps change from run to run.
    private static String shown(String answer) {
        return answer.isEmpty() ? "no rows" : answer.replaceAll("[12][0-9]{18}u", "<timestamp>");
    }

    private static String printed(List<List<Value>> rows) {
        return rows.isEmpty()
                ? "no rows"
                : rows.stream().map(List::toString).collect(Collectors.joining("\n"));
    }

    private String inferred(String text) {
        var program =
                new Compiler()
                        .compile(
                                text,
                                Map.of(),
                                CompileOptions.ofYt(
                                        "/local", YtQueryOptions.DEFAULT, PlanRules.ALL),
                                world.store().tablets());
        ReadInference inference = ReadInference.of(program, Map.of()).orElseThrow();
        return inference.constraints()
                + "\nranges: "
                + inference.ranges()
                + "\nkeys: "
                + inference.keys()
                + "\n"
                + String.join("\n", inference.notes());
    }
}
