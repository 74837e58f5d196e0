package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.hash.YtHash;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import java.util.List;

/// `farm_hash`, which distributes keys over tablets.
final class YtHashFunctions {
    /// The name of the node's function; key ranges are derived from it.
    static final String FARM_HASH = "farm_hash";

    private static final ScalarFunction HASH =
            ScalarFunction.of(FARM_HASH, arguments -> Value.of(hash(arguments)));

    private YtHashFunctions() {}

    static void register(YtFunction.Registry registry) {
        registry.accept(
                new YtFunction(
                        FARM_HASH,
                        new Signature(
                                one(UINT64), List.of(), oneOf(INT64, UINT64, BOOLEAN, STRING)),
                        (arguments, result) -> new Typed.Apply(result.type(), HASH, arguments)));
    }

    /// The hash of values of the types int64, uint64, boolean and string, and of NULL.
    static long hash(Value[] values) {
        long hash = YtHash.SEED;
        for (Value value : values) {
            hash = YtHash.combined(hash, hash(value));
        }
        return hash ^ values.length;
    }

    private static long hash(Value value) {
        return switch (value) {
            case Value.Null _ -> YtHash.of(0);
            case Value.Int(long bits) -> YtHash.of(bits);
            case Value.Bool(boolean bool) -> YtHash.of(bool ? 1 : 0);
            case Value.Real(double real) -> YtHash.of(Double.doubleToRawLongBits(real));
            case Value.Binary(var bytes) -> YtHash.of(bytes.array());
            default -> throw new IllegalArgumentException("no hash of " + value);
        };
    }
}
