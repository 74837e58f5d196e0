package io.cleave.plan.range;

/// What inference did about one key column.
///
/// @param column the position of the column in the key
/// @param candidates the estimated number of values for which ranges were or would have been made;
///   unsigned, and the greatest number stands for all that are greater
/// @param otherwise the estimate for the way that was not chosen; 0 if there is none
public record InferenceNote(int column, Way way, long candidates, long otherwise) {
    public enum Way {
        /// The column has one value, and the next column is used, too.
        VALUE,
        /// The column is computed from columns that have one value each.
        COMPUTED,
        /// The values of the column's sources were enumerated, at the steps at which the column can
        /// change.
        QUOTIENTS,
        /// The possible remainders of the column were enumerated.
        REMAINDERS,
        /// The values of the column could not be enumerated, but the predicate gives it a value.
        GIVEN,
        /// The column has a range of values. It is the last column that is used.
        RANGE,
        /// The predicate says nothing about the column. The columns after it are not used.
        ANY,
        /// The column would have too many values.
        TOO_MANY,
        /// A source of the column has a range of values that cannot be enumerated.
        UNKNOWN
    }
}
