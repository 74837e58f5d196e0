package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

class OrderTest {
    private static final List<Primitive> NUMBERS =
            List.of(
                    Primitive.INT8,
                    Primitive.UINT8,
                    Primitive.INT32,
                    Primitive.UINT32,
                    Primitive.INT64,
                    Primitive.UINT64,
                    Primitive.FLOAT,
                    Primitive.DOUBLE);

    private final RandomValues values = new RandomValues();

    @Test
    void numbersOfAllWidthsCompareByTheirValue() {
        for (int round = 0; round < 5000; round++) {
            Primitive leftType = values.oneOf(NUMBERS);
            Primitive rightType = values.oneOf(NUMBERS);
            Value left = values.value(leftType);
            Value right = values.value(rightType);
            if (isFinite(left) && isFinite(right)) {
                int expected = exact(leftType, left).compareTo(exact(rightType, right));
                assertThat(sign(leftType, left, rightType, right))
                        .as("%s %s, %s %s %s", leftType, left, rightType, right, values.seed())
                        .isEqualTo(expected);
                boolean sameKey =
                        HashKey.ofJoin(leftType, left).equals(HashKey.ofJoin(rightType, right));
                assertThat(sameKey)
                        .as("%s %s, %s %s %s", leftType, left, rightType, right, values.seed())
                        .isEqualTo(expected == 0);
            }
        }
    }

    @Test
    void theOrderOfAnyTypeIsTotal() {
        for (int round = 0; round < 500; round++) {
            Type type = values.type(values.random().nextInt(4));
            List<Value> some = new ArrayList<>();
            for (int count = 0; count < 8; count++) {
                some.add(values.value(type));
            }
            String what = type.text() + " " + some + " " + values.seed();
            some.sort((l, r) -> Order.compare(type, l, r));
            for (int l = 0; l < some.size(); l++) {
                for (int r = 0; r < some.size(); r++) {
                    int order = Order.compare(type, some.get(l), some.get(r));
                    int back = Order.compare(type, some.get(r), some.get(l));
                    assertThat(Integer.signum(order)).as(what).isEqualTo(-Integer.signum(back));
                    assertThat(l < r ? order <= 0 : order >= 0 || l == r).as(what).isTrue();
                }
            }
        }
    }

    @Test
    void equalInOrderIsEqualAsAGroup() {
        for (int round = 0; round < 5000; round++) {
            Type type = values.type(values.random().nextInt(3));
            Value left = values.value(type);
            Value right = values.random().nextBoolean() ? left : values.value(type);
            assertThat(HashKey.ofGroup(type, left).equals(HashKey.ofGroup(type, right)))
                    .as("%s %s %s %s", type.text(), left, right, values.seed())
                    .isEqualTo(Order.compare(type, left, right) == 0);
        }
    }

    @Test
    void nullComesFirstAndNanLast() {
        assertThat(Order.compare(Primitive.INT8.optional(), Value.Null.NULL, Value.of(-128L)))
                .isNegative();
        assertThat(Order.compare(Primitive.DOUBLE, nan(), Value.of(Double.POSITIVE_INFINITY)))
                .isPositive();
        assertThat(Order.isUnordered(Primitive.DOUBLE, nan())).isTrue();
        assertThat(Order.isUnordered(new Type.Decimal(22, 9), DecimalMath.NAN)).isTrue();
        assertThat(Order.isUnordered(new Type.Decimal(22, 9), DecimalMath.INF)).isFalse();
    }

    @Test
    void justNullIsAboveNullAndBelowValues() {
        Type type = new Type.Optional(Primitive.INT8.optional());
        var justNull = new Value.Just(Value.Null.NULL);
        assertThat(Order.compare(type, Value.Null.NULL, justNull)).isNegative();
        assertThat(Order.compare(type, justNull, Value.of(-128L))).isNegative();
    }

    @Test
    void stringsCompareWithTextsByBytes() {
        Value smiley = Value.text("\uD83D\uDE00");
        assertThat(Order.compare(Primitive.UTF8, Value.text("\uFFFD"), smiley)).isNegative();
        Value bytes = Value.binary(Bytes.utf8("\uFFFD"));
        assertThat(sign(Primitive.STRING, bytes, Primitive.UTF8, smiley)).isEqualTo(-1);
        assertThat(HashKey.ofJoin(Primitive.UTF8, Value.text("\uFFFD")))
                .isEqualTo(HashKey.ofJoin(Primitive.STRING, bytes));
    }

    @Test
    void datesCompareByTheMomentTheyBegin() {
        Value day = Value.of(1L);
        Value second = Value.of(86_400L);
        assertThat(sign(Primitive.DATE, day, Primitive.DATETIME64, second)).isZero();
        assertThat(sign(Primitive.DATE, day, Primitive.TIMESTAMP, Value.of(86_400_000_001L)))
                .isEqualTo(-1);
        assertThat(HashKey.ofJoin(Primitive.DATE, day))
                .isEqualTo(HashKey.ofJoin(Primitive.DATETIME64, second));
    }

    @Test
    void whatIsComparableIsWhatYdbCompares() {
        assertThat(comparable(Primitive.INT8, Primitive.DOUBLE.optional())).isTrue();
        assertThat(comparable(Primitive.STRING, Primitive.UTF8)).isTrue();
        assertThat(comparable(Primitive.DATE, Primitive.TIMESTAMP64)).isTrue();
        assertThat(comparable(new Type.Decimal(22, 9), new Type.Decimal(35, 9))).isTrue();
        assertThat(comparable(new Type.Decimal(22, 9), new Type.Decimal(22, 8))).isFalse();
        assertThat(comparable(Primitive.INT32, Primitive.UTF8)).isFalse();
        assertThat(comparable(Primitive.BOOL, Primitive.INT32)).isFalse();
        assertThat(comparable(Primitive.JSON, Primitive.JSON)).isFalse();
        assertThat(comparable(Primitive.DATE, Primitive.INTERVAL)).isFalse();
    }

    @Test
    void decimalsCompareWithIntegers() {
        var type = new Type.Decimal(5, 2);
        Value half = DecimalMath.parse(type, "1.5").orElseThrow();
        assertThat(sign(type, half, Primitive.INT32, Value.of(1L))).isEqualTo(1);
        assertThat(sign(Primitive.UINT64, Value.of(-1L), type, half)).isEqualTo(1);
        assertThat(sign(Primitive.INT64, Value.of(-1L), type, DecimalMath.NEGATIVE_INF))
                .isEqualTo(1);
    }

    private static boolean comparable(Type left, Type right) {
        return Order.isComparable(left, right);
    }

    private static Value nan() {
        return Value.of(Double.NaN);
    }

    private static boolean isFinite(Value value) {
        return !(value instanceof Value.Real(double real)) || Double.isFinite(real);
    }

    private static BigDecimal exact(Primitive type, Value value) {
        if (value instanceof Value.Real(double real)) {
            return new BigDecimal(real);
        }
        long number = ((Value.Int) value).value();
        return new BigDecimal(
                type == Primitive.UINT64 ? Long.toUnsignedString(number) : Long.toString(number));
    }

    private static int sign(Type leftType, Value left, Type rightType, Value right) {
        return Integer.signum(Order.compare(leftType, left, rightType, right));
    }
}
