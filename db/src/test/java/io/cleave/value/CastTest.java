package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class CastTest {
    private final RandomValues values = new RandomValues();

    @ParameterizedTest
    @CsvSource({
        "BOOL, true, INT8, 1, total",
        "INT32, 5, BOOL, true, total",
        "INT32, 300, UINT8, NULL, may fail",
        "INT32, -1, UINT64, NULL, may fail",
        "UINT64, 18446744073709551615, INT64, NULL, may fail",
        "UINT8, 255, INT16, 255, total",
        "INT8, -1, INT64, -1, total",
        "DOUBLE, 3.99, INT32, 3, may fail",
        "DOUBLE, -3.99, INT32, -3, may fail",
        "DOUBLE, 1e19, UINT64, 10000000000000000000, may fail",
        "DOUBLE, 1e20, UINT64, NULL, may fail",
        "DOUBLE, 0.1, FLOAT, 0.1, total",
        "UINT64, 18446744073709551615, DOUBLE, 18446744073709552000, total",
        "DOUBLE, 3.14, UTF8, 3.14, total",
        "INT32, 42, STRING, 42, total",
        "UTF8, 42, INT8, 42, may fail",
        "UTF8, x, INT8, NULL, may fail",
        "STRING, 2020-01-01, DATE, 2020-01-01, may fail",
        "DATE, 1970-01-02, INT32, 1, total",
        "DATE, 1970-01-02, UINT16, 1, total",
        "DATE, 1971-01-01, INT8, NULL, may fail",
        "INT32, 1, DATE, 1970-01-02, may fail",
        "UINT16, 49673, DATE, NULL, may fail",
        "DATE, 1970-01-02, TIMESTAMP, 1970-01-02T00:00:00Z, total",
        "TIMESTAMP, 1970-01-02T03:04:05.6Z, DATE, 1970-01-02, total",
        "TIMESTAMP64, 1969-12-31T23:59:59Z, DATE32, 1969-12-31, total",
        "TIMESTAMP64, 1969-12-31T23:59:59Z, DATE, NULL, may fail",
        "INTERVAL, PT1S, INT64, 1000000, total",
        "INTERVAL, P1D, INTERVAL64, P1D, total",
        "INTERVAL64, P100000D, INTERVAL, NULL, may fail",
        "INTERVAL, PT1S, UTF8, PT1S, total",
        "UUID, 550e8400-e29b-41d4-a716-446655440000, UTF8, 550e8400-e29b-41d4-a716-446655440000,"
                + " total",
        "JSON, '{ \"b\": 1, \"a\": 2}', JSON_DOCUMENT, '{\"a\":2,\"b\":1}', total",
    })
    void castGives(Primitive from, String text, Primitive to, String result, String kind) {
        Caster caster = Cast.find(from, to).orElseThrow();
        Value value = ValueParser.parse(from, text).orElseThrow();
        assertThat(TextForm.print(to, caster.apply(value))).isEqualTo(result);
        assertThat(caster.mayFail()).isEqualTo(kind.equals("may fail"));
        assertThat(caster.apply(Value.Null.NULL)).isEqualTo(Value.Null.NULL);
    }

    @ParameterizedTest
    @CsvSource({
        "BOOL, DATE", "DATE, BOOL", "DATE, INTERVAL", "INTERVAL, DATE", "UUID, INT64",
        "JSON, YSON", "INT32, JSON", "DATE, DOUBLE", "DY_NUMBER, INT32", "BOOL, UUID"
    })
    void unrelatedTypesHaveNoCast(Primitive from, Primitive to) {
        assertThat(Cast.find(from, to)).isEmpty();
    }

    @Test
    void decimalsCastToIntegersAndFloatsButNotFromFloatsOrBools() {
        var type = new Type.Decimal(22, 9);
        assertThat(cast(type, "12.9", Primitive.INT8)).isEqualTo("12");
        assertThat(cast(type, "-12.9", Primitive.INT8)).isEqualTo("-12");
        assertThat(cast(type, "128", Primitive.INT8)).isEqualTo("NULL");
        assertThat(cast(type, "nan", Primitive.INT64)).isEqualTo("NULL");
        assertThat(cast(type, "1.5", Primitive.DOUBLE)).isEqualTo("1.5");
        assertThat(cast(type, "1.5", Primitive.UTF8)).isEqualTo("1.5");
        assertThat(cast(type, "1.55", new Type.Decimal(5, 1))).isEqualTo("1.6");
        assertThat(cast(Primitive.UINT64, "18446744073709551615", new Type.Decimal(22, 0)))
                .isEqualTo("18446744073709551615");
        assertThat(cast(Primitive.INT32, "1000", new Type.Decimal(5, 2))).isEqualTo("inf");
        assertThat(Cast.find(Primitive.DOUBLE, type)).isEmpty();
        assertThat(Cast.find(Primitive.BOOL, type)).isEmpty();
        assertThat(Cast.find(type, Primitive.BOOL)).isEmpty();
    }

    @Test
    void everyTotalCastGivesALegalValueAndEveryFailureIsNull() {
        for (Type from : RandomValues.columnTypes()) {
            for (Type to : RandomValues.columnTypes()) {
                Cast.find(from, to).ifPresent(caster -> castsAreLegal(from, to, caster));
            }
        }
    }

    private void castsAreLegal(Type from, Type to, Caster caster) {
        for (int round = 0; round < 200; round++) {
            Value value = values.value(from);
            Value result = caster.apply(value);
            Type type = caster.mayFail() ? to.optional() : to;
            assertThat(Legal.check(type, result))
                    .as("%s %s to %s: %s %s", from, value, to, result, values.seed())
                    .isEmpty();
        }
    }

    @Test
    void stringsThatAreNotUtf8AreNoTexts() {
        Caster caster = Cast.find(Primitive.STRING, Primitive.UTF8).orElseThrow();
        Value broken = Value.binary(Bytes.wrap(new byte[] {(byte) 0xFF}));
        assertThat(caster.mayFail()).isTrue();
        assertThat(caster.apply(broken)).isEqualTo(Value.Null.NULL);
    }

    @Test
    void aListDropsWhatFailsUnlessItMayBeNull() {
        Value list = items(Value.of(1L), Value.of(300L), Value.of(2L));
        Type from = new Type.ListOf(Primitive.INT32);
        Caster dropping = Cast.find(from, new Type.ListOf(Primitive.UINT8)).orElseThrow();
        assertThat(dropping.apply(list)).isEqualTo(items(Value.of(1L), Value.of(2L)));
        assertThat(dropping.mayFail()).isFalse();
        Type optional = new Type.ListOf(Primitive.UINT8.optional());
        assertThat(Cast.find(from, optional).orElseThrow().apply(list))
                .isEqualTo(items(Value.of(1L), Value.Null.NULL, Value.of(2L)));
        assertThat(Cast.find(Type.Unit.EMPTY_LIST, optional).orElseThrow().apply(Value.Null.NULL))
                .isEqualTo(items());
    }

    @Test
    void aStructFailsAsAWholeDropsExtrasAndFillsOptionals() {
        Type from = struct("a", Primitive.INT32, "x", Primitive.BOOL);
        Type to = struct("b", Primitive.UTF8.optional(), "a", Primitive.UINT8);
        Caster caster = Cast.find(from, to).orElseThrow();
        assertThat(caster.mayFail()).isTrue();
        assertThat(caster.apply(items(Value.of(7L), Value.Bool.TRUE)))
                .isEqualTo(items(Value.Null.NULL, Value.of(7L)));
        assertThat(caster.apply(items(Value.of(300L), Value.Bool.TRUE))).isEqualTo(Value.Null.NULL);
        assertThat(Cast.find(struct("x", Primitive.BOOL, "y", Primitive.BOOL), to)).isEmpty();
    }

    @Test
    void theResultIsOptionalWhenTheSourceIsOrTheCastMayFail() {
        assertThat(resultType(Primitive.INT8, Primitive.INT16)).isEqualTo(Primitive.INT16);
        assertThat(resultType(Primitive.INT8.optional(), Primitive.INT16))
                .isEqualTo(Primitive.INT16.optional());
        assertThat(resultType(Primitive.UTF8, Primitive.INT16))
                .isEqualTo(Primitive.INT16.optional());
        assertThat(resultType(Type.Unit.NULL, Primitive.INT16))
                .isEqualTo(Primitive.INT16.optional());
    }

    private static Type resultType(Type from, Type to) {
        return Cast.resultType(from, to, Cast.find(from, to).orElseThrow());
    }

    private static String cast(Type from, String text, Type to) {
        Value value = ValueParser.parse(from, text).orElseThrow();
        return TextForm.print(to, Cast.find(from, to).orElseThrow().apply(value));
    }

    private static Value items(Value... items) {
        return Value.items(List.of(items));
    }

    private static Type struct(String first, Type firstType, String second, Type secondType) {
        return new Type.Struct(
                List.of(new Type.Member(first, firstType), new Type.Member(second, secondType)));
    }
}
