package io.cleave.typed;

import io.cleave.value.Type;

import java.util.List;

/// A call of a window function. `arguments` are evaluated for each row. `name` is the function's
/// name as written in the query.
public record WindowCall(
        String name, WindowFunction function, Type type, List<Typed> arguments, WindowFrame frame) {
    public WindowCall {
        arguments = List.copyOf(arguments);
    }

    public WindowCall withArguments(List<Typed> others) {
        return new WindowCall(name, function, type, others, frame);
    }
}
