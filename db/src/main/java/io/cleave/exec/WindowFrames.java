package io.cleave.exec;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFrame.Bound;
import io.cleave.typed.WindowFrame.RangeKey;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.IntFunction;

/// Computes the frame of each row of a window: its first row, and the row after its last one.
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

    /// The frame with the values that its offsets have in this run.
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
        /// The frames of a partition of `size` rows. `keys` returns the key of a row, which a RANGE
        /// with offsets is measured by.
        OfPartition over(int size, IntFunction<Value> keys) {
            return new OfPartition(this, size, keys);
        }
    }

    /// The frames of the rows of a partition. They must be asked for in the order of the rows.
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

        /// The first row of the frame. `peersFrom` is the first row equal to the current one in the
        /// order.
        int from(int row, int peersFrom) {
            if (fromEdge != null) {
                return fromEdge.of(row, peersFrom);
            }
            int current = frame.range() ? peersFrom : row;
            return clamped(frame.from().row(current, rows(fixed.fromOffset()), size));
        }

        /// The row after the last row of the frame. `peersTo` is the row after the last one equal
        /// to the current one in the order.
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
