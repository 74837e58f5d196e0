package io.cleave.analysis;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Optional;

/// An aggregate resolved for the types of its arguments. Without state, for any thread.
public interface AggregateFunction {
    /// The type over a group that may be empty, as without GROUP BY: Optional for all but counts
    /// and lists.
    Type type();

    /// The type over a group that has rows: Optional only when an argument is.
    Type groupedType();

    Accumulator begin();

    /// Of a function with DISTINCT, the one without: it comes to the same over rows of which no two
    /// have equal first arguments.
    default Optional<AggregateFunction> overDistinct() {
        return Optional.empty();
    }

    /// Which of the functions it is that can be worked out part by part, and need no accumulator.
    default Kind kind() {
        return Kind.OTHER;
    }

    /// Each skips NULLs and sees every row.
    enum Kind {
        COUNT,
        SUM,
        AVERAGE,
        MIN,
        MAX,
        OTHER
    }

    /// What one group has come to. Used by one thread.
    interface Accumulator {
        /// One row's arguments; none for `COUNT(*)`.
        void add(Value[] arguments);

        Value result();

        /// How many of the values it was given it keeps; for those that keep more than a few.
        default int keptCount() {
            return 0;
        }
    }
}
