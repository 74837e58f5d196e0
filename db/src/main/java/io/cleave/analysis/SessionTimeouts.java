package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.aggregate.RunningFunction;
import io.cleave.function.call.Numbers;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFunction;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// `SessionWindow(time, timeout)`: a row starts a new session if its time is more than the timeout
/// after the previous row's time. The key of a session is its first time.
final class SessionTimeouts {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    private SessionTimeouts() {}

    static WindowCall call(Position at, Typed time, Typed timeout) {
        long unitMicros = unit(at, time.type(), timeout.type());
        boolean fractional = isFractional(time.type()) || isFractional(timeout.type());
        boolean unsigned = time.type().unwrapped() == Primitive.UINT64;
        return new WindowCall(
                "SessionWindow",
                new RunningFunction(() -> new Session(unitMicros, fractional, unsigned)),
                SessionWindows.type(time.type(), time.type()),
                List.of(time, timeout),
                WindowFrame.WHOLE);
    }

    private static boolean isFractional(Type type) {
        return type.unwrapped() == Primitive.DOUBLE || type.unwrapped() == Primitive.FLOAT;
    }

    /// The number of timeout units in one unit of the time. Numbers have a number as the timeout;
    /// dates and timestamps have an Interval.
    private static long unit(Position at, Type time, Type timeout) {
        boolean interval =
                timeout.unwrapped() == Primitive.INTERVAL
                        || timeout.unwrapped() == Primitive.INTERVAL64;
        if (CommonType.isNumber(time.unwrapped()) && CommonType.isNumber(timeout.unwrapped())) {
            return 1;
        }
        if (interval && time.unwrapped() instanceof Primitive moment) {
            switch (moment) {
                case DATE, DATE32 -> {
                    return DAY_MICROS;
                }
                case DATETIME, DATETIME64 -> {
                    return SECOND_MICROS;
                }
                case TIMESTAMP, TIMESTAMP64 -> {
                    return 1;
                }
                default -> {}
            }
        }
        throw Errors.type(
                at,
                "SessionWindow expects numbers, or a date and an Interval, but got: %s and %s"
                        .formatted(time.text(), timeout.text()));
    }

    private static final class Session implements WindowFunction.Running {
        private final long unitMicros;
        private final boolean fractional;
        private final boolean unsigned;

        /// Null before the first row.
        private @Nullable Value last;

        private Value start = Value.Null.NULL;
        private long number;

        Session(long unitMicros, boolean fractional, boolean unsigned) {
            this.unitMicros = unitMicros;
            this.fractional = fractional;
            this.unsigned = unsigned;
        }

        @Override
        public Value next(Value[] arguments, boolean peer) {
            if (last == null || begins(last, arguments[0], arguments[1])) {
                number++;
                start = arguments[0];
            }
            last = arguments[0];
            return SessionWindows.value(number, start, arguments[0]);
        }

        /// Rows whose time is NULL come first and form one session. Rows with equal times are
        /// always in the same session, whatever the timeout.
        private boolean begins(Value before, Value time, Value timeout) {
            if (before.equals(time)) {
                return false;
            }
            if (before.isNull() || time.isNull() || timeout.isNull()) {
                return true;
            }
            if (fractional) {
                return Numbers.real(time, unsigned) - Numbers.real(before, unsigned)
                        > Numbers.real(timeout, false);
            }
            // Times ascend, so the difference is not negative, but it may need all 64 bits.
            long difference = ((Value.Int) time).value() - ((Value.Int) before).value();
            long most = ((Value.Int) timeout).value();
            return most < 0 || Long.compareUnsigned(difference, most / unitMicros) > 0;
        }
    }
}
