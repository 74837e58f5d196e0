package io.cleave.analysis;

import io.cleave.analysis.AggregateFunction.Accumulator;
import io.cleave.value.Cast;
import io.cleave.value.Caster;
import io.cleave.value.HashKey;
import io.cleave.value.Ints;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/// Aggregates that give values of the group as they are: MIN, MAX, SOME, MIN_BY, MAX_BY,
/// AGGREGATE_LIST; and those that fold them bit by bit.
final class ChoiceAggregates {
    private ChoiceAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("min", call -> extreme(call, -1).as(AggregateFunction.Kind.MIN));
        resolvers.put("max", call -> extreme(call, 1).as(AggregateFunction.Kind.MAX));
        resolvers.put("min_by", call -> extremeBy(call, -1));
        resolvers.put("max_by", call -> extremeBy(call, 1));
        resolvers.put("some", ChoiceAggregates::some);
        resolvers.put("some_value", ChoiceAggregates::some);
        resolvers.put("any_value", ChoiceAggregates::some);
        for (String name : List.of("aggregate_list", "agg_list", "aggr_list")) {
            resolvers.put(name, call -> list(call, false));
            resolvers.put(name + "_distinct", call -> list(call, true));
        }
        resolvers.put("bool_and", call -> bools(call, Value.Bool.FALSE, (l, r) -> l && r));
        resolvers.put("every", call -> bools(call, Value.Bool.FALSE, (l, r) -> l && r));
        resolvers.put("bool_or", call -> bools(call, Value.Bool.TRUE, (l, r) -> l || r));
        resolvers.put("bool_xor", call -> bools(call, Value.Null.NULL, (l, r) -> l ^ r));
        resolvers.put("bit_and", call -> bits(call, (l, r) -> l & r));
        resolvers.put("bit_or", call -> bits(call, (l, r) -> l | r));
        resolvers.put("bit_xor", call -> bits(call, (l, r) -> l ^ r));
    }

    private static Aggregates.Resolved extreme(Aggregates.Call call, int sign) {
        call.expect(1, 1);
        Type type = call.bare();
        requireOrder(call, type);
        return folded(
                call, (best, next) -> Order.compare(type, next, best) * sign > 0 ? next : best);
    }

    static void requireOrder(Aggregates.Call call, Type type) {
        if (!Order.isOrdered(type)) {
            throw call.error(
                    "Expected comparable type in %s, but got: %s"
                            .formatted(call.name(), type.text()));
        }
    }

    /// `MIN_BY(value, key)`: the value where the key is least; rows whose key is NULL do not count.
    /// `MIN_BY(value, key, count)`: the values of all rows where it is least, at most that many.
    private static AggregateFunction extremeBy(Aggregates.Call call, int sign) {
        call.expect(2, 3);
        Type key = call.types().get(1).unwrapped();
        requireOrder(call, key);
        if (call.types().size() == 3) {
            call.expectInteger(2);
            return Aggregates.nullable(
                    call.types().subList(1, 2),
                    new Type.ListOf(call.type()),
                    () -> new AllBy(key, sign));
        }
        return Aggregates.nullable(call.types(), call.bare(), () -> new By(key, sign));
    }

    private static AggregateFunction some(Aggregates.Call call) {
        call.expect(1, 1);
        return folded(call, (first, _) -> first);
    }

    private static Aggregates.Resolved folded(Aggregates.Call call, BinaryOperator<Value> step) {
        return Aggregates.nullable(call.types(), call.bare(), () -> new Fold(step));
    }

    /// `AGGREGATE_LIST(value [, limit])`.
    private static AggregateFunction list(Aggregates.Call call, boolean distinct) {
        call.expect(1, 2);
        call.expectInteger(1);
        Type type = call.bare();
        return Aggregates.total(new Type.ListOf(type), () -> new Collect(type, distinct));
    }

    @FunctionalInterface
    private interface BoolStep {
        boolean apply(boolean left, boolean right);
    }

    /// A NULL among the values makes the result NULL. `deciding` is the result as soon as one value
    /// is that, whatever the others are. What is no Bool is cast to one.
    private static AggregateFunction bools(Aggregates.Call call, Value deciding, BoolStep step) {
        call.expect(1, 1);
        Type type = call.type();
        Caster caster =
                Cast.find(type, Primitive.BOOL)
                        .orElseThrow(() -> call.error("Expected bool, but got: " + type.text()));
        return Aggregates.nullable(
                List.of(Cast.resultType(type, Primitive.BOOL, caster)),
                Primitive.BOOL,
                () -> new Bools(caster, deciding, step));
    }

    @FunctionalInterface
    private interface BitStep {
        long apply(long left, long right);
    }

    private static AggregateFunction bits(Aggregates.Call call, BitStep step) {
        call.expect(1, 1);
        if (!(call.bare() instanceof Primitive type)
                || !Ints.isInteger(type)
                || Ints.isSigned(type)) {
            throw call.error("Expected unsigned data type, but got: " + call.type().text());
        }
        return folded(
                call,
                (l, r) -> Value.of(step.apply(((Value.Int) l).value(), ((Value.Int) r).value())));
    }

    /// NULL until the first value.
    private static final class Fold implements Accumulator {
        private final BinaryOperator<Value> step;
        private Value result = Value.Null.NULL;

        Fold(BinaryOperator<Value> step) {
            this.step = step;
        }

        @Override
        public void add(Value[] arguments) {
            if (!arguments[0].isNull()) {
                result = result.isNull() ? arguments[0] : step.apply(result, arguments[0]);
            }
        }

        @Override
        public Value result() {
            return result;
        }
    }

    private static final class By implements Accumulator {
        private final Type type;
        private final int sign;
        private Value key = Value.Null.NULL;
        private Value result = Value.Null.NULL;

        By(Type type, int sign) {
            this.type = type;
            this.sign = sign;
        }

        @Override
        public void add(Value[] arguments) {
            Value next = arguments[1];
            boolean better =
                    !next.isNull() && (key.isNull() || Order.compare(type, next, key) * sign > 0);
            if (better) {
                key = next;
                result = arguments[0];
            }
        }

        @Override
        public Value result() {
            return result;
        }
    }

    /// The values of the rows that have the best key so far.
    private static final class AllBy implements Accumulator {
        private final Type type;
        private final int sign;
        private final List<Value> values = new ArrayList<>();
        private Value key = Value.Null.NULL;

        AllBy(Type type, int sign) {
            this.type = type;
            this.sign = sign;
        }

        @Override
        public void add(Value[] arguments) {
            Value next = arguments[1];
            if (next.isNull()) {
                return;
            }
            int order = key.isNull() ? 1 : Order.compare(type, next, key) * sign;
            if (order > 0) {
                key = next;
                values.clear();
            }
            long count = arguments[2] instanceof Value.Int(long number) ? number : 0;
            if (order >= 0 && Long.compareUnsigned(values.size(), count) < 0) {
                values.add(arguments[0]);
            }
        }

        @Override
        public Value result() {
            return key.isNull() ? Value.Null.NULL : Value.items(values);
        }

        @Override
        public int keptCount() {
            return values.size();
        }
    }

    private static final class Collect implements Accumulator {
        private final Type type;
        private final boolean distinct;
        private final List<Value> items = new ArrayList<>();
        private final LinkedHashSet<Value> keys = new LinkedHashSet<>();

        Collect(Type type, boolean distinct) {
            this.type = type;
            this.distinct = distinct;
        }

        @Override
        public void add(Value[] arguments) {
            Value item = arguments[0];
            // A limit of 0 is none.
            boolean full =
                    arguments.length == 2
                            && arguments[1] instanceof Value.Int(long limit)
                            && limit > 0
                            && items.size() >= limit;
            if (full || item.isNull()) {
                return;
            }
            if (!distinct || keys.add(HashKey.ofGroup(type, item))) {
                items.add(item);
            }
        }

        @Override
        public Value result() {
            return Value.items(items);
        }

        @Override
        public int keptCount() {
            return items.size();
        }
    }

    /// A NULL among the values makes NULL of all that do not decide.
    private static final class Bools implements Accumulator {
        private final Caster caster;
        private final Value deciding;
        private final BoolStep step;
        private boolean any;
        private Value result = Value.Null.NULL;

        Bools(Caster caster, Value deciding, BoolStep step) {
            this.caster = caster;
            this.deciding = deciding;
            this.step = step;
        }

        @Override
        public void add(Value[] arguments) {
            Value next = caster.apply(arguments[0]);
            if (!any) {
                result = next;
            } else if (result.equals(deciding) || next.equals(deciding)) {
                result = deciding;
            } else if (result instanceof Value.Bool(boolean l)
                    && next instanceof Value.Bool(boolean r)) {
                result = Value.bool(step.apply(l, r));
            } else {
                result = Value.Null.NULL;
            }
            any = true;
        }

        @Override
        public Value result() {
            return result;
        }
    }
}
