package io.cleave.analysis;

import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// A function over the rows of a window, resolved for the types of its arguments. Without state,
/// for any thread.
public interface WindowFunction {
    /// The values of the rows of a partition, which is complete. It is asked for each of them in
    /// turn, from 0 on, and used by one thread.
    IntFunction<Value> over(Partition partition);

    /// The same row by row, if with this frame it needs nothing of the rows behind the current one.
    default Optional<Supplier<Running>> running(WindowFrame frame) {
        return Optional.empty();
    }

    /// The bodies of the lambdas that it calls; what it calls them with are their inputs.
    default List<Typed> lambdas() {
        return List.of();
    }

    /// The function for one run of the query, where its lambdas can be called.
    default WindowFunction bound(List<LambdaFunction.Callback> callbacks) {
        return this;
    }

    /// What the rows of one partition have come to. Used by one thread.
    interface Running {
        /// The value of the next row; `peer` says that ORDER BY finds it equal to the one before.
        Value next(Value[] arguments, boolean peer);

        /// How many of the values it was given it keeps; for those that keep more than a few.
        default int keptCount() {
            return 0;
        }
    }

    /// The rows that PARTITION BY puts together, in the order of ORDER BY. Ranges of rows are
    /// half-open. Peers and frames are asked for in the order of the rows.
    interface Partition {
        int size();

        /// What the call is given of a row.
        Value[] arguments(int row);

        /// To be told of what the call was given and keeps.
        void keep(Value[] arguments);

        /// To be told that the call keeps nothing any more.
        void forget();

        /// The first of the rows that ORDER BY finds equal to this one.
        int peersFrom(int row);

        int peersTo(int row);

        /// The first row of the frame that belongs to this one; neither end of the frame ever goes
        /// back from row to row.
        int frameFrom(int row);

        /// Never before [#frameFrom].
        int frameTo(int row);
    }
}
