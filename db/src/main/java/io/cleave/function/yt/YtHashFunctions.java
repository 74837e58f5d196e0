package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.hash.CityHash;
import io.cleave.hash.FarmHash;
import io.cleave.hash.IntHash;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// `farm_hash` and `bigb_hash`, which distribute keys over tablets.
public final class YtHashFunctions {
    private static final long SEED = 0xDEADC0DEL;

    private static final long SHARD_HASH =
            CityHash.hash64("shard".getBytes(StandardCharsets.UTF_8));

    private static final ScalarFunction FARM_HASH =
            ScalarFunction.of("farm_hash", arguments -> Value.of(farmHash(arguments)));

    private YtHashFunctions() {}

    static void register(YtFunction.Registry registry) {
        registry.accept(
                new YtFunction(
                        "farm_hash",
                        new Signature(
                                one(UINT64), List.of(), oneOf(INT64, UINT64, BOOLEAN, STRING)),
                        (arguments, _) -> farmHash(arguments)));
        registry.accept(
                YtFunction.strict(
                        "bigb_hash", Signature.of(one(UINT64), one(STRING)), a -> bigbHash(a[0])));
    }

    /// The node of `farm_hash`. The arguments have types of the query language except double and
    /// `any`.
    public static Typed farmHash(List<Typed> arguments) {
        return new Typed.Apply(UINT64.type(), FARM_HASH, arguments);
    }

    /// The hash of values of the types int64, uint64, boolean and string, and of NULL.
    static long farmHash(Value[] values) {
        long hash = SEED;
        for (Value value : values) {
            hash = IntHash.farm(hash, fingerprint(value));
        }
        return hash ^ values.length;
    }

    /// The fingerprint of one value. NULL has that of zero.
    static long fingerprint(Value value) {
        return switch (value) {
            case Value.Null _ -> IntHash.farm(0);
            case Value.Int(long bits) -> IntHash.farm(bits);
            case Value.Bool(boolean bool) -> IntHash.farm(bool ? 1 : 0);
            case Value.Real(double real) -> IntHash.farm(Double.doubleToRawLongBits(real));
            case Value.Binary(var bytes) -> FarmHash.fingerprint64(bytes.array());
            default -> throw new IllegalArgumentException("no fingerprint of " + value);
        };
    }

    /// The hash of an identifier, which is a string.
    public static Value bigbHash(Value id) {
        return Value.of(bigbHash(YtArithmetic.bytes(id).array()));
    }

    /// The hash of an identifier. An identifier that is `y` followed by a number has this number as
    /// its hash. Other identifiers are hashed.
    private static long bigbHash(byte[] id) {
        if (id.length == 0) {
            return 0;
        }
        if (id[0] == 'y') {
            byte[] digits = Arrays.copyOfRange(id, 1, id.length);
            BigInteger number = number(digits);
            if (number.bitLength() <= Long.SIZE && number.signum() >= 0) {
                return number.longValue();
            }
        }
        return IntHash.wang(CityHash.hash64(id)) ^ SHARD_HASH;
    }

    /// The decimal number; -1 if the text is not a number, or is longer than any number of 64 bits.
    private static BigInteger number(byte[] digits) {
        boolean decimal = digits.length > 0;
        int first = 0;
        for (int index = 0; index < digits.length; index++) {
            decimal &= digits[index] >= '0' && digits[index] <= '9';
            if (first == index && digits[index] == '0') {
                first++;
            }
        }
        int significant = digits.length - first;
        boolean fits = decimal && significant <= 20;
        return fits
                ? new BigInteger(
                        "0" + new String(digits, StandardCharsets.ISO_8859_1).substring(first))
                : BigInteger.ONE.negate();
    }
}
