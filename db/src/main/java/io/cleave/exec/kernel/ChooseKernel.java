package io.cleave.exec.kernel;

import io.cleave.value.LongVector;
import io.cleave.value.Type;
import io.cleave.value.Vector;

import java.util.List;

/// CASE and IF: for each row, the result of the first condition that is true, otherwise the last
/// result. All conditions and results are evaluated for every row, so none of them may fail.
record ChooseKernel(int number, Type type, List<Kernel> conditions, List<Kernel> results)
        implements Kernel {
    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        var met = new LongVector[conditions.size()];
        for (int index = 0; index < met.length; index++) {
            met[index] = (LongVector) conditions.get(index).eval(run, rows, count);
        }
        var chosen = new Vector[results.size()];
        for (int index = 0; index < chosen.length; index++) {
            chosen[index] = results.get(index).eval(run, rows, count);
        }
        Vector result = run.fresh(number, type, Vector.class);
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            int branch = 0;
            while (branch < met.length
                    && (met[branch].values()[row] == 0 || met[branch].isNull(row))) {
                branch++;
            }
            result.copy(row, chosen[branch]);
        }
        return result;
    }
}
