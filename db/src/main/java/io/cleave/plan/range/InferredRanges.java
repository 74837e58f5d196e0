package io.cleave.plan.range;

import java.util.List;

/// The result of an inference.
///
/// @param ranges ascending; they neither overlap nor touch
/// @param notes what was done about each key column, for the first row of the predicate
/// @param rows the number of rows of the predicate: combinations of values and ranges
/// @param width the number of key columns whose values were kept apart; others were replaced by one
///   range from the least to the greatest value
/// @param limit the maximum number of candidates for one row
public record InferredRanges(
        List<TupleRange> ranges, List<InferenceNote> notes, long rows, int width, long limit) {
    public InferredRanges {
        ranges = List.copyOf(ranges);
        notes = List.copyOf(notes);
    }
}
