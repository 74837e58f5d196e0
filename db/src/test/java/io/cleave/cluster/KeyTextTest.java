package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableRules;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Decimal;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class KeyTextTest {
    private final Table mixed = table(Primitive.UTF8, Primitive.INT32, Primitive.STRING);

    @Test
    void aKeyIsItsValuesWithCommasBetween() {
        Bytes key =
                KeyCodec.encode(
                        List.of(Primitive.UTF8, Primitive.INT32, Primitive.STRING),
                        Value.text("a,b 'c'"),
                        Value.of(-5L),
                        Value.binary(Bytes.copyOf(new byte[] {(byte) 0xFF, 0, 'x'}, 0, 3)));
        assertThat(KeyText.of(mixed, key)).isEqualTo("'a,b \\'c\\'',-5,'\\xff\\x00x'");
        assertThat(KeyText.parse(mixed, "\"a,b 'c'\", -5 , '\\xff\\x00x'")).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x'",
                "'x',7",
                "NULL,NULL,NULL",
                "'','2'",
                "'\\n\\r\\t\\\\\\'',1,'\\x01'",
                "'äöü 😀',1"
            })
    void whatIsPrintedIsRead(String text) {
        Bytes key = KeyText.parse(mixed, text);
        assertThat(KeyText.parse(mixed, KeyText.of(mixed, key))).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({
        "UINT64,18446744073709551615",
        "INT64,-9223372036854775808",
        "BOOL,true",
        "DATE,2024-02-29",
        "DATETIME,2024-02-29T12:13:14Z",
        "TIMESTAMP,2024-02-29T12:13:14.000015Z",
        "UUID,550e8400-e29b-41d4-a716-446655440000"
    })
    void valuesLookAsTheyDoInYql(Primitive type, String text) {
        Table table = table(type);
        assertThat(KeyText.of(table, KeyText.parse(table, text))).isEqualTo(text);
        assertThat(KeyText.parse(table, "'" + text + "'")).isEqualTo(KeyText.parse(table, text));
    }

    @Test
    void decimalsToo() {
        Table table = table(new Decimal(22, 9));
        assertThat(KeyText.of(table, KeyText.parse(table, "-1.5"))).isEqualTo("-1.5");
    }

    @Test
    void bytesThatAreNoKeyArePrintedInHex() {
        assertThat(KeyText.of(mixed, Bytes.utf8("zz"))).isEqualTo("0x7a7a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'a',1,'b',2|only 3 columns",
                "'a',x|'x' is not a valid Int32 for column c1",
                "'a|closing ' is missing",
                "'a'b|a comma is missing before 'b'",
                "'a',|'' is not a valid Int32",
                "'\\q'|unknown escape \\q",
                "'\\xzz'|two hex digits",
                "'\\xff'|is not a valid Utf8"
            })
    void whatIsWrongIsSaid(String text, String why) {
        assertThatThrownBy(() -> KeyText.parse(mixed, text))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.BAD_REQUEST))
                .hasMessageContaining(why)
                .hasMessageContaining("(c0 Utf8, c1 Int32, c2 String)");
    }

    private static Table table(Type... types) {
        List<NewColumn> columns = new ArrayList<>();
        for (Type type : types) {
            String name = "c" + columns.size();
            columns.add(new NewColumn(name, type, false, "", Optional.empty()));
        }
        return TableRules.create(
                new TableDefinition(
                        "/local/t",
                        columns,
                        columns.stream().map(NewColumn::name).toList(),
                        List.of(),
                        TableOptions.DEFAULT,
                        new Layout.Single(),
                        Map.of()),
                1,
                0);
    }
}
