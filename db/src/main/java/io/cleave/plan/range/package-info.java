/// Infers the key ranges that a query has to read. The input is a set of keys, given as conditions
/// on single key columns ([KeyConstraint]), and the computed columns of the key. The output is a
/// sorted list of ranges ([TupleRange]) with an account of how they were found.
///
/// A value of a computed column follows from the columns that it is computed from. If these have
/// specific values, it is computed for each of them. If they have ranges of integers, inference
/// enumerates the values that the computed column can have, as long as there are not too many.
///
/// Pure. The ranges contain every key of the set, and perhaps more.
///
/// Begin with [RangeInference].
@NullMarked
package io.cleave.plan.range;

import org.jspecify.annotations.NullMarked;
