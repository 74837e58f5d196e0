package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.ValueProtos.Column;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.query.result.QueryResultPart;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.OptionalType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.Type;
import tech.ydb.table.values.Value;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

class ResultTableTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ResultTable table =
            new ResultTable(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    @Test
    void numbersStandToTheRightAndTextToTheLeft() {
        OptionalType text = PrimitiveType.Text.makeOptional();
        add(
                List.of(PrimitiveType.Uint64, text),
                List.of(PrimitiveValue.newUint64(7), PrimitiveValue.newText("né").makeOptional()),
                List.of(PrimitiveValue.newUint64(12_345), text.emptyValue()));
        table.finish();

        assertThat(printed())
                .isEqualTo(
                        """
                            c0 | c1
                        -------+------
                             7 | né
                         12345 | NULL
                        (2 rows)
                        """);
    }

    @Test
    void aTableMayHaveNoRows() {
        add(List.of(PrimitiveType.Bool));
        table.finish();

        assertThat(printed()).isEqualTo(" c0\n----\n(0 rows)\n");
    }

    @Test
    void aLineBreakInsideARowIsWrittenOut() {
        add(
                List.of(PrimitiveType.Text, PrimitiveType.Bool),
                List.of(PrimitiveValue.newText("a\nb"), PrimitiveValue.newBool(true)));
        table.finish();

        assertThat(printed()).contains(" a\\nb | true\n");
    }

    @Test
    void aPlanIsPrintedAsItIs() {
        add(List.of(PrimitiveType.Text), List.of(PrimitiveValue.newText("read t\n  range (1)\n")));
        table.finish();

        assertThat(printed()).isEqualTo("read t\n  range (1)\n");
    }

    @Test
    void rowsPastTheMeasuredOnesArePrintedAsTheyCome() {
        for (int row = 0; row < 1001; row++) {
            add(List.of(PrimitiveType.Int32), List.of(PrimitiveValue.newInt32(row)));
        }
        assertThat(printed()).endsWith("\n 1000\n");
        table.finish();

        assertThat(printed()).endsWith("\n 1000\n(1001 rows)\n");
    }

    @Test
    void everyKindOfValueReadsWell() {
        assertThat(Cell.text(PrimitiveValue.newBytes(new byte[] {(byte) 0xff, 1})))
                .isEqualTo("0xff01");
        assertThat(Cell.text(PrimitiveValue.newBytes("plain".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("plain");
        assertThat(Cell.text(PrimitiveValue.newTimestamp(Instant.EPOCH)))
                .isEqualTo("1970-01-01T00:00:00Z");
        assertThat(
                        Cell.text(
                                ListValue.of(
                                        PrimitiveValue.newText("a"), PrimitiveValue.newText("b"))))
                .isEqualTo("[a, b]");
    }

    @SafeVarargs
    private void add(List<Type> types, List<Value<?>>... rows) {
        var set = ResultSet.newBuilder();
        for (int column = 0; column < types.size(); column++) {
            set.addColumns(
                    Column.newBuilder().setName("c" + column).setType(types.get(column).toPb()));
        }
        for (List<Value<?>> row : rows) {
            var items = tech.ydb.proto.ValueProtos.Value.newBuilder();
            row.forEach(value -> items.addItems(value.toPb()));
            set.addRows(items);
        }
        table.add(new QueryResultPart(0, set.build()).getResultSetReader());
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
