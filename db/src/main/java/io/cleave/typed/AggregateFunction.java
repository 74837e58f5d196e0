package io.cleave.typed;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Optional;

/// An aggregate function, resolved for the types of its arguments. Stateless and thread-safe.
public interface AggregateFunction {
    /// The result type for a group that may be empty, as in a query without GROUP BY. It is
    /// Optional for all functions except counts and lists.
    Type type();

    /// The result type for a group with at least one row. It is Optional only if an argument is.
    Type groupedType();

    Accumulator begin();

    /// For a function with DISTINCT, the same function without DISTINCT. Both give the same result
    /// if no two rows have equal first arguments.
    default Optional<AggregateFunction> overDistinct() {
        return Optional.empty();
    }

    /// The function in two steps. Empty if it cannot be computed so.
    default Optional<Steps> steps() {
        return Optional.empty();
    }

    /// How a function is computed over several groups of rows together: the results of `partial`
    /// for each group are the arguments of `combining`, whose result is that of the function over
    /// all rows.
    record Steps(AggregateFunction partial, AggregateFunction combining) {}

    /// Identifies the functions that can be computed from partial results without an accumulator;
    /// `OTHER` is every other function.
    default Kind kind() {
        return Kind.OTHER;
    }

    /// The functions other than OTHER skip NULLs and read every row.
    enum Kind {
        COUNT,
        SUM,
        /// The sum of doubles, divided by their number. Integers are converted to doubles first.
        AVERAGE,
        /// The exact sum of 64-bit integers, divided by their number.
        EXACT_AVERAGE,
        MIN,
        MAX,
        OTHER
    }

    /// The state of the aggregate for one group. Used by one thread.
    interface Accumulator {
        /// Adds the arguments of one row; `COUNT(*)` has none.
        void add(Value[] arguments);

        Value result();

        /// The approximate size in bytes of the values kept. Only implemented by accumulators that
        /// keep more than a few numbers.
        default long keptBytes() {
            return 0;
        }
    }
}
