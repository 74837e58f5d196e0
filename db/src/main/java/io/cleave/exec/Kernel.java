package io.cleave.exec;

import io.cleave.value.Vector;

/// An expression that is worked out for many rows of a batch at once. Without state: what it needs
/// is in the [BatchRun].
///
/// Whatever a kernel gives for a row is what [Evaluator]'s code for the same expression gives. None
/// but a [RowKernel] can fail.
sealed interface Kernel
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
    /// The values at `rows[0 .. count)` of the batch; at other places there may be anything.
    Vector eval(BatchRun run, int[] rows, int count);
}
