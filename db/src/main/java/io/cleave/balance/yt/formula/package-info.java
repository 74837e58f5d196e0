/// Formulas of schedules: integer arithmetic over the variables `hours` and `minutes` of the local
/// time, such as `hours % 2 == 0 && minutes == 30`. A formula is true if its value is not 0.
///
/// A text is cut into tokens (`FormulaLexer`), the tokens are put into the order in which they are
/// computed (`FormulaParser`), and types and variables are checked (`FormulaCompiler`). Nothing
/// here is recursive, so a text of many brackets cannot exhaust the stack of a thread. The length
/// of a text is limited.
///
/// The grammar, the precedence of operators and the texts of errors are those of YTsaurus. Two
/// rules surprise: `in` and `,` bind more loosely than `||`, and `&&` and `||` always compute both
/// sides, so a division by zero on either side fails.
///
/// Begin with [io.cleave.balance.yt.formula.Formula].
@NullMarked
package io.cleave.balance.yt.formula;

import org.jspecify.annotations.NullMarked;
