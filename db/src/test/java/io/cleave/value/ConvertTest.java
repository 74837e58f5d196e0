package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

class ConvertTest {
    private final RandomValues values = new RandomValues();

    @ParameterizedTest
    @CsvSource({
        "INT8, INT64",
        "UINT8, INT16",
        "UINT32, UINT64",
        "INT32, DOUBLE",
        "INT64, FLOAT",
        "FLOAT, DOUBLE",
        "UINT64, INT64",
        "UTF8, STRING",
        "JSON, STRING",
        "JSON, UTF8",
        "YSON, STRING",
        "DATE, TIMESTAMP",
        "DATE, DATE32",
        "DATETIME, TIMESTAMP64",
        "INTERVAL, INTERVAL64",
    })
    void convertsByItself(Primitive from, Primitive to) {
        assertThat(Convert.find(from, to)).isPresent();
        assertThat(Convert.find(from, to.optional())).isPresent();
        assertThat(Convert.find(from.optional(), to.optional())).isPresent();
        assertThat(Convert.find(from.optional(), to)).isEmpty();
        assertThat(Convert.find(to, from)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "DOUBLE, FLOAT, Failed to convert 'c': Double to Optional<Float>",
        "INT64, INT32, Failed to convert 'c': Int64 to Optional<Int32>",
        "UTF8, JSON, Failed to convert 'c': Utf8 to Optional<Json>",
        "STRING, JSON_DOCUMENT, Failed to convert 'c': String to Optional<JsonDocument>",
        "STRING, UTF8, Failed to convert 'c': String to Optional<Utf8>",
        "BOOL, INT32, Failed to convert 'c': Bool to Optional<Int32>",
        "TIMESTAMP, DATE, Failed to convert 'c': Timestamp to Optional<Date>",
        "DATE32, DATE, Failed to convert 'c': Date32 to Optional<Date>",
    })
    void otherwiseYdbsWordsSayWhatFailed(Primitive from, Primitive to, String message) {
        assertThatThrownBy(() -> Convert.require("c", from, to.optional(), Optional.empty()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> {
                            assertThat(e.status()).isEqualTo(Status.GENERIC_ERROR);
                            assertThat(e.issues().getFirst().message()).isEqualTo(message);
                        });
    }

    @Test
    void decimalsOfOneScaleGrow() {
        Type money = new Type.Decimal(22, 9);
        assertThat(Convert.find(money, new Type.Decimal(31, 9).optional())).isPresent();
        assertThat(Convert.find(new Type.Decimal(31, 9), money)).isEmpty();
        assertThat(Convert.failure("c", money, new Type.Decimal(35, 0).optional()))
                .isEqualTo("Failed to convert 'c': Decimal(22,9) to Optional<Decimal(35,0)>");
    }

    @Test
    void literalsConvertWhenTheirValueFits() {
        assertThat(literal(Primitive.INT32, Value.of(5L), Primitive.UINT8)).contains(Value.of(5L));
        assertThat(literal(Primitive.INT32, Value.of(5L), Primitive.UINT64)).contains(Value.of(5L));
        assertThat(literal(Primitive.INT32, Value.of(300L), Primitive.UINT8)).isEmpty();
        Value string = ValueParser.parse(Primitive.STRING, "[1]").orElseThrow();
        assertThat(literal(Primitive.STRING, string, Primitive.UTF8)).contains(Value.text("[1]"));
        assertThat(literal(Primitive.STRING, string, Primitive.JSON)).contains(Value.text("[1]"));
        assertThat(literal(Primitive.STRING, string, Primitive.JSON_DOCUMENT)).isEmpty();
        Value notJson = ValueParser.parse(Primitive.STRING, "[").orElseThrow();
        assertThat(literal(Primitive.STRING, notJson, Primitive.JSON)).isEmpty();
        Value list = Value.items(List.of(Value.of(1L), Value.of(2L)));
        Type ints = new Type.ListOf(Primitive.INT32);
        Type bytes = new Type.ListOf(Primitive.UINT8);
        assertThat(literal(ints, list, bytes)).contains(list);
        assertThat(Convert.find(ints, bytes)).isEmpty();
    }

    @Test
    void nullAndContainersConvert() {
        assertThat(Convert.find(Type.Unit.NULL, Primitive.UUID.optional())).isPresent();
        assertThat(Convert.find(Type.Unit.NULL, Primitive.UUID)).isEmpty();
        Type from = new Type.Struct(List.of(new Type.Member("a", Primitive.INT8)));
        Type to =
                new Type.Struct(
                        List.of(
                                new Type.Member("b", Primitive.UTF8.optional()),
                                new Type.Member("a", Primitive.DOUBLE)));
        Caster caster = Convert.find(new Type.ListOf(from), new Type.ListOf(to)).orElseThrow();
        Value row = Value.items(List.of(Value.of(3L)));
        assertThat(caster.apply(Value.items(List.of(row))))
                .isEqualTo(
                        Value.items(List.of(Value.items(List.of(Value.Null.NULL, Value.of(3.0))))));
        assertThat(Convert.find(to, from)).isEmpty();
        Type pair = new Type.Tuple(List.of(Primitive.INT8, Primitive.UTF8));
        Type widePair = new Type.Tuple(List.of(Primitive.INT64, Primitive.STRING));
        assertThat(Convert.find(pair, widePair)).isPresent();
        assertThat(Convert.find(widePair, pair)).isEmpty();
    }

    @Test
    void takingTheBitsOfAnotherIntegerIsWarnedOf() {
        assertThat(Convert.warning(Primitive.INT32, Primitive.UINT64.optional()))
                .contains(
                        "Consider using explicit CAST or BITCAST to convert from Int32 to Uint64");
        assertThat(Convert.warning(Primitive.INT32, Primitive.INT64)).isEmpty();
        assertThat(Convert.warning(Primitive.INT32, Primitive.DOUBLE)).isEmpty();
        assertThat(Convert.bitcast(Primitive.UINT8, Value.of(-1L))).isEqualTo(Value.of(255L));
        assertThat(Convert.bitcast(Primitive.INT8, Value.of(255L))).isEqualTo(Value.of(-1L));
    }

    @Test
    void noConversionGivesNullOrAnIllegalValue() {
        for (Type from : RandomValues.columnTypes()) {
            for (Type to : RandomValues.columnTypes()) {
                Optional<Caster> caster = Convert.find(from, to);
                for (int round = 0; round < 100 && caster.isPresent(); round++) {
                    Value value = values.value(from);
                    assertThat(Legal.check(to, caster.get().apply(value)))
                            .as("%s %s to %s %s", from, value, to, values.seed())
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INT32, UINT32, INT32",
        "INT8, UINT16, UINT16",
        "INT64, UINT64, INT64",
        "INT32, UINT64, UINT64",
        "INT64, FLOAT, FLOAT",
        "FLOAT, DOUBLE, DOUBLE",
        "INT8, INT8, INT8",
    })
    void arithmeticPromotesAsDocumented(Primitive left, Primitive right, Primitive result) {
        assertThat(CommonType.arithmetic(left, right)).contains(result);
        assertThat(CommonType.arithmetic(right, left)).contains(result);
        assertThat(CommonType.of(left, right)).contains(result);
    }

    @ParameterizedTest
    @CsvSource({
        "STRING, UTF8, STRING",
        "DATE, DATETIME, DATETIME",
        "DATE32, DATETIME, DATETIME64",
        "DATE32, DATE, DATE32",
        "TIMESTAMP, DATE32, TIMESTAMP64",
        "INTERVAL, INTERVAL64, INTERVAL64",
        "JSON, UTF8, UTF8",
    })
    void theCommonTypeHoldsBoth(Primitive left, Primitive right, Primitive result) {
        assertThat(CommonType.of(left, right)).contains(result);
        assertThat(CommonType.of(right, left)).contains(result);
        assertThat(CommonType.of(left.optional(), right)).contains(result.optional());
        assertThat(Convert.find(left, result)).isPresent();
        assertThat(Convert.find(right, result)).isPresent();
    }

    @Test
    void aCommonTypeExistsAlsoForNullListsAndTuples() {
        assertThat(CommonType.of(Type.Unit.NULL, Primitive.BOOL))
                .contains(Primitive.BOOL.optional());
        Type list = new Type.ListOf(Primitive.INT8);
        assertThat(CommonType.of(list, Type.Unit.EMPTY_LIST)).contains(list);
        assertThat(CommonType.of(list, new Type.ListOf(Primitive.INT32.optional())))
                .contains(new Type.ListOf(Primitive.INT32.optional()));
        assertThat(CommonType.of(List.of(Primitive.INT8, Type.Unit.NULL, Primitive.UINT16)))
                .contains(Primitive.UINT16.optional());
        assertThat(CommonType.of(Primitive.INT8, Primitive.UTF8)).isEmpty();
        assertThat(CommonType.of(List.of())).isEmpty();
        assertThat(CommonType.arithmetic(Primitive.DATE, Primitive.INT8)).isEmpty();
    }

    private static Optional<Value> literal(Type from, Value value, Type to) {
        return Convert.find(from, to, Optional.of(value)).map(caster -> caster.apply(value));
    }
}
