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
    void fieldsAreReadInPlace() {
        Bytes change = change(RowChange.Kind.REPLACE, "3=three", "700=", "70000=many");
        row.begin(Bytes.utf8("key"));
        assertThat(row.merge(9, change.array(), 0)).isTrue();

        assertThat(row.exists()).isTrue();
        assertThat(row.timestamp()).isEqualTo(9);
        assertThat(row.key()).isEqualTo(Bytes.utf8("key"));
        assertThat(field(3)).isEqualTo("three");
        assertThat(field(700)).isEmpty();
        assertThat(field(70000)).isEqualTo("many");
        assertThat(row.fieldIndex(2)).isEqualTo(-1);
        assertThat(row.fieldIndex(4)).isEqualTo(-1);
        assertThat(row.data(row.fieldIndex(3))).isSameAs(change.array());
    }

    @Test
    void newerFieldsHideOlderOnesAlsoIfTheyAreNull() {
        row.begin(Bytes.EMPTY);
        assertThat(row.merge(9, change(RowChange.Kind.UPSERT, "2", "5=new").array(), 0)).isFalse();
        assertThat(row.merge(8, change(RowChange.Kind.UPSERT, "1=a", "5=old").array(), 0))
                .isFalse();
        assertThat(row.merge(7, change(RowChange.Kind.REPLACE, "2=b", "3=c").array(), 0)).isTrue();

        assertThat(row.timestamp()).isEqualTo(9);
        assertThat(field(1)).isEqualTo("a");
        assertThat(row.fieldIndex(2)).isEqualTo(-1);
        assertThat(field(3)).isEqualTo("c");
        assertThat(field(5)).isEqualTo("new");
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
        assertThat(FieldsTest.text(narrow)).isEqualTo("2 5=new");

        var existence = new Row(Projection.NOTHING);
        existence.begin(Bytes.EMPTY);
        assertThat(existence.merge(9, change(RowChange.Kind.UPSERT, "1=a").array(), 0)).isTrue();
        assertThat(existence.exists()).isTrue();
    }

    @Test
    void manyColumnsFit() {
        String[] fields = new String[500];
        for (int column = 0; column < fields.length; column++) {
            fields[column] = column + "=" + "x".repeat(column);
        }
        row.begin(Bytes.EMPTY);
        row.merge(1, change(RowChange.Kind.UPSERT, fields).array(), 0);
        for (int column = 0; column < fields.length; column++) {
            assertThat(field(column)).hasSize(column);
        }
    }

    @Test
    void columnsMustAscend() {
        assertThatThrownBy(() -> change(RowChange.Kind.UPSERT, "2=a", "2=b"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> change(RowChange.Kind.UPSERT, "2=a", "1=b"))
                .isInstanceOf(IllegalStateException.class);
    }

    private String field(int column) {
        int index = row.fieldIndex(column);
        assertThat(index).as("column %d", column).isNotNegative();
        int length = row.to(index) - row.from(index);
        return new String(row.data(index), row.from(index), length, StandardCharsets.UTF_8);
    }

    /// Fields as `column=text`, or `column` for NULL.
    public static Bytes change(RowChange.Kind kind, String... fields) {
        int[] columns = new int[fields.length];
        byte[] @Nullable [] values = new byte[fields.length] @Nullable [];
        for (int index = 0; index < fields.length; index++) {
            int equals = fields[index].indexOf('=');
            String number = equals < 0 ? fields[index] : fields[index].substring(0, equals);
            columns[index] = Integer.parseInt(number);
            values[index] =
                    equals < 0
                            ? null
                            : fields[index].substring(equals + 1).getBytes(StandardCharsets.UTF_8);
        }
        return RowChange.encode(kind, columns, values);
    }
}
