package io.cleave.function.yt;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.Typed;

import java.util.List;

/// An aggregate function: its types, and a maker that returns the function for the types of a call.
record YtAggregate(String name, Signature signature, Maker maker) {
    @FunctionalInterface
    interface Maker {
        AggregateFunction make(List<Typed> arguments, YtType result);
    }
}
