package io.cleave.exec.kernel;

import io.cleave.value.Vector;

/// A column of the batch.
record ColumnKernel(int index) implements Kernel {
    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        return run.batch().column(index);
    }
}
