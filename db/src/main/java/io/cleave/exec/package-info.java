/// Runs compiled programs in a transaction. This is the only package in which a plan meets a
/// transaction.
///
/// Each node of a plan is compiled once to an `Operator`. A run opens the operators and pulls their
/// rows one at a time. Scans and the filters, groups and limits above them can also read column
/// batches, with a `Kernel` for each expression.
///
/// What always holds: a run neither commits nor rolls back its transaction. The rows that sorts,
/// groups, joins and windows keep are counted in the run's `QueryMemory`. Rows that do not fit go
/// to spill files, which are removed at the end of the run.
///
/// Begin with [io.cleave.exec.ProgramRunner], then `Operators`, which has a case for each node of a
/// plan. Below: `exec.eval` evaluates expressions row by row, `exec.kernel` over batches of
/// columns, and `exec.spill` has the memory and the files of a run.
@NullMarked
package io.cleave.exec;

import org.jspecify.annotations.NullMarked;
