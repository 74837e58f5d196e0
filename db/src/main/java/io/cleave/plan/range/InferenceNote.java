package io.cleave.plan.range;

/// What inference did about one key column.
///
/// @param column the position of the column in the key
/// @param candidates the estimated number of values for which ranges were made, or would have been;
///   unsigned, and the greatest number stands for all that are greater
/// @param otherwise the estimate of the other way; 0 if there is none
public record InferenceNote(int column, Way way, long candidates, long otherwise) {
    public enum Way {
        /// The column has one value, and the next column counts too.
        VALUE,
        /// The column is computed from columns that have one value each.
        COMPUTED,
        /// The values of its sources were enumerated, at the steps at which the column can change.
        QUOTIENTS,
        /// The remainders that the column can have were enumerated.
        REMAINDERS,
        /// Its values could not be enumerated, but the predicate gives it a value.
        GIVEN,
        /// The column has a range of values: the last column that counts.
        RANGE,
        /// The predicate says nothing about the column; the columns after it do not count.
        ANY,
        /// The column would have too many values.
        TOO_MANY,
        /// A source of the column has a range of values that cannot be enumerated.
        UNKNOWN
    }
}
