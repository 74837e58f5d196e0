package io.cleave.plan.range;

import java.util.List;
import java.util.OptionalInt;

/// The result of an inference.
///
/// @param ranges ascending; they neither overlap nor touch
/// @param notes what was done about each key column, for the first row of the predicate
/// @param rows the number of rows of the predicate: combinations of values and ranges
/// @param joined the first key column whose values were replaced by one range from the least to the
///   greatest value, because there would have been too many rows; later columns are not used
/// @param limit the maximum number of candidates for one row
public record InferredRanges(
        List<TupleRange> ranges,
        List<InferenceNote> notes,
        long rows,
        OptionalInt joined,
        long limit) {
    public InferredRanges {
        ranges = List.copyOf(ranges);
        notes = List.copyOf(notes);
    }
}
