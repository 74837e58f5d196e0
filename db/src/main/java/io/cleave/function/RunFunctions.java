package io.cleave.function;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// Functions that depend on the run: the time, random values, the user and the server version.
final class RunFunctions {
    /// The server version that clients see: the YDB release whose behaviour Cleave follows.
    private static final String VERSION = "25.1.4.7";

    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    private RunFunctions() {}

    static void register(Registry registry) {
        registry.add("CurrentUtcDate", c -> now(c, Primitive.DATE, DAY_MICROS));
        registry.add("CurrentUtcDatetime", c -> now(c, Primitive.DATETIME, SECOND_MICROS));
        registry.add("CurrentUtcTimestamp", c -> now(c, Primitive.TIMESTAMP, 1));
        registry.add("Random", RunFunctions::random);
        registry.add("RandomNumber", RunFunctions::randomNumber);
        registry.add("RandomUuid", RunFunctions::randomUuid);
        registry.add("Version", RunFunctions::version);
        registry.add("CurrentAuthenticatedUser", RunFunctions::user);
        registry.add("CurrentOperationId", RunFunctions::noOperation);
        registry.add("CurrentOperationSharedId", RunFunctions::noOperation);
    }

    /// The values of the arguments are not used. They only make calls distinct, but must be valid.
    private static List<Typed> arguments(FunctionCall call) {
        return call.all();
    }

    static Typed now(FunctionCall call, Primitive type, long unitMicros) {
        return new Typed.Apply(
                type,
                ScalarFunction.ofRun(
                        call.name(), (_, run) -> Value.of(run.nowMicros() / unitMicros)),
                arguments(call));
    }

    private static Typed random(FunctionCall call) {
        return new Typed.Apply(
                Primitive.DOUBLE,
                ScalarFunction.random(call.name(), (_, run) -> Value.of(run.randomDouble())),
                arguments(call));
    }

    private static Typed randomNumber(FunctionCall call) {
        return new Typed.Apply(
                Primitive.UINT64,
                ScalarFunction.random(call.name(), (_, run) -> Value.of(run.randomLong())),
                arguments(call));
    }

    private static Typed randomUuid(FunctionCall call) {
        return new Typed.Apply(
                Primitive.UUID,
                ScalarFunction.random(
                        call.name(), (_, run) -> uuid(run.randomLong(), run.randomLong())),
                arguments(call));
    }

    /// A version 4 UUID in the two halves of the wire format. The low half is little-endian, and
    /// its upper 16 bits are the third field of the UUID, with the version. The variant is in the
    /// first byte of the high half.
    private static Value uuid(long low, long high) {
        long version4 = (low & 0x0FFF_FFFF_FFFF_FFFFL) | 0x4000_0000_0000_0000L;
        long variant = (high & ~0xC0L) | 0x80L;
        return new Value.Int128(variant, version4);
    }

    private static Typed user(FunctionCall call) {
        call.expect(0);
        return new Typed.Apply(
                Primitive.STRING,
                ScalarFunction.ofRun(call.name(), (_, run) -> Value.binary(Bytes.utf8(run.user()))),
                List.of());
    }

    /// A query is not a long-running operation, so it has no operation id.
    private static Typed noOperation(FunctionCall call) {
        call.expect(0);
        return new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8("")));
    }

    private static Typed version(FunctionCall call) {
        call.expect(0);
        return new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8(VERSION)));
    }
}
