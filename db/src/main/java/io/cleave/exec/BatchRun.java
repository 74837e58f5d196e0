package io.cleave.exec;

import io.cleave.txn.ColumnBatch;
import io.cleave.value.Type;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// What one thread works with while it goes over batches: the batch, and a place for the results of
/// each kernel. Threads: one.
final class BatchRun {
    private final RunContext context;
    private final @Nullable Vector[] results;

    /// By kernel: the batch that its result is of.
    private final long[] resultOf;

    private long batchNumber;
    private ColumnBatch batch = ColumnBatch.of();
    private int[] rows = {};

    /// `kernelCount` is how many kernels have a number.
    BatchRun(RunContext context, int kernelCount) {
        this.context = context;
        results = new Vector[kernelCount];
        resultOf = new long[kernelCount];
    }

    RunContext context() {
        return context;
    }

    ColumnBatch batch() {
        return batch;
    }

    /// Goes on to a batch; returns the numbers of its rows, for the caller to leave some out.
    int[] begin(ColumnBatch newBatch) {
        batch = newBatch;
        batchNumber++;
        if (rows.length < newBatch.rows()) {
            rows = new int[newBatch.rows()];
        }
        for (int row = 0; row < newBatch.rows(); row++) {
            rows[row] = row;
        }
        return rows;
    }

    /// What the kernel of this number gave last, or an empty vector.
    Vector result(int kernel, Type type) {
        Vector known = results[kernel];
        if (known == null) {
            known = Vector.of(type);
            results[kernel] = known;
        }
        return known;
    }

    /// Whether the kernel has a result for this batch. Rows are only ever left out, so it is there
    /// for all that are left.
    boolean isDone(int kernel) {
        return resultOf[kernel] == batchNumber;
    }

    /// An empty vector for what the kernel gives for this batch.
    <V extends Vector> V fresh(int kernel, Type type, Class<V> kind) {
        resultOf[kernel] = batchNumber;
        V vector = kind.cast(result(kernel, type));
        vector.reset(batch.rows());
        return vector;
    }
}
