package io.cleave.function.aggregate;

import io.cleave.base.StatusException;
import io.cleave.function.call.Numbers;
import io.cleave.function.operator.CheckedArithmetic;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.DecimalMath;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Map;

/// SUM and AVG. Integers are summed in 64 bits and wrap around. Decimals are summed in the widest
/// Decimal of their scale.
final class SumAggregates {
    private SumAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("sum", call -> sum(call).as(AggregateFunction.Kind.SUM));
        resolvers.put("checked_sum", SumAggregates::checkedSum);
        resolvers.put("avg", call -> average(call).as(AggregateFunction.Kind.AVERAGE));
    }

    private static Type.Decimal widest(Type.Decimal type) {
        return new Type.Decimal(Type.Decimal.MAX_PRECISION, type.scale());
    }

    private static Aggregates.Resolved sum(Aggregates.Call call) {
        call.expect(1, 1);
        return switch (call.bare()) {
            case Type.Decimal decimal -> {
                Type.Decimal wide = widest(decimal);
                yield Aggregates.nullable(
                        call.types(), wide, () -> new DecimalSum(wide, decimal, false));
            }
            case Primitive.INTERVAL, Primitive.INTERVAL64 ->
                    Aggregates.total(
                            call.bare().optional(), () -> new IntervalSum((Primitive) call.bare()));
            case Primitive.FLOAT ->
                    Aggregates.nullable(call.types(), Primitive.FLOAT, () -> new RealSum(true));
            case Primitive.DOUBLE ->
                    Aggregates.nullable(call.types(), Primitive.DOUBLE, () -> new RealSum(false));
            case Primitive p when Ints.isInteger(p) ->
                    Aggregates.nullable(
                            call.types(),
                            Ints.isSigned(p) ? Primitive.INT64 : Primitive.UINT64,
                            IntSum::new);
            case Type.Unit.NULL -> Aggregates.total(Type.Unit.NULL, IntSum::new);
            default -> throw refused(call);
        };
    }

    /// SUM with `PRAGMA CheckedOps`: integers are summed in their own type, and the result is NULL
    /// after an overflow.
    private static Aggregates.Resolved checkedSum(Aggregates.Call call) {
        call.expect(1, 1);
        if (!(call.bare() instanceof Primitive type) || !Ints.isInteger(type)) {
            return sum(call);
        }
        return Aggregates.total(type.optional(), () -> new CheckedSum(type));
    }

    private static Aggregates.Resolved average(Aggregates.Call call) {
        call.expect(1, 1);
        return switch (call.bare()) {
            case Type.Decimal decimal ->
                    Aggregates.nullable(
                            call.types(),
                            decimal,
                            () -> new DecimalSum(widest(decimal), decimal, true));
            case Primitive.INTERVAL, Primitive.INTERVAL64 ->
                    Aggregates.nullable(call.types(), call.bare(), IntervalAverage::new);
            case Primitive.FLOAT, Primitive.DOUBLE ->
                    Aggregates.nullable(call.types(), Primitive.DOUBLE, () -> new Average(false));
            case Primitive p when Ints.isInteger(p) ->
                    Aggregates.nullable(
                            call.types(),
                            Primitive.DOUBLE,
                            () -> new Average(p == Primitive.UINT64));
            case Primitive.BOOL ->
                    Aggregates.nullable(call.types(), Primitive.DOUBLE, () -> new Average(false));
            case Type.Unit.NULL -> Aggregates.total(Type.Unit.NULL, IntSum::new);
            default -> throw refused(call);
        };
    }

    private static StatusException refused(Aggregates.Call call) {
        return call.error("Cannot take %s of %s".formatted(call.name(), call.type().text()));
    }

    private static final class IntSum implements Accumulator {
        private boolean any;
        private long sum;

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Int(long number)) {
                any = true;
                sum += number;
            }
        }

        @Override
        public Value result() {
            return any ? Value.of(sum) : Value.Null.NULL;
        }
    }

    /// The result is NULL if the sum is out of the range of the type.
    private static final class IntervalSum implements Accumulator {
        private final Primitive type;
        private boolean any;
        private BigInteger sum = BigInteger.ZERO;

        IntervalSum(Primitive type) {
            this.type = type;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Int(long number)) {
                any = true;
                sum = sum.add(BigInteger.valueOf(number));
            }
        }

        @Override
        public Value result() {
            return any && sum.bitLength() < Long.SIZE && Ints.fits(type, sum.longValue())
                    ? Value.of(sum.longValue())
                    : Value.Null.NULL;
        }
    }

    private static final class CheckedSum implements Accumulator {
        private final Primitive type;

        /// Null before the first number.
        private @Nullable Value sum;

        CheckedSum(Primitive type) {
            this.type = type;
        }

        @Override
        public void add(Value[] arguments) {
            Value number = arguments[0];
            if (number.isNull()) {
                return;
            }
            if (sum == null) {
                sum = number;
            } else if (!sum.isNull()) {
                sum = CheckedArithmetic.integer(BinaryOperator.ADD, type, sum, number);
            }
        }

        @Override
        public Value result() {
            return sum == null ? Value.Null.NULL : sum;
        }
    }

    private static final class RealSum implements Accumulator {
        private final boolean single;
        private boolean any;
        private double sum;

        RealSum(boolean single) {
            this.single = single;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Real(double number)) {
                any = true;
                sum += number;
            }
        }

        @Override
        public Value result() {
            if (!any) {
                return Value.Null.NULL;
            }
            return Value.of(single ? (float) sum : sum);
        }
    }

    private static final class Average implements Accumulator {
        private final boolean unsigned;
        private long count;
        private double sum;

        Average(boolean unsigned) {
            this.unsigned = unsigned;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            count++;
            sum += Numbers.real(arguments[0], unsigned);
        }

        @Override
        public Value result() {
            return count == 0 ? Value.Null.NULL : Value.of(sum / count);
        }
    }

    private static final class IntervalAverage implements Accumulator {
        private long count;
        private BigInteger sum = BigInteger.ZERO;

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Int(long number)) {
                count++;
                sum = sum.add(BigInteger.valueOf(number));
            }
        }

        @Override
        public Value result() {
            return count == 0
                    ? Value.Null.NULL
                    : Value.of(sum.divide(BigInteger.valueOf(count)).longValue());
        }
    }

    private static final class DecimalSum implements Accumulator {
        private final Type.Decimal wide;
        private final Type.Decimal type;
        private final boolean average;
        private long count;
        private Value.Int128 sum = DecimalMath.ZERO;

        DecimalSum(Type.Decimal wide, Type.Decimal type, boolean average) {
            this.wide = wide;
            this.type = type;
            this.average = average;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Int128 number) {
                count++;
                sum = DecimalMath.add(wide, sum, number);
            }
        }

        @Override
        public Value result() {
            if (count == 0) {
                return Value.Null.NULL;
            }
            return average
                    ? DecimalMath.rescale(
                            wide, type, DecimalMath.divide(wide, sum, BigInteger.valueOf(count)))
                    : sum;
        }
    }
}
