package io.cleave.analysis;

import io.cleave.value.Type;

import java.util.List;

/// An aggregate of a group and what it is given of each row. `name` is as it was written.
public record AggregateCall(
        String name, AggregateFunction function, Type type, List<Typed> arguments) {
    public AggregateCall {
        arguments = List.copyOf(arguments);
    }
}
