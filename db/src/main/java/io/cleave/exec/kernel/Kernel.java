package io.cleave.exec.kernel;

import io.cleave.exec.eval.Evaluator;
import io.cleave.value.Vector;

/// An expression that is evaluated for many rows of a batch at once. It has no state; the state of
/// a run is in the [KernelRun].
///
/// For each row, a kernel returns the value that the code of [Evaluator] returns for the same
/// expression. Only a [RowKernel] can fail.
public sealed interface Kernel
        permits ColumnKernel,
                FixedKernel,
                LongKernel,
                DoubleKernel,
                DecimalKernel,
                ConvertKernel,
                CompareKernel,
                LogicKernel,
                ChooseKernel,
                CoalesceKernel,
                InKernel,
                MatchKernel,
                RowKernel {
    /// The values at `rows[0 .. count)` of the batch. All other places of the vector are undefined.
    Vector eval(KernelRun run, int[] rows, int count);
}
