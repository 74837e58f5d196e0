package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;

class ValueParserTest {
    private final RandomValues values = new RandomValues();

    @Test
    void whatIsPrintedReadsBack() {
        for (Type type : RandomValues.columnTypes()) {
            for (int round = 0; round < 500; round++) {
                Value value = values.value(type);
                boolean hasText =
                        !(value instanceof Value.Real(double real) && !Double.isFinite(real))
                                && type != Primitive.STRING;
                if (hasText) {
                    assertThat(ValueParser.parse(type, TextForm.print(type, value)))
                            .as("%s %s %s", type, value, values.seed())
                            .contains(value);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BOOL | TRUE | true",
                "INT8 | -128 | -128",
                "UINT64 | 18446744073709551615 | 18446744073709551615",
                "INT32 | +5 | 5",
                "DOUBLE | .5 | 0.5",
                "DOUBLE | 5. | 5",
                "DOUBLE | 1e3 | 1000",
                "DOUBLE | 1e20 | 100000000000000000000",
                "DOUBLE | 1e21 | 1e+21",
                "DOUBLE | 1.5e-11 | 1.5e-11",
                "DOUBLE | -0.1 | -0.1",
                "FLOAT | 0.1 | 0.1",
                "DATE | 2020-01-01 | 2020-01-01",
                "DATE | 2105-12-31 | 2105-12-31",
                "DATETIME | 2020-01-01T01:02:03Z | 2020-01-01T01:02:03Z",
                "DATETIME | 2020-01-01T01:02:03+01:00 | 2020-01-01T00:02:03Z",
                "TIMESTAMP | 2020-01-01T01:02:03.5Z | 2020-01-01T01:02:03.500000Z",
                "TIMESTAMP | 2020-01-01T00:00:00Z | 2020-01-01T00:00:00Z",
                "DATE32 | -144169-01-01 | -144169-01-01",
                "DATE32 | 148107-12-31 | 148107-12-31",
                "DATE32 | -1-12-31 | -1-12-31",
                "TIMESTAMP64 | 1969-12-31T23:59:59.999999Z | 1969-12-31T23:59:59.999999Z",
                "INTERVAL | P1DT2H3M4.5S | P1DT2H3M4.5S",
                "INTERVAL | -PT1S | -PT1S",
                "INTERVAL | P2W | P14D",
                "INTERVAL | PT90M | PT1H30M",
                "INTERVAL64 | P100000000D | P100000000D",
                "UUID | 550E8400-e29b-41d4-a716-446655440000 |"
                        + " 550e8400-e29b-41d4-a716-446655440000",
                "TZ_DATE | 2017-11-27,Europe/Moscow | 2017-11-27,Europe/Moscow",
                "DY_NUMBER | 1.50 | .15e1",
                "DY_NUMBER | -0.001 | -.1e-2",
                "DY_NUMBER | 000 | 0",
                "DY_NUMBER | 1e125 | .1e126",
                "YSON | <a=1>{b=[1;2u;-3.5;%true;#];\"c d\"=x} | <a=1>{b=[1;2u;-3.5;%true;#];\"c"
                        + " d\"=x}",
            })
    void textMeansWhatYdbMakesOfIt(Primitive type, String text, String printed) {
        assertThat(ValueParser.parse(type, text).map(value -> TextForm.print(type, value)))
                .contains(printed);
    }

    @ParameterizedTest
    @CsvSource({
        "BOOL, 1",
        "INT8, 128",
        "UINT8, -1",
        "INT32, ' 5'",
        "INT32, 0x5",
        "UINT64, 18446744073709551616",
        "DOUBLE, 1_000",
        "DOUBLE, 0x1p-2",
        "DOUBLE, nan",
        "DOUBLE, inf",
        "DOUBLE, 1f",
        "DOUBLE, 1e400",
        "FLOAT, 1e40",
        "DATE, 2106-01-01",
        "DATE, 1969-12-31",
        "DATE, 2021-02-29",
        "DATE, 02020-01-01",
        "DATE, 2020-01-01T00:00:00Z",
        "DATE32, 0-01-01",
        "DATE32, -144170-12-31",
        "DATE32, 148108-01-01",
        "DATETIME, 2020-01-01",
        "DATETIME, 2020-01-01T00:00:00",
        "DATETIME, 2020-01-01T00:00:00.5Z",
        "DATETIME, 2020-01-01T24:00:00Z",
        "DATETIME, 1970-01-01T00:00:00+01:00",
        "INTERVAL, P1M",
        "INTERVAL, P1Y",
        "INTERVAL, p1d",
        "INTERVAL, 'P1D '",
        "INTERVAL, P",
        "INTERVAL, 1D",
        "INTERVAL, PT1M1H",
        "INTERVAL, PT0.1234567S",
        "INTERVAL, P49673D",
        "INTERVAL64, P999999999999999999999D",
        "UUID, 550e8400e29b41d4a716446655440000",
        "UUID, 550e8400-e29b-41d4-a716-44665544000g",
        "TZ_DATE, 2017-11-27",
        "'TZ_DATE', '2017-11-27,Europe/Nowhere'",
        "DY_NUMBER, nan",
        "DY_NUMBER, 1e126",
        "DY_NUMBER, 123456789012345678901234567890123456789",
        "JSON, {",
        "JSON_DOCUMENT, [1,]",
        "YSON, {a=1",
        "YSON, ''",
    })
    void whatYdbRefusesIsRefused(Primitive type, String text) {
        assertThat(ValueParser.parse(type, text)).isEmpty();
    }

    @Test
    void theHalvesOfAUuidAreMixedEndian() {
        assertThat(UuidText.parse("550e8400-e29b-41d4-a716-446655440000"))
                .contains(new Value.Int128(0x4455664416a7L, 0x41d4e29b550e8400L));
    }

    @Test
    void aJsonDocumentIsNormalized() {
        assertThat(ValueParser.parse(Primitive.JSON_DOCUMENT, "{\"b\": 2, \"a\": 1.50}"))
                .contains(Value.text("{\"a\":1.5,\"b\":2}"));
        String json = "{\"b\": 2, \"a\": 1.50}";
        assertThat(ValueParser.parse(Primitive.JSON, json)).contains(Value.text(json));
    }

    @Test
    void binaryYsonIsYsonToo() {
        byte[] data = {'[', 0x01, 0x04, 'h', 'i', ';', 0x02, (byte) 0x80, 0x01, ';', 0x05, ']'};
        assertThat(Legal.check(Primitive.YSON, Value.binary(Bytes.wrap(data)))).isEmpty();
        byte[] cut = {0x01, 0x08, 'h', 'i'};
        assertThat(Legal.check(Primitive.YSON, Value.binary(Bytes.wrap(cut)))).isPresent();
    }

    @Test
    void onlyUtf8IsText() {
        assertThat(ValueParser.utf8(Bytes.utf8("é"))).contains("é");
        assertThat(ValueParser.utf8(Bytes.wrap(new byte[] {(byte) 0xC3})))
                .isEqualTo(Optional.empty());
    }
}
