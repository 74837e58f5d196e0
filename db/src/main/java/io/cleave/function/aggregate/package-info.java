/// Aggregates and window functions: from COUNT and SUM to histograms and percentiles, AGGREGATE_BY
/// with its factories, and ROW_NUMBER, LAG and similar functions.
///
/// An aggregate is resolved for the types of its arguments and has no state. Each group has an
/// accumulator, which is used by one thread. Functions skip NULLs unless they document otherwise.
/// An accumulator that keeps values reports their size, so that `exec` can account for the memory.
///
/// This package does not decide which rows form a group or a frame: `exec` supplies them in order.
///
/// Begin with [io.cleave.function.aggregate.Aggregates], the registry; then
/// [io.cleave.function.aggregate.SumAggregates] for one family and
/// [io.cleave.function.aggregate.WindowFunctions] for windows.
@NullMarked
package io.cleave.function.aggregate;

import org.jspecify.annotations.NullMarked;
