package io.cleave.analysis;

import io.cleave.value.Type;

import java.util.List;

/// A function over a window and what it is given of each row. `name` is as it was written.
public record WindowCall(
        String name, WindowFunction function, Type type, List<Typed> arguments, WindowFrame frame) {
    public WindowCall {
        arguments = List.copyOf(arguments);
    }

    public WindowCall withArguments(List<Typed> others) {
        return new WindowCall(name, function, type, others, frame);
    }
}
