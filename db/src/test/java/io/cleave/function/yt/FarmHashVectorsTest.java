package io.cleave.function.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.typed.ConstantValue;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

/// The values of `farm_hash` that YTsaurus computes.
class FarmHashVectorsTest {
    @Test
    void integersAndBooleans() {
        expect("3315701238936582721", 0L);
        expect("2044001940267648219", 456L);
        expect("933529381690826619", 1L);
        expect("7129902556246829656", -1L);
        expect("7709059194707034078", 10L);
        expect("8164349598829955404", 42L);
        expect("17193867030214631371", 100L);
        expect("933529381690826619", true);
        expect("3315701238936582721", false);
        expect("17586188531206532588", Long.MAX_VALUE);
        expect("17576000849569414181", Long.MIN_VALUE);
    }

    @Test
    void strings() {
        expect("7945198393224481366", "foo");
        expect("18213160808259878197", "");
        expect("15812863501130876615", "a");
        expect("13950517517068094139", "b");
        expect("2255200014092086422", "hello");
        expect("310711328412053392", "user1");
        expect("5334119070325978533", "key0");
        expect("1388678587074990572", "0123456789abcdef");
        expect("14716262875685742931", "0123456789abcdefg");
        expect("15721816182520157070", "x".repeat(64));
        expect("15689628566368561501", "x".repeat(65));
        expect("969219002367552009", "x".repeat(100));
        expect("11095502057327575835", "abcdefghijklmnopqrstuvwxyz");
        expect("12961077227133729209", "привет");
    }

    @Test
    void severalValuesAndNull() {
        expect("3315701238936582721", new Object[] {null});
        expect("3849326666456637875", 1L, 2L);
        expect("16318345755257926203", 2L, 1L);
        expect("9356478348297141860", 1L, 2L, 3L);
        expect("10793565175019682757", null, null);
        expect("10793565175019682757", 0L, 0L);
        expect("6690262326648916179", null, "a");
        expect("5668056654000868720", "a", null);
    }

    private static void expect(String hash, Object... values) {
        var call =
                YtFunctions.call(
                        "Farm_Hash",
                        Arrays.stream(values).map(FarmHashVectorsTest::literal).toList(),
                        "");
        assertThat(call.types()).containsExactly(YtType.UINT64);
        Value value = ConstantValue.of(call.typed()).orElseThrow();
        assertThat(Long.toUnsignedString(((Value.Int) value).value()))
                .as("farm_hash%s", Arrays.toString(values))
                .isEqualTo(hash);
    }

    private static UntypedExpression literal(Object value) {
        return switch (value) {
            case null -> UntypedExpression.nullLiteral();
            case Long number -> UntypedExpression.int64(number);
            case Boolean bool -> UntypedExpression.bool(bool);
            default -> UntypedExpression.string(Bytes.utf8((String) value));
        };
    }
}
