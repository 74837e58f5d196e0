package io.cleave.exec.kernel;

import io.cleave.value.Type;
import io.cleave.value.Vector;

import java.util.List;

/// For each row, the first argument that is not NULL.
record CoalesceKernel(int number, Type type, List<Kernel> arguments) implements Kernel {
    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        var given = new Vector[arguments.size()];
        for (int index = 0; index < given.length; index++) {
            given[index] = arguments.get(index).eval(run, rows, count);
        }
        Vector result = run.fresh(number, type, Vector.class);
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            int first = 0;
            while (first < given.length - 1 && given[first].isNull(row)) {
                first++;
            }
            result.copy(row, given[first]);
        }
        return result;
    }
}
