package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/// Makes keys for hash tables, for GROUP BY, DISTINCT and joins. Two keys are `equals` exactly if
/// [Order] considers the original values equal, which does not hold for the values themselves.
public final class HashKey {
    private static final double TWO_63 = 0x1p63;
    private static final double TWO_64 = 0x1p64;

    private HashKey() {}

    /// The key of a value in a hash table with values of one type: two values are in the same group
    /// exactly if their keys are equal. All NULLs are in one group, all NaNs are, and so are 0.0
    /// and -0.0.
    public static Value ofGroup(Type type, Value value) {
        return switch (value) {
            case Value.Real(double real) -> real == 0 ? Value.of(0.0) : value;
            case Value.Items(List<Value> items) -> {
                var keys = new ArrayList<Value>(items.size());
                for (int index = 0; index < items.size(); index++) {
                    keys.add(ofGroup(Order.item(type, index), items.get(index)));
                }
                yield Value.items(keys);
            }
            case Value.Pairs(List<Value.Pair> pairs) -> {
                var dict = (Type.Dict) Order.bare(type);
                var keys = new ArrayList<Value.Pair>(pairs.size());
                for (Value.Pair pair : pairs) {
                    Value key = ofGroup(dict.key(), pair.key());
                    keys.add(new Value.Pair(key, ofGroup(dict.payload(), pair.payload())));
                }
                yield new Value.Pairs(Order.sorted(dict, keys));
            }
            case Value.Choice(int index, Value chosen) ->
                    new Value.Choice(index, ofGroup(Order.item(type, index), chosen));
            case Value.Just(Value item) -> new Value.Just(ofGroup(type, item));
            default -> value;
        };
    }

    /// As [#ofGroup] for two comparable types: the keys of values of the two types are equal
    /// exactly if [Order#compare(Type, Value, Type, Value)] finds the values equal.
    public static Value ofJoin(Type type, Value value) {
        Type bare = Order.bare(type);
        return switch (value) {
            case Value.Int(long number) -> {
                if (bare instanceof Primitive primitive && PrimitiveCast.isMoment(primitive)) {
                    yield Value.of(number * Order.unitMicros(primitive));
                }
                // The upper half of Uint64, to distinguish it from the negative numbers with the
                // same bits.
                yield number < 0 && Order.isUnsigned(bare) ? new Value.Int128(0, number) : value;
            }
            case Value.Real(double real) -> {
                if (real != Math.rint(real) || real >= TWO_64 || real < -TWO_63) {
                    yield value;
                }
                BigInteger number = new BigDecimal(real).toBigInteger();
                yield number.bitLength() <= 63
                        ? Value.of(number.longValue())
                        : DecimalMath.int128(number);
            }
            case Value.Int128 wide when bare instanceof Type.Decimal decimal ->
                    integralKey(decimal, wide);
            case Value.Text(String text) when bare == Primitive.UTF8 ->
                    Value.binary(Bytes.utf8(text));
            case Value.Text(String text) when TzText.isTz(bare) ->
                    Value.items(
                            List.of(
                                    Value.of(TzText.utcMicros(text)),
                                    Value.text(TzText.zone(text))));
            case Value.Items(List<Value> items) -> {
                var keys = new ArrayList<Value>(items.size());
                for (int index = 0; index < items.size(); index++) {
                    keys.add(ofJoin(Order.item(bare, index), items.get(index)));
                }
                yield Value.items(keys);
            }
            default -> ofGroup(type, value);
        };
    }

    /// A Decimal without a fraction has the key of the integer it equals. Any other Decimal has its
    /// text as the key, which no integer has.
    private static Value integralKey(Type.Decimal type, Value.Int128 value) {
        BigInteger[] parts =
                DecimalMath.bigInteger(value).divideAndRemainder(BigInteger.TEN.pow(type.scale()));
        boolean whole = parts[1].signum() == 0 && DecimalMath.isNumber(value, type.precision());
        if (!whole) {
            return Value.text(DecimalMath.print(type, value));
        }
        return parts[0].bitLength() <= 63
                ? Value.of(parts[0].longValue())
                : DecimalMath.int128(parts[0]);
    }
}
