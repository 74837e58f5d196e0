package io.cleave.lsm.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class FieldsTest {
    @Test
    void rowsOfOneWidthCostNothingButTheirFields() {
        var writer = new FieldsWriter(64);
        for (int row = 0; row < 100; row++) {
            add(writer, "1=ab%02d 4=x%03d".formatted(row, row));
        }
        byte[] section = finish(writer);
        assertThat(section.length).isEqualTo(100 * 8 + 5 + Fields.TRAILER_BYTES);
        assertThat(read(section, 37)).isEqualTo("1=ab37 4=x037");
        assertThat(read(section, 99)).isEqualTo("1=ab99 4=x099");
    }

    @Test
    void aColumnWhoseWidthChangesIsVariableFromThenOn() {
        var writer = new FieldsWriter(64);
        add(writer, "1=abc 2=x");
        add(writer, "1=abcd 2=y");
        add(writer, "1=abc 2=z");
        byte[] first = finish(writer);
        assertThat(read(first, 0)).isEqualTo("1=abc 2=x");
        assertThat(read(first, 1)).isEqualTo("1=abcd 2=y");
        assertThat(read(first, 2)).isEqualTo("1=abc 2=z");
        assertThat(open(first).shapes().list()).hasSize(2);

        add(writer, "1=abc 2=x");
        byte[] second = finish(writer);
        assertThat(open(second).shapes().list()).hasSize(1);
        assertThat(open(second).shapes().list().getFirst().widths)
                .containsExactly(Shape.VARIABLE, 1);
    }

    @Test
    void nullIsNotAnEmptyField() {
        var writer = new FieldsWriter(64);
        add(writer, "1= 2");
        add(writer, "1 2=");
        byte[] section = finish(writer);
        assertThat(read(section, 0)).isEqualTo("1= 2");
        assertThat(read(section, 1)).isEqualTo("1 2=");
    }

    @Test
    void anyMixtureOfRowsReadsBack() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            var writer = new FieldsWriter(64);
            List<String> rows = new ArrayList<>();
            int count = 1 + random.nextInt(400);
            int columns = random.nextInt(12);
            for (int index = 0; index < count; index++) {
                rows.add(randomRow(random, columns, round % 2 == 0));
                add(writer, rows.getLast());
            }
            byte[] section = finish(writer);
            for (int index = 0; index < count; index++) {
                assertThat(read(section, index)).as("-Dseed=%d", seed).isEqualTo(rows.get(index));
            }
        }
    }

    @Test
    void blocksWithTheSameShapesShareThem() {
        var writer = new FieldsWriter(64);
        add(writer, "1=abc");
        Fields first = open(finish(writer));
        add(writer, "1=abd");
        byte[] next = finish(writer);
        assertThat(new Fields(next, 0, next.length, first.shapes()).shapes())
                .isSameAs(first.shapes());
    }

    private static String randomRow(Random random, int columns, boolean large) {
        List<String> fields = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
            int kind = random.nextInt(8);
            if (kind == 0) {
                fields.add(Integer.toString(column));
            } else if (kind > 1) {
                int width = column % 2 == 0 ? 3 : random.nextInt(large ? 400 : 5);
                fields.add(column + "=" + "x".repeat(width));
            }
        }
        return String.join(" ", fields);
    }

    private static void add(FieldsWriter writer, String fields) {
        Row row = fields.isEmpty() ? new Row(Projection.ALL) : row(fields.split(" "));
        writer.add(row, null, 0);
    }

    private static byte[] finish(FieldsWriter writer) {
        var out = new ByteWriter(64);
        writer.finish(out);
        return out.toArray();
    }

    private static Fields open(byte[] section) {
        return new Fields(section, 0, section.length, Fields.Shapes.NONE);
    }

    private static String read(byte[] section, int number) {
        var row = new Row(Projection.ALL);
        open(section).read(number, row);
        return text(row);
    }

    /// `column=text` each, or `column` for NULL.
    public static Row row(String... fields) {
        var row = new Row(Projection.ALL);
        row.merge(1, RowTest.change(RowChange.Kind.UPSERT, fields).array(), 0);
        return row;
    }

    public static String text(Row row) {
        List<String> fields = new ArrayList<>();
        for (int index = 0; index < row.count; index++) {
            byte[] data = row.data[index];
            String field =
                    data == null
                            ? ""
                            : "=" + Bytes.copyOf(data, row.from(index), row.to(index)).utf8();
            fields.add(row.columns[index] + field);
        }
        return String.join(" ", fields);
    }
}
