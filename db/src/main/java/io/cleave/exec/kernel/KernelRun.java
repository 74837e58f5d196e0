package io.cleave.exec.kernel;

import io.cleave.exec.eval.RunContext;
import io.cleave.txn.ColumnBatch;
import io.cleave.value.Type;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// The state of one thread while it evaluates kernels: the current batch, and the result vector of
/// each kernel. Threads: one.
public final class KernelRun {
    private final RunContext context;
    private final @Nullable Vector[] results;

    /// By kernel: the number of the batch that its result belongs to.
    private final long[] resultOf;

    private long batchNumber;
    private ColumnBatch batch = ColumnBatch.of();
    private int[] rows = {};

    /// `kernelCount` is the number of kernels that keep a result here.
    public KernelRun(RunContext context, int kernelCount) {
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

    /// Moves to the given batch and returns its row numbers. A filter may remove numbers from the
    /// array.
    public int[] begin(ColumnBatch newBatch) {
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

    /// The last result of the kernel with this number; an empty vector if there is none.
    Vector result(int kernel, Type type) {
        Vector known = results[kernel];
        if (known == null) {
            known = Vector.of(type);
            results[kernel] = known;
        }
        return known;
    }

    /// Whether the kernel already has a result for this batch. Within a batch, rows are only
    /// removed, so the result covers all rows that remain.
    boolean isDone(int kernel) {
        return resultOf[kernel] == batchNumber;
    }

    /// An empty vector for the kernel's result for this batch.
    <V extends Vector> V fresh(int kernel, Type type, Class<V> kind) {
        resultOf[kernel] = batchNumber;
        V vector = kind.cast(result(kernel, type));
        vector.reset(batch.rows());
        return vector;
    }
}
