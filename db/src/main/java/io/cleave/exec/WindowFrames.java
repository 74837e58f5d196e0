package io.cleave.exec;

import io.cleave.analysis.WindowFrame;
import io.cleave.analysis.WindowFrame.Bound;
import io.cleave.analysis.WindowFrame.RangeKey;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.IntFunction;

/// Where the frame of a row begins and ends.
final class WindowFrames {
    private static final Value[] NO_ROW = {};
    private static final Value NO_OFFSET = Value.of(0);

    private final WindowFrame frame;
    private final Optional<Evaluation> from;
    private final Optional<Evaluation> to;

    WindowFrames(WindowFrame frame) {
        this.frame = frame;
        from = frame.from().offset().map(Evaluator::compile);
        to = frame.to().offset().map(Evaluator::compile);
    }

    /// The frame of one run, in which its offsets are known.
    Fixed fixed(RunContext context) {
        return new Fixed(frame, offset(from, context), offset(to, context));
    }

    private static Value offset(Optional<Evaluation> offset, RunContext context) {
        if (offset.isEmpty()) {
            return NO_OFFSET;
        }
        Value value = offset.get().eval(NO_ROW, context);
        boolean usable =
                (value instanceof Value.Int(long number) && number >= 0)
                        || (value instanceof Value.Real(double real) && real >= 0);
        if (!usable) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "The bound of a window's frame must not be negative or NULL");
        }
        return value;
    }

    record Fixed(WindowFrame frame, Value fromOffset, Value toOffset) {
        /// Of a partition of so many rows; `keys` are what a RANGE with offsets counts by.
        OfPartition over(int size, IntFunction<Value> keys) {
            return new OfPartition(this, size, keys);
        }
    }

    /// The frames of a partition's rows, asked for in their order.
    static final class OfPartition {
        private final Fixed fixed;
        private final WindowFrame frame;
        private final int size;
        private final @Nullable RangeEdge fromEdge;
        private final @Nullable RangeEdge toEdge;

        private OfPartition(Fixed fixed, int size, IntFunction<Value> keys) {
            this.fixed = fixed;
            this.frame = fixed.frame();
            this.size = size;
            fromEdge = edge(frame.from(), fixed.fromOffset(), keys, false);
            toEdge = edge(frame.to(), fixed.toOffset(), keys, true);
        }

        private @Nullable RangeEdge edge(
                Bound bound, Value offset, IntFunction<Value> keys, boolean upper) {
            Optional<RangeKey> key = frame.key();
            if (key.isEmpty() || bound.offset().isEmpty()) {
                return null;
            }
            return new RangeEdge(key.get(), keys, size, offset, bound.precedes(), upper);
        }

        /// The first row of the frame; `peersFrom` is the first row equal to the current one.
        int from(int row, int peersFrom) {
            if (fromEdge != null) {
                return fromEdge.of(row, peersFrom);
            }
            int current = frame.range() ? peersFrom : row;
            return clamped(frame.from().row(current, rows(fixed.fromOffset()), size));
        }

        /// Behind the last row of the frame; `peersTo` is behind the last row equal to the current.
        int to(int row, int peersTo) {
            if (toEdge != null) {
                return toEdge.of(row, peersTo);
            }
            int current = frame.range() ? peersTo : row + 1;
            return clamped(frame.to().row(current, rows(fixed.toOffset()), size));
        }

        private static int rows(Value offset) {
            return offset instanceof Value.Int(long rows)
                    ? (int) Math.min(rows, Integer.MAX_VALUE / 2)
                    : 0;
        }

        private int clamped(int row) {
            return Math.max(0, Math.min(row, size));
        }
    }
}
