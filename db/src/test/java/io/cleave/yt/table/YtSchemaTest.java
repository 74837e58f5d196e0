package io.cleave.yt.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableRules;
import io.cleave.schema.YtTable;
import io.cleave.testkit.DataDriven;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Schemas as clients send them, and what the server says of them.
class YtSchemaTest {
    @TestFactory
    Stream<DynamicTest> schemas() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/yt/schema"),
                command ->
                        answer(
                                () ->
                                        switch (command.name()) {
                                            case "schema" -> schema(text(command));
                                            case "change" -> change(command.input());
                                            case "pivots" -> pivots(command.input());
                                            case "uniform" ->
                                                    uniform(
                                                            command.args().get("type"),
                                                            (int) command.number("count"));
                                            default ->
                                                    throw new IllegalArgumentException(
                                                            command.name());
                                        }));
    }

    private static String answer(Supplier<String> run) {
        try {
            return run.get();
        } catch (YtException e) {
            return shown(e.error(), "error ");
        }
    }

    private static String shown(YtError error, String before) {
        var text = new StringBuilder(before + error.code() + ": " + error.message());
        for (YtError inner : error.innerErrors()) {
            text.append('\n').append(shown(inner, "  by ").replace("\n", "\n  "));
        }
        return text.toString();
    }

    /// Long schemas are written as a pattern: `*33 TEXT` is `TEXT` 33 times, with `%d` numbered.
    private static String text(DataDriven.Command command) {
        return command.input().stream().map(YtSchemaTest::expanded).collect(Collectors.joining());
    }

    private static String expanded(String line) {
        if (line.startsWith("@")) {
            int space = line.indexOf(' ');
            return "x".repeat(Integer.parseInt(line.substring(1, space)));
        }
        if (!line.startsWith("*")) {
            return line;
        }
        int space = line.indexOf(' ');
        int count = Integer.parseInt(line.substring(1, space));
        return IntStream.range(0, count)
                .mapToObj(index -> line.substring(space + 1).replace("%d", "" + index))
                .collect(Collectors.joining());
    }

    /// The schema that a table of this schema has, and the columns that YQL sees.
    private static String schema(String text) {
        Table table = table(text);
        return TableSchemas.of(table).columns().size() > 8
                ? table.columns().size() + " columns"
                : TableSchemas.of(table).node().print()
                        + "\n"
                        + table.columns().stream()
                                .map(
                                        column ->
                                                column.name()
                                                        + " "
                                                        + column.type().text()
                                                        + (column.notNull() ? " NOT NULL" : "")
                                                        + (column.family().equals("default")
                                                                ? ""
                                                                : " FAMILY " + column.family()))
                                .collect(Collectors.joining(", "));
    }

    private static YtSchema read(String text, Optional<YtSchema> before) {
        return SchemaRules.read(FakeCall.yson(text), before, ComputedColumns.NONE);
    }

    static Table table(String text) {
        YtSchema schema = read(text, Optional.empty());
        var yt =
                new YtTable(
                        true,
                        TableSchemas.kept(schema),
                        Collections.emptySortedMap(),
                        MountStates.of(MountState.UNMOUNTED));
        var definition =
                new TableDefinition(
                        "/local/t",
                        TableSchemas.columns(schema, Map.of()),
                        schema.keyColumns().stream().map(SchemaColumn::name).toList(),
                        TableFamilies.of(schema, new YtSettings(yt)),
                        TableOptions.DEFAULT.with(yt),
                        new Layout.Single(),
                        Map.of());
        return TableRules.create(definition, 7, 0);
    }

    private static String change(List<String> lines) {
        YtSchema before = read(lines.get(0), Optional.empty());
        YtSchema after = read(lines.get(1), Optional.of(before));
        SchemaRules.checkChange(before, after);
        return "ok";
    }

    /// The keys as the store has them, printed again.
    private static String pivots(List<String> lines) {
        Table table = table(lines.get(0));
        List<SchemaColumn> key = TableSchemas.of(table).keyColumns();
        List<Bytes> keys = PivotKeys.read(key, FakeCall.yson(lines.get(1)));
        PivotRules.checkIncreasing(keys);
        return printed(table, keys);
    }

    @Test
    void aPivotKeyIsAsLongAsAKeyAtMost() {
        Table table = table("[{name=k;type=string;sort_order=ascending};{name=v;type=any}]");
        List<SchemaColumn> key = TableSchemas.of(table).keyColumns();
        String most = "x".repeat(1 << 20);
        var _ = PivotKeys.read(key, FakeCall.yson("[[];[%s]]".formatted(most)));
        assertThatThrownBy(() -> PivotKeys.read(key, FakeCall.yson("[[];[%sx]]".formatted(most))))
                .hasMessage("Pivot key is too long: actual 1048577 bytes, limit 1048576");
    }

    private static String uniform(String type, int count) {
        Table table =
                table("[{name=k;type=%s;sort_order=ascending};{name=v;type=any}]".formatted(type));
        SchemaColumn first = TableSchemas.of(table).keyColumns().getFirst();
        return printed(table, PivotKeys.uniform(first, count));
    }

    private static String printed(Table table, List<Bytes> keys) {
        return YsonNode.list(keys.stream().map(key -> PivotKeys.node(table, key)).toList()).print();
    }
}
