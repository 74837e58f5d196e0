/// Work on batches of columns: expressions over many rows at once, filters, groups and the partial
/// states of aggregates.
///
/// `Kernels` compiles a typed expression to a `Kernel` over vectors; an expression without a kernel
/// of its own is evaluated row by row (`RowKernel`). `Selection` is a filter. `GroupTable` numbers
/// the groups of a batch, and `PartialGroups` holds the aggregates of one part of a scan, which are
/// merged with those of other parts.
///
/// What always holds: a kernel returns the values that `Evaluator` returns for the same rows.
/// Kernels have no state; the state of one thread is in its `KernelRun`.
///
/// Begin with [io.cleave.exec.kernel.Kernels], then [io.cleave.exec.kernel.PartialGroups].
@NullMarked
package io.cleave.exec.kernel;

import org.jspecify.annotations.NullMarked;
