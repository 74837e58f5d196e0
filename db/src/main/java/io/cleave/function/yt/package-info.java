/// The operators, scalar functions and aggregate functions of YTsaurus' query language. They differ
/// from YQL's: NULL is the least value of a comparison, a division by zero fails, and an integer
/// literal takes the type that its neighbour needs.
///
/// Begin with [UntypedExpression], an expression whose type may still be open. [YtOperators] and
/// [YtFunctions] combine such expressions. When the type is known, [UntypedExpression#as] gives the
/// typed tree.
///
/// What always holds: a mistake in a query is a `YtException` when the query is typed. A failure
/// for the values of a row, such as a division by zero, is a `StatusException`, as in every other
/// function: YQL evaluates the same expressions for generated columns.
@NullMarked
package io.cleave.function.yt;

import org.jspecify.annotations.NullMarked;
