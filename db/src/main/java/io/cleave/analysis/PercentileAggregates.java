package io.cleave.analysis;

import io.cleave.analysis.AggregateFunction.Accumulator;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.Map;

/// `PERCENTILE(value, part)` and `MEDIAN(value [, part])`: the value below which that part of the
/// values lies, between two of them if need be. Exact for a few thousand values, close beyond.
final class PercentileAggregates {
    private PercentileAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("percentile", call -> resolve(call, 2));
        resolvers.put("median", call -> resolve(call, 1));
    }

    private static AggregateFunction resolve(Aggregates.Call call, int least) {
        call.expect(least, 2);
        Type type = call.bare();
        boolean number = CommonType.isNumber(type);
        boolean time =
                switch (type) {
                    case Primitive.DATE,
                            Primitive.DATETIME,
                            Primitive.TIMESTAMP,
                            Primitive.INTERVAL,
                            Primitive.DATE32,
                            Primitive.DATETIME64,
                            Primitive.TIMESTAMP64,
                            Primitive.INTERVAL64 ->
                            true;
                    default -> false;
                };
        if (!number && !time) {
            throw call.error("Cannot take %s of %s".formatted(call.name(), call.type().text()));
        }
        if (call.types().size() == 2) {
            Type part = call.types().get(1);
            if (part instanceof Type.Tuple
                    || part instanceof Type.Struct
                    || part instanceof Type.ListOf) {
                throw Errors.unsupported(call.at(), call.name() + " of several parts");
            }
            if (!CommonType.isNumber(part.unwrapped())) {
                throw call.error(
                        "Expected a number from 0 to 1 in %s, but got: %s"
                                .formatted(call.name(), part.text()));
            }
        }
        boolean unsigned = type == Primitive.UINT64;
        return Aggregates.nullable(
                call.types().subList(0, 1),
                number ? Primitive.DOUBLE : type,
                () -> new Percentile(unsigned, time));
    }

    private static final class Percentile implements Accumulator {
        private final boolean unsigned;
        private final boolean whole;
        private final Digest digest = new Digest();
        private double part = 0.5;

        Percentile(boolean unsigned, boolean whole) {
            this.unsigned = unsigned;
            this.whole = whole;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            if (arguments.length == 2 && !arguments[1].isNull()) {
                part = SumAggregates.number(arguments[1], false);
            }
            digest.add(SumAggregates.number(arguments[0], unsigned));
        }

        @Override
        public Value result() {
            if (digest.isEmpty()) {
                return Value.Null.NULL;
            }
            double value = digest.at(part);
            return whole ? Value.of(Math.round(value)) : Value.of(value);
        }
    }
}
