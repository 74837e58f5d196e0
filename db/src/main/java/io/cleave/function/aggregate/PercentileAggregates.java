package io.cleave.function.aggregate;

import io.cleave.function.call.Numbers;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Map;

/// `PERCENTILE(value, part)` and `MEDIAN(value [, part])`: the value below which the given part of
/// the values lies, interpolated between two values if necessary. Exact for a few thousand values
/// and approximate for more.
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
        Type result = number ? Primitive.DOUBLE : type;
        if (call.types().size() == 2) {
            result = result(call, result, call.types().get(1));
        }
        boolean unsigned = type == Primitive.UINT64;
        return Aggregates.nullable(
                call.types().subList(0, 1), result, () -> new Percentile(unsigned, time));
    }

    /// Several parts in a tuple, struct or list give their values in a container of the same kind.
    private static Type result(Aggregates.Call call, Type item, Type part) {
        return switch (part) {
            case Type.Tuple(List<Type> parts) ->
                    new Type.Tuple(parts.stream().map(p -> result(call, item, p)).toList());
            case Type.Struct(List<Type.Member> members) ->
                    new Type.Struct(
                            members.stream()
                                    .map(
                                            m ->
                                                    new Type.Member(
                                                            m.name(), result(call, item, m.type())))
                                    .toList());
            case Type.ListOf(Type p) -> new Type.ListOf(result(call, item, p));
            default -> {
                if (!CommonType.isNumber(part.unwrapped())) {
                    throw call.error(
                            "Expected a number from 0 to 1 in %s, but got: %s"
                                    .formatted(call.name(), part.text()));
                }
                yield item;
            }
        };
    }

    private static final class Percentile implements Accumulator {
        private final boolean unsigned;
        private final boolean whole;
        private final Digest digest = new Digest();
        private Value part = Value.of(0.5);

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
                part = arguments[1];
            }
            digest.add(Numbers.real(arguments[0], unsigned));
        }

        @Override
        public long keptBytes() {
            return digest.bytes();
        }

        @Override
        public Value result() {
            if (digest.isEmpty()) {
                return Value.Null.NULL;
            }
            return at(part);
        }

        private Value at(Value wanted) {
            if (wanted instanceof Value.Items(List<Value> parts)) {
                return Value.items(parts.stream().map(this::at).toList());
            }
            double value = digest.at(wanted.isNull() ? 0.5 : Numbers.real(wanted, false));
            return whole ? Value.of(Math.round(value)) : Value.of(value);
        }
    }
}
