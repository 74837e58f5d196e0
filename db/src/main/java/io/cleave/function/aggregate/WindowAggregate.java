package io.cleave.function.aggregate;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFunction;
import io.cleave.value.Value;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// An aggregate over the frame of each row. While the start of the frame stays the same, rows are
/// added to one accumulator. When it moves, the frame is aggregated again from its start.
public final class WindowAggregate implements WindowFunction {
    private final AggregateFunction function;

    public WindowAggregate(AggregateFunction function) {
        this.function = function;
    }

    @Override
    public Optional<Supplier<Running>> running(WindowFrame frame) {
        boolean growsByRows =
                !frame.range()
                        && frame.from().edge() == WindowFrame.Edge.UNBOUNDED_PRECEDING
                        && frame.to().edge() == WindowFrame.Edge.CURRENT_ROW;
        return growsByRows ? Optional.of(this::begin) : Optional.empty();
    }

    private Running begin() {
        Accumulator accumulator = function.begin();
        return new Running() {
            @Override
            public Value next(Value[] arguments, boolean peer) {
                accumulator.add(arguments);
                return accumulator.result();
            }

            @Override
            public long keptBytes() {
                return accumulator.keptBytes();
            }
        };
    }

    @Override
    public IntFunction<Value> over(Partition rows) {
        return new Framed(rows);
    }

    private final class Framed implements IntFunction<Value> {
        private final Partition rows;
        private Accumulator accumulator = function.begin();
        private Value result = accumulator.result();

        /// The range of rows that the accumulator contains.
        private int from;

        private int to;

        Framed(Partition rows) {
            this.rows = rows;
        }

        @Override
        public Value apply(int row) {
            int frameFrom = rows.frameFrom(row);
            int frameTo = rows.frameTo(row);
            if (frameFrom != from) {
                accumulator = function.begin();
                rows.forget();
                from = frameFrom;
                to = frameFrom;
                result = accumulator.result();
            }
            if (to < frameTo) {
                while (to < frameTo) {
                    add(rows.arguments(to++));
                }
                result = accumulator.result();
            }
            return result;
        }

        private void add(Value[] arguments) {
            long before = accumulator.keptBytes();
            accumulator.add(arguments);
            long more = accumulator.keptBytes() - before;
            if (more != 0) {
                rows.keep(more);
            }
        }
    }
}
