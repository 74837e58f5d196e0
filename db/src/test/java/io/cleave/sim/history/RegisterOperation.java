package io.cleave.sim.history;

import org.jspecify.annotations.Nullable;

/// One operation on a register, whose value is a text or nothing.
///
/// @param began before the request was sent, counted over the whole history
/// @param ended after the reply had come; means nothing when the outcome is unknown
public record RegisterOperation(
        String name, long began, long ended, Outcome outcome, Action action) {
    public sealed interface Action {
        record Read(@Nullable String found) implements Action {}

        record Write(@Nullable String value) implements Action {}

        /// Writes if it finds what it expects.
        record Swap(@Nullable String expected, @Nullable String value) implements Action {}
    }

    @Override
    public String toString() {
        return name
                + switch (action) {
                    case Action.Read(String found) -> " reads " + found;
                    case Action.Write(String value) -> " writes " + value;
                    case Action.Swap(String expected, String value) ->
                            " swaps " + expected + " for " + value;
                };
    }
}
