package io.cleave.function.aggregate;

import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFunction;
import io.cleave.typed.WindowFunction.Partition;
import io.cleave.value.Value;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// A window function that needs no rows after the current one.
public record RunningFunction(Supplier<WindowFunction.Running> maker) implements WindowFunction {
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
