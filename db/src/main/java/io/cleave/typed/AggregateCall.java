package io.cleave.typed;

import io.cleave.value.Type;

import java.util.List;

/// A call of an aggregate function. `arguments` are evaluated for each row of the group. `name` is
/// the function's name as written in the query.
public record AggregateCall(
        String name, AggregateFunction function, Type type, List<Typed> arguments) {
    public AggregateCall {
        arguments = List.copyOf(arguments);
    }

    /// This call with other arguments.
    public AggregateCall with(List<Typed> others) {
        return new AggregateCall(name, function, type, others);
    }
}
