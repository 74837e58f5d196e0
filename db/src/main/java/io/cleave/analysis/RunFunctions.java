package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// What depends on the run: the time, chance, and who answers.
final class RunFunctions {
    /// What clients take for the version of the server: the YDB release whose behaviour this is.
    private static final String VERSION = "25.1.4.7";

    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    private RunFunctions() {}

    static void register(Functions.Registry registry) {
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

    /// Arguments only say that the call is another one; they have to make sense all the same.
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

    /// Version 4 in the wire's halves: the third field of a UUID is the upper quarter of the low
    /// half, little-endian; the variant begins the high half.
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

    /// A query is no operation that one could ask for later, and so without an id.
    private static Typed noOperation(FunctionCall call) {
        call.expect(0);
        return new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8("")));
    }

    private static Typed version(FunctionCall call) {
        call.expect(0);
        return new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8(VERSION)));
    }
}
