package io.cleave.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tech.ydb.table.values.DecimalType;
import tech.ydb.table.values.DictValue;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.OptionalType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.TupleValue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.stream.Stream;

/// What YDB's own SDK sends means the same here, and what we send is what it would have sent.
class SdkValuesTest {
    static Stream<Arguments> values() {
        var money = DecimalType.of(22, 9);
        var one = PrimitiveValue.newInt32(1);
        return Stream.of(
                Arguments.of(PrimitiveValue.newBool(true), "true"),
                Arguments.of(PrimitiveValue.newInt8((byte) -128), "-128"),
                Arguments.of(PrimitiveValue.newUint16(65_535), "65535"),
                Arguments.of(PrimitiveValue.newUint32(4_294_967_295L), "4294967295"),
                Arguments.of(PrimitiveValue.newUint64(-1), "18446744073709551615"),
                Arguments.of(PrimitiveValue.newFloat(1.5f), "1.5"),
                Arguments.of(PrimitiveValue.newDouble(-0.1), "-0.1"),
                Arguments.of(PrimitiveValue.newText("é"), "é"),
                Arguments.of(PrimitiveValue.newBytes(bytes("x")), "x"),
                Arguments.of(PrimitiveValue.newYson(bytes("[1;2]")), "[1;2]"),
                Arguments.of(PrimitiveValue.newJson("{ \"a\" : 1 }"), "{ \"a\" : 1 }"),
                Arguments.of(PrimitiveValue.newJsonDocument("{\"a\":1.5}"), "{\"a\":1.5}"),
                Arguments.of(
                        PrimitiveValue.newUuid("550e8400-e29b-41d4-a716-446655440000"),
                        "550e8400-e29b-41d4-a716-446655440000"),
                Arguments.of(PrimitiveValue.newDate(LocalDate.of(2020, 1, 2)), "2020-01-02"),
                Arguments.of(
                        PrimitiveValue.newDatetime(Instant.parse("2020-01-02T03:04:05Z")),
                        "2020-01-02T03:04:05Z"),
                Arguments.of(
                        PrimitiveValue.newTimestamp(Instant.parse("2020-01-02T03:04:05.000006Z")),
                        "2020-01-02T03:04:05.000006Z"),
                Arguments.of(PrimitiveValue.newInterval(Duration.ofMillis(-1500)), "-PT1.5S"),
                Arguments.of(PrimitiveValue.newDate32(LocalDate.of(0, 12, 31)), "-1-12-31"),
                Arguments.of(
                        PrimitiveValue.newTimestamp64(Instant.parse("1969-12-31T23:59:59.5Z")),
                        "1969-12-31T23:59:59.500000Z"),
                Arguments.of(PrimitiveValue.newInterval64(Duration.ofDays(1)), "P1D"),
                Arguments.of(money.newValue("-1.5"), "-1.5"),
                Arguments.of(money.getInf(), "inf"),
                Arguments.of(money.getNegInf(), "-inf"),
                Arguments.of(money.getNaN(), "nan"),
                Arguments.of(one.makeOptional(), "1"),
                Arguments.of(OptionalType.of(PrimitiveType.Text).emptyValue(), "NULL"),
                Arguments.of(ListValue.of(one, PrimitiveValue.newInt32(2)), "[1,2]"),
                Arguments.of(TupleValue.of(one, PrimitiveValue.newText("x")), "(1,x)"),
                Arguments.of(
                        StructValue.of("a", one, "b", PrimitiveValue.newText("x")), "<|a:1,b:x|>"),
                Arguments.of(DictValue.of(one, PrimitiveValue.newText("x")), "{1:x}"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void theSdkAndWeMeanTheSame(tech.ydb.table.values.Value<?> theirs, String text) {
        Type type = ProtoTypes.fromProto(theirs.getType().toPb());
        Value value = ProtoValues.fromProto(type, theirs.toPb(), "$p");
        assertThat(TextForm.print(type, value)).isEqualTo(text);
        assertThat(ProtoTypes.toProto(type)).isEqualTo(theirs.getType().toPb());
        assertThat(ProtoValues.toProto(type, value)).isEqualTo(theirs.toPb());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
