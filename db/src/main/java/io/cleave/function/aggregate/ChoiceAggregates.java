package io.cleave.function.aggregate;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.Cast;
import io.cleave.value.Caster;
import io.cleave.value.HashKey;
import io.cleave.value.HeapSize;
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

/// Aggregates that return values of the group unchanged: MIN, MAX, SOME, MIN_BY, MAX_BY,
/// AGGREGATE_LIST. Also the bitwise and boolean aggregates.
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

    /// `MIN_BY(value, key)` returns the value with the least key and ignores rows whose key is
    /// NULL. `MIN_BY(value, key, count)` returns the values of all rows with the least key, at most
    /// `count`.
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

    /// If a single value equals `deciding`, that is the result. Otherwise a NULL makes the result
    /// NULL. Values of other types are cast to Bool.
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

    /// Folds the values that are not NULL; the result is NULL if there are none.
    private static final class Fold implements Accumulator {
        private final BinaryOperator<Value> step;
        private Value result = Value.Null.NULL;
        private long keptBytes;

        Fold(BinaryOperator<Value> step) {
            this.step = step;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // an equal one takes as much
        public void add(Value[] arguments) {
            if (!arguments[0].isNull()) {
                Value before = result;
                result = result.isNull() ? arguments[0] : step.apply(result, arguments[0]);
                if (result != before) {
                    keptBytes = KeptValues.bytesOfOne(result);
                }
            }
        }

        @Override
        public long keptBytes() {
            return keptBytes;
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
        private long keptBytes;

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
                keptBytes = KeptValues.bytesOfOne(key) + KeptValues.bytesOfOne(result);
            }
        }

        @Override
        public long keptBytes() {
            return keptBytes;
        }

        @Override
        public Value result() {
            return result;
        }
    }

    /// The values of the rows with the best key so far.
    private static final class AllBy implements Accumulator {
        private final Type type;
        private final int sign;
        private final List<Value> values = new ArrayList<>();
        private Value key = Value.Null.NULL;
        private long keptBytes;

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
                keptBytes = HeapSize.of(key);
            }
            long count = arguments[2] instanceof Value.Int(long number) ? number : 0;
            if (order >= 0 && Long.compareUnsigned(values.size(), count) < 0) {
                values.add(arguments[0]);
                keptBytes += KeptValues.ENTRY_BYTES + HeapSize.of(arguments[0]);
            }
        }

        @Override
        public Value result() {
            return key.isNull() ? Value.Null.NULL : Value.items(values);
        }

        @Override
        public long keptBytes() {
            return keptBytes;
        }
    }

    private static final class Collect implements Accumulator {
        private final Type type;
        private final boolean distinct;
        private final List<Value> items = new ArrayList<>();
        private final LinkedHashSet<Value> keys = new LinkedHashSet<>();
        private long keptBytes;

        Collect(Type type, boolean distinct) {
            this.type = type;
            this.distinct = distinct;
        }

        @Override
        public void add(Value[] arguments) {
            Value item = arguments[0];
            // A limit of 0 means no limit.
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
                keptBytes += (distinct ? 2 : 1) * (KeptValues.ENTRY_BYTES + HeapSize.of(item));
            }
        }

        @Override
        public Value result() {
            return Value.items(items);
        }

        @Override
        public long keptBytes() {
            return keptBytes;
        }
    }

    /// A NULL makes the result NULL unless a value decides it.
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
