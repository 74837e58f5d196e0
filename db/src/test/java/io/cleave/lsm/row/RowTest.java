package io.cleave.lsm.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

public class RowTest {
    private final Row row = new Row(Projection.ALL);

    @Test
    void cellsAreReadInPlace() {
        Bytes change = change(RowChange.Kind.REPLACE, "3=three", "700=", "70000=many");
        row.begin(Bytes.utf8("key"));
        assertThat(row.merge(9, change.array(), 0)).isTrue();

        assertThat(row.exists()).isTrue();
        assertThat(row.timestamp()).isEqualTo(9);
        assertThat(row.key()).isEqualTo(Bytes.utf8("key"));
        assertThat(cell(3)).isEqualTo("three");
        assertThat(cell(700)).isEmpty();
        assertThat(cell(70000)).isEqualTo("many");
        assertThat(row.cellIndex(2)).isEqualTo(-1);
        assertThat(row.cellIndex(4)).isEqualTo(-1);
        assertThat(row.data(row.cellIndex(3))).isSameAs(change.array());
    }

    @Test
    void newerCellsHideOlderOnesAlsoIfTheyAreNull() {
        row.begin(Bytes.EMPTY);
        assertThat(row.merge(9, change(RowChange.Kind.UPSERT, "2", "5=new").array(), 0)).isFalse();
        assertThat(row.merge(8, change(RowChange.Kind.UPSERT, "1=a", "5=old").array(), 0))
                .isFalse();
        assertThat(row.merge(7, change(RowChange.Kind.REPLACE, "2=b", "3=c").array(), 0)).isTrue();

        assertThat(row.timestamp()).isEqualTo(9);
        assertThat(cell(1)).isEqualTo("a");
        assertThat(row.cellIndex(2)).isEqualTo(-1);
        assertThat(cell(3)).isEqualTo("c");
        assertThat(cell(5)).isEqualTo("new");
    }

    @Test
    void anEraseEndsTheRow() {
        row.begin(Bytes.EMPTY);
        assertThat(row.merge(9, RowChange.ERASE.array(), 0)).isTrue();
        assertThat(row.exists()).isFalse();
    }

    @Test
    void aRowIsCompleteWhenAllThatIsWantedIsKnown() {
        var narrow = new Row(Projection.of(2, 5));
        narrow.begin(Bytes.EMPTY);
        assertThat(narrow.merge(9, change(RowChange.Kind.UPSERT, "1=a", "5=new").array(), 0))
                .isFalse();
        assertThat(narrow.merge(8, change(RowChange.Kind.UPSERT, "2", "5=old").array(), 0))
                .isTrue();
        assertThat(CellsTest.text(narrow)).isEqualTo("2 5=new");

        var existence = new Row(Projection.NOTHING);
        existence.begin(Bytes.EMPTY);
        assertThat(existence.merge(9, change(RowChange.Kind.UPSERT, "1=a").array(), 0)).isTrue();
        assertThat(existence.exists()).isTrue();
    }

    @Test
    void manyColumnsFit() {
        String[] cells = new String[500];
        for (int column = 0; column < cells.length; column++) {
            cells[column] = column + "=" + "x".repeat(column);
        }
        row.begin(Bytes.EMPTY);
        row.merge(1, change(RowChange.Kind.UPSERT, cells).array(), 0);
        for (int column = 0; column < cells.length; column++) {
            assertThat(cell(column)).hasSize(column);
        }
    }

    @Test
    void columnsMustAscend() {
        assertThatThrownBy(() -> change(RowChange.Kind.UPSERT, "2=a", "2=b"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> change(RowChange.Kind.UPSERT, "2=a", "1=b"))
                .isInstanceOf(IllegalStateException.class);
    }

    private String cell(int column) {
        int index = row.cellIndex(column);
        assertThat(index).as("column %d", column).isNotNegative();
        int length = row.to(index) - row.from(index);
        return new String(row.data(index), row.from(index), length, StandardCharsets.UTF_8);
    }

    /// Cells as `column=text`, or `column` for NULL.
    public static Bytes change(RowChange.Kind kind, String... cells) {
        int[] columns = new int[cells.length];
        byte[] @Nullable [] values = new byte[cells.length] @Nullable [];
        for (int index = 0; index < cells.length; index++) {
            int equals = cells[index].indexOf('=');
            String number = equals < 0 ? cells[index] : cells[index].substring(0, equals);
            columns[index] = Integer.parseInt(number);
            values[index] =
                    equals < 0
                            ? null
                            : cells[index].substring(equals + 1).getBytes(StandardCharsets.UTF_8);
        }
        return RowChange.encode(kind, columns, values);
    }
}
