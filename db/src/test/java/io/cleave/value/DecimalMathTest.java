package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.value.Value.Int128;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigInteger;

class DecimalMathTest {
    private static final Type.Decimal MONEY = new Type.Decimal(22, 9);

    private final RandomValues values = new RandomValues();

    @ParameterizedTest
    @CsvSource({
        "1.23, 1.23",
        "-0, 0",
        "+.5, 0.5",
        "5., 5",
        "1e3, 1000",
        "1.0000000005, 1",
        "1.0000000015, 1.000000002",
        "1e-10, 0",
        "6e-10, 0.000000001",
        "9999999999999.999999999, 9999999999999.999999999",
        "9999999999999.9999999999, inf",
        "10000000000000, inf",
        "-1e999999999, -inf",
        "1e-999999999, 0",
        "NaN, nan",
        "-nan, nan",
        "-Inf, -inf",
    })
    void textIsReadToTheNearestNumber(String text, String printed) {
        assertThat(DecimalMath.parse(MONEY, text).map(v -> DecimalMath.print(MONEY, v)))
                .contains(printed);
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "' 1'",
        "1_000",
        "0x1",
        "e5",
        ".",
        "1e",
        "1.2.3",
        "infinity",
        "1e99999999999"
    })
    void whatIsNoNumberIsRefused(String text) {
        assertThat(DecimalMath.parse(MONEY, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1.5, 2.25, 3.75, -0.75, 3.375, 0.666666667",
        "-7, 2, -5, -9, -14, -3.5",
        "9999999999999, 9999999999999, inf, 0, inf, 1",
        "inf, 1, inf, inf, inf, inf",
        "inf, -inf, nan, inf, -inf, nan",
        "-inf, 0, -inf, -inf, nan, -inf",
        "1, 0, 1, 1, 0, inf",
        "-1, 0, -1, -1, 0, -inf",
        "0, 0, 0, 0, 0, nan",
        "5, inf, inf, -inf, inf, 0",
        "nan, 1, nan, nan, nan, nan",
    })
    void arithmeticIsYdbs(
            String left, String right, String sum, String difference, String product, String over) {
        Int128 l = money(left);
        Int128 r = money(right);
        assertThat(print(DecimalMath.add(MONEY, l, r))).isEqualTo(sum);
        assertThat(print(DecimalMath.subtract(MONEY, l, r))).isEqualTo(difference);
        assertThat(print(DecimalMath.multiply(MONEY, l, r))).isEqualTo(product);
        assertThat(print(DecimalMath.divide(MONEY, l, r))).isEqualTo(over);
    }

    @Test
    void tiesGoToTheEvenNeighbour() {
        var whole = new Type.Decimal(5, 0);
        var tenths = new Type.Decimal(5, 1);
        for (String[] pair :
                new String[][] {{"0.5", "0"}, {"1.5", "2"}, {"2.5", "2"}, {"-1.5", "-2"}}) {
            Int128 value = DecimalMath.parse(tenths, pair[0]).orElseThrow();
            Int128 rounded = DecimalMath.rescale(tenths, whole, value);
            assertThat(DecimalMath.print(whole, rounded)).isEqualTo(pair[1]);
        }
    }

    @Test
    void remaindersAndIntegersWork() {
        assertThat(print(DecimalMath.remainder(money("-7.5"), money("2")))).isEqualTo("-1.5");
        assertThat(print(DecimalMath.remainder(money("1"), money("0")))).isEqualTo("nan");
        assertThat(print(DecimalMath.multiply(MONEY, money("1.5"), BigInteger.TWO))).isEqualTo("3");
        assertThat(print(DecimalMath.divide(MONEY, money("1.5"), BigInteger.TWO)))
                .isEqualTo("0.75");
        assertThat(print(DecimalMath.ofInteger(MONEY, BigInteger.TEN.pow(13)))).isEqualTo("inf");
    }

    @Test
    void rescalingKeepsWhatFits() {
        var small = new Type.Decimal(3, 1);
        assertThat(DecimalMath.rescale(MONEY, small, money("12.34"))).isEqualTo(new Int128(0, 123));
        assertThat(DecimalMath.rescale(MONEY, small, money("100"))).isEqualTo(DecimalMath.INF);
        assertThat(DecimalMath.rescale(MONEY, small, money("-99.99")))
                .isEqualTo(DecimalMath.NEGATIVE_INF);
        assertThat(DecimalMath.rescale(MONEY, new Type.Decimal(31, 9), money("1.5")))
                .isEqualTo(money("1.5"));
    }

    @Test
    void theBitsAreTwosComplement() {
        assertThat(money("-0.000000001")).isEqualTo(new Int128(-1, -1));
        assertThat(DecimalMath.INF).isEqualTo(new Int128(0x13426172C74D82L, 0x2B878FE800000000L));
        for (int round = 0; round < 10_000; round++) {
            var number = new BigInteger(120, values.random()).negate();
            assertThat(DecimalMath.bigInteger(DecimalMath.int128(number)))
                    .as(values.seed())
                    .isEqualTo(number);
        }
    }

    @Test
    void textReadsBack() {
        for (int round = 0; round < 5000; round++) {
            var value = (Int128) values.value(MONEY);
            assertThat(money(print(value))).as("%s %s", value, values.seed()).isEqualTo(value);
            assertThat(DecimalMath.isLegal(MONEY, value)).as(values.seed()).isTrue();
        }
    }

    private static Int128 money(String text) {
        return DecimalMath.parse(MONEY, text).orElseThrow();
    }

    private static String print(Int128 value) {
        return DecimalMath.print(MONEY, value);
    }
}
