package io.cleave.exec;

import io.cleave.analysis.WindowFrame;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

import java.util.Optional;

/// Where the frame of a row begins and ends.
final class WindowFrames {
    private static final Value[] NO_ROW = {};

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

    private static int offset(Optional<Evaluation> offset, RunContext context) {
        if (offset.isEmpty()) {
            return 0;
        }
        if (offset.get().eval(NO_ROW, context) instanceof Value.Int(long rows) && rows >= 0) {
            return (int) Math.min(rows, Integer.MAX_VALUE / 2);
        }
        throw new StatusException(
                Status.BAD_REQUEST, "The bound of a window's frame must not be negative or NULL");
    }

    record Fixed(WindowFrame frame, int fromOffset, int toOffset) {
        /// The first row of the frame; `peersFrom` is the first row equal to the current one.
        int from(int row, int peersFrom, int size) {
            int current = frame.range() ? peersFrom : row;
            return clamped(frame.from().row(current, fromOffset, size), size);
        }

        /// Behind the last row of the frame; `peersTo` is behind the last row equal to the current.
        int to(int row, int peersTo, int size) {
            int current = frame.range() ? peersTo : row + 1;
            return clamped(frame.to().row(current, toOffset, size), size);
        }

        private static int clamped(int row, int size) {
            return Math.max(0, Math.min(row, size));
        }
    }
}
