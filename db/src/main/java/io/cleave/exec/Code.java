package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// A compiled node: as [Evaluation], and the arguments of the lambdas it stands in.
@FunctionalInterface
interface Code {
    Value eval(Value[] row, RunContext run, @Nullable Frame frame);

    /// The arguments of one call of a lambda, and the frame of the lambda around it.
    final class Frame {
        private final int level;
        private final Value[] arguments;
        private final @Nullable Frame outer;

        Frame(int level, Value[] arguments, @Nullable Frame outer) {
            this.level = level;
            this.arguments = arguments;
            this.outer = outer;
        }

        static Value argument(@Nullable Frame innermost, int level, int index) {
            for (Frame frame = innermost; frame != null; frame = frame.outer) {
                if (frame.level == level) {
                    return frame.arguments[index];
                }
            }
            throw new IllegalStateException("no lambda at level " + level);
        }
    }

    /// A value that depends on nothing, and is worked out in each run: it would take too long, or
    /// be too large to be kept, when the expression is compiled.
    record Once(Code code) implements Code {
        private static final Value[] NO_ROW = {};

        @Override
        public Value eval(Value[] row, RunContext run, @Nullable Frame frame) {
            return run.once(this, () -> code.eval(NO_ROW, run, null));
        }
    }

    /// A value known when the expression was compiled.
    record Fixed(Value value) implements Code {
        @Override
        public Value eval(Value[] row, RunContext run, @Nullable Frame frame) {
            return value;
        }
    }
}
