package io.cleave.analysis;

import io.cleave.value.Value;

/// A function over the rows of a window, resolved for the types of its arguments. Without state,
/// for any thread.
public interface WindowFunction {
    /// A value for each row of the partition.
    Value[] apply(Partition partition);

    /// The rows that PARTITION BY puts together, in the order of ORDER BY. Ranges of rows are
    /// half-open.
    interface Partition {
        int size();

        /// What the call is given of a row.
        Value[] arguments(int row);

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
