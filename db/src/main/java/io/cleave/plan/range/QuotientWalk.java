package io.cleave.plan.range;

import io.cleave.plan.range.ComputedKey.Rounding;
import io.cleave.plan.range.ComputedKey.Step;
import io.cleave.value.Ints;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// Walks through the values of an integer interval at which one of several quotients changes. The
/// walk begins with the first value of the interval, or with NULL if the interval has it. Between
/// two values of the walk, every quotient stays the same.
///
/// Threads: one.
final class QuotientWalk {
    private final boolean signed;
    private final boolean hasNull;
    private final boolean hasNumbers;
    private final long first;
    private final long last;
    private Step[] steps = {};

    private boolean atNull;
    private long current;

    private QuotientWalk(
            boolean signed, boolean hasNull, boolean hasNumbers, long first, long last) {
        this.signed = signed;
        this.hasNull = hasNull;
        this.hasNumbers = hasNumbers;
        this.first = first;
        this.last = last;
    }

    /// The values of the interval. Null if there is none, as between 1 and 2.
    static @Nullable QuotientWalk of(Primitive type, ColumnInterval interval) {
        boolean signed = Ints.isSigned(type);
        Bound lower = interval.lower();
        Bound upper = interval.upper();
        boolean hasNull = interval.contains(type, Value.Null.NULL);
        long first = Ints.min(type);
        boolean hasNumbers = true;
        if (lower.value() instanceof Value.Int(long number)) {
            first = lower.after() ? number + 1 : number;
            hasNumbers = !lower.after() || number != Ints.max(type);
        }
        long last = Ints.max(type);
        if (upper.value() instanceof Value.Int(long number)) {
            last = upper.after() ? number : number - 1;
            hasNumbers &= upper.after() || number != Ints.min(type);
        } else if (!upper.isEnd()) {
            hasNumbers = false;
        }
        hasNumbers &= lower.place() <= 0 && upper.place() >= 0;
        hasNumbers &= compare(signed, first, last) <= 0;
        return hasNull || hasNumbers
                ? new QuotientWalk(signed, hasNull, hasNumbers, first, last)
                : null;
    }

    private static int compare(boolean signed, long left, long right) {
        return signed ? Long.compare(left, right) : Long.compareUnsigned(left, right);
    }

    /// The estimated number of values for one divisor: the numbers of the interval divided by it,
    /// rounded up. Unsigned; the greatest number stands for all that are greater.
    long estimate(long divisor) {
        if (!hasNumbers) {
            return 1;
        }
        long others = last - first;
        // The interval has `others` + 1 numbers, which may not fit into 64 bits.
        return Long.divideUnsigned(others, divisor) + 1 == 0
                ? -1
                : Long.divideUnsigned(others, divisor) + 1;
    }

    /// Starts again, with these steps.
    Value restart(Set<Step> of) {
        steps = of.toArray(Step[]::new);
        return restart();
    }

    Value restart() {
        atNull = hasNull;
        current = first;
        return atNull ? Value.Null.NULL : Value.of(first);
    }

    /// The next value; null at the end.
    @Nullable Value next() {
        if (atNull) {
            atNull = false;
            return hasNumbers ? Value.of(current) : null;
        }
        boolean found = false;
        long nearest = last;
        for (Step step : steps) {
            long change = change(step);
            // A change that does not fit into 64 bits wraps around, so it is not greater.
            if (compare(signed, change, current) > 0 && compare(signed, change, nearest) <= 0) {
                nearest = change;
                found = true;
            }
        }
        if (!found) {
            return null;
        }
        current = nearest;
        return Value.of(current);
    }

    /// The least number after the current one that has another quotient.
    private long change(Step step) {
        long divisor = step.divisor();
        if (!signed) {
            return current - Long.remainderUnsigned(current, divisor) + divisor;
        }
        if (divisor < 0) {
            // 2^63: only the least number has a quotient of its own, or all negative ones have.
            return step.rounding() == Rounding.DOWN
                    ? current < 0 ? 0 : current
                    : current == Long.MIN_VALUE ? current + 1 : current;
        }
        if (step.rounding() == Rounding.DOWN) {
            return current - Math.floorMod(current, divisor) + divisor;
        }
        long quotient = current / divisor;
        return quotient < 0 ? quotient * divisor + 1 : (quotient + 1) * divisor;
    }
}
