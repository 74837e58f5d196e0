package io.cleave.analysis;

import io.cleave.analysis.AggregateFunction.Accumulator;
import io.cleave.value.Value;
import io.cleave.yql.Expression.FrameEdge;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// An aggregate over the frame of each row. A frame that only grows is carried on from row to row;
/// one that also leaves rows behind is gone through anew.
final class WindowAggregate implements WindowFunction {
    private final AggregateFunction function;

    WindowAggregate(AggregateFunction function) {
        this.function = function;
    }

    @Override
    public Optional<Supplier<Running>> running(WindowFrame frame) {
        boolean growsByRows =
                !frame.range()
                        && frame.from().edge() == FrameEdge.UNBOUNDED_PRECEDING
                        && frame.to().edge() == FrameEdge.CURRENT_ROW;
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
            public int keptCount() {
                return accumulator.keptCount();
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

        /// What has been added.
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
            int before = accumulator.keptCount();
            accumulator.add(arguments);
            if (accumulator.keptCount() > before) {
                rows.keep(arguments);
            }
        }
    }
}
