package io.cleave.exec.eval;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// A compiled node: like [Evaluation], with the arguments of the enclosing lambdas.
@FunctionalInterface
interface Code {
    Value eval(Value[] row, RunContext run, @Nullable Frame frame);

    /// The arguments of one call of a lambda, and the frame of the enclosing lambda.
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

    /// A value that depends on nothing and is computed once in each run. Computing it at compile
    /// time would take too long, or the value would be too large to keep.
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
