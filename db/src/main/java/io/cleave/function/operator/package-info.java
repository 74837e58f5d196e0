/// Operators: comparison, IN, BETWEEN, AND, OR, NOT, LIKE and REGEXP, arithmetic and bit
/// operations.
///
/// Both sides of a typed comparison have matching shapes: they are aligned here. NULL on either
/// side gives NULL. The dialect decides what NULL means in IN. Comparisons, AND, OR and IN are
/// separate nodes of the typed tree, because key ranges are derived from them; the other operators
/// are functions.
///
/// This package also defines, for the whole library and for statements, which types can be
/// compared, ordered and grouped by.
///
/// Begin with [io.cleave.function.operator.Predicates]; then
/// [io.cleave.function.operator.Arithmetic] and [io.cleave.function.operator.Matching].
@NullMarked
package io.cleave.function.operator;

import org.jspecify.annotations.NullMarked;
