package io.cleave.exec.kernel;

import io.cleave.exec.eval.Evaluation;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;

/// An expression with one value throughout the run. It is evaluated when the first row needs it.
record FixedKernel(int number, Type type, Evaluation value) implements Kernel {
    private static final Value[] NO_ROW = {};

    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        Vector vector = run.result(number, type);
        int wanted = run.batch().rows();
        if (vector.size() < wanted && count > 0) {
            Value known = vector.size() > 0 ? vector.get(0) : value.eval(NO_ROW, run.context());
            while (vector.size() < wanted) {
                vector.add(known);
            }
        }
        return vector;
    }
}
