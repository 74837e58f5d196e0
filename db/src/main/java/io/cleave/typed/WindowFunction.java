package io.cleave.typed;

import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// A window function, resolved for the types of its arguments. Stateless and thread-safe.
public interface WindowFunction {
    /// Evaluates the function over a complete partition. The result is called once for each row, in
    /// order from row 0, by one thread.
    IntFunction<Value> over(Partition partition);

    /// An evaluation row by row, available if with this frame the function needs no row after the
    /// current one.
    default Optional<Supplier<Running>> running(WindowFrame frame) {
        return Optional.empty();
    }

    /// The bodies of the lambdas that the function calls. Their inputs are the values passed to the
    /// lambda.
    default List<Typed> lambdas() {
        return List.of();
    }

    /// The function for one run of the query, with its lambdas bound to `callbacks`.
    default WindowFunction bound(List<LambdaFunction.Callback> callbacks) {
        return this;
    }

    /// The state of the function for one partition. Used by one thread.
    interface Running {
        /// The value for the next row. `peer` means that the row is equal to the previous one in
        /// ORDER BY.
        Value next(Value[] arguments, boolean peer);

        /// The approximate size in bytes of the values kept. Only implemented by functions that
        /// keep more than a few numbers.
        default long keptBytes() {
            return 0;
        }
    }

    /// The rows of one PARTITION BY group, in ORDER BY order. Row ranges are half-open. Peers and
    /// frames must be requested in row order.
    interface Partition {
        int size();

        /// The arguments of the call for a row.
        Value[] arguments(int row);

        /// The call must report here by how many bytes its kept values grow, or shrink if negative.
        void keep(long bytes);

        /// The call must report here that it no longer keeps any values.
        void forget();

        /// The first peer of the row: the first row equal to it in ORDER BY.
        int peersFrom(int row);

        int peersTo(int row);

        /// The first row of this row's frame. Neither end of the frame moves backwards from one row
        /// to the next.
        int frameFrom(int row);

        /// At least [#frameFrom].
        int frameTo(int row);
    }
}
