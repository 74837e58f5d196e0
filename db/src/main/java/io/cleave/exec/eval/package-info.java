/// Evaluates typed expressions, one row at a time.
///
/// `Evaluator` compiles an expression once to an `Evaluation`, a closure without state. A run calls
/// it for each row with its `RunContext`, which has the parameters, the results of subqueries, the
/// time and the random numbers of the run.
///
/// What always holds: the value of an expression depends only on the row and the context. The time
/// is the same for all rows of a run. Constants are evaluated once. Long work in a function passes
/// the run's checkpoint, and long lists are counted in its memory.
///
/// Begin with [io.cleave.exec.eval.Evaluator].
@NullMarked
package io.cleave.exec.eval;

import org.jspecify.annotations.NullMarked;
