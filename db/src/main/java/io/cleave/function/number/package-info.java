/// Numbers: built-ins such as Abs and MIN_OF, the module `Math`, and vector distances (`Knn`).
///
/// Integers keep the type that the function was resolved for. A result that does not fit is NULL
/// where YDB defines it so. Reals follow IEEE 754, including NaN. A vector is a String whose last
/// byte gives the type of its items ([io.cleave.function.number.KnnVector]).
///
/// The operators `+ - * / %` are in `function.operator`.
///
/// Begin with [io.cleave.function.number.NumberFunctions] for the built-ins and with
/// [io.cleave.function.number.MathModule] for the module.
@NullMarked
package io.cleave.function.number;

import org.jspecify.annotations.NullMarked;
