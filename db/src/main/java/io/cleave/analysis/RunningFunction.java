package io.cleave.analysis;

import io.cleave.analysis.WindowFunction.Partition;
import io.cleave.value.Value;

import java.util.Optional;
import java.util.function.Supplier;

/// A window function that needs nothing of the rows behind the current one.
record RunningFunction(Supplier<WindowFunction.Running> maker) implements WindowFunction {
    @Override
    public Value[] apply(Partition rows) {
        Running running = maker.get();
        var values = new Value[rows.size()];
        for (int row = 0; row < values.length; row++) {
            values[row] = running.next(rows.arguments(row), rows.peersFrom(row) != row);
        }
        return values;
    }

    @Override
    public Optional<Supplier<Running>> running(WindowFrame frame) {
        return Optional.of(maker);
    }
}
