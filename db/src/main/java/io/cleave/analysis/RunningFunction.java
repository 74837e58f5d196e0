package io.cleave.analysis;

import io.cleave.analysis.WindowFunction.Partition;
import io.cleave.value.Value;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// A window function that needs nothing of the rows behind the current one.
record RunningFunction(Supplier<WindowFunction.Running> maker) implements WindowFunction {
    @Override
    public IntFunction<Value> over(Partition rows) {
        Running running = maker.get();
        return row -> running.next(rows.arguments(row), rows.peersFrom(row) != row);
    }

    @Override
    public Optional<Supplier<Running>> running(WindowFrame frame) {
        return Optional.of(maker);
    }
}
