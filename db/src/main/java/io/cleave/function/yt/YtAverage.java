package io.cleave.function.yt;

import io.cleave.function.yt.YtAggregates.NullableAggregate;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.AggregateFunction.Kind;
import io.cleave.typed.AggregateFunction.Steps;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.WideSum;

import java.util.List;
import java.util.Optional;

/// The aggregate `avg`. The sum of integers is exact, and is rounded once. A state is a tuple: the
/// number of values, the low and the high half of the sum of integers, and the sum of doubles.
final class YtAverage implements Accumulator {
    private static final Type STATE =
            new Type.Tuple(
                    List.of(Primitive.INT64, Primitive.INT64, Primitive.INT64, Primitive.DOUBLE));

    /// What the accumulator takes as arguments, or returns.
    private enum Form {
        VALUES,
        STATES
    }

    private final boolean unsigned;
    private final boolean real;
    private final Form from;
    private final Form to;
    private long count;
    private long low;
    private long high;
    private double sum;

    private YtAverage(YtType numbers, Form from, Form to) {
        this.unsigned = numbers == YtType.UINT64;
        this.real = numbers == YtType.DOUBLE;
        this.from = from;
        this.to = to;
    }

    static AggregateFunction of(YtType numbers) {
        var steps =
                new Steps(
                        NullableAggregate.step(
                                STATE, () -> new YtAverage(numbers, Form.VALUES, Form.STATES)),
                        NullableAggregate.step(
                                Primitive.DOUBLE,
                                () -> new YtAverage(numbers, Form.STATES, Form.VALUES)));
        return new NullableAggregate(
                Primitive.DOUBLE,
                numbers == YtType.DOUBLE ? Kind.AVERAGE : Kind.EXACT_AVERAGE,
                () -> new YtAverage(numbers, Form.VALUES, Form.VALUES),
                Optional.of(steps));
    }

    @Override
    public void add(Value[] arguments) {
        Value value = arguments[0];
        if (value.isNull()) {
            return;
        }
        if (from == Form.STATES) {
            addState(((Value.Items) value).items());
        } else if (value instanceof Value.Real(double number)) {
            count++;
            sum += number;
        } else {
            long number = YtArithmetic.integer(value);
            count++;
            high = WideSum.high(high, low, number, unsigned);
            low += number;
        }
    }

    private void addState(List<Value> state) {
        long addedLow = YtArithmetic.integer(state.get(1));
        count += YtArithmetic.integer(state.get(0));
        // The low half has no sign.
        high = WideSum.high(high, low, addedLow, true) + YtArithmetic.integer(state.get(2));
        low += addedLow;
        sum += YtArithmetic.real(state.get(3));
    }

    @Override
    public Value result() {
        if (to == Form.STATES) {
            return Value.items(
                    List.of(Value.of(count), Value.of(low), Value.of(high), Value.of(sum)));
        }
        double total = real ? sum : WideSum.toDouble(high, low);
        return count == 0 ? Value.Null.NULL : Value.of(total / count);
    }
}
