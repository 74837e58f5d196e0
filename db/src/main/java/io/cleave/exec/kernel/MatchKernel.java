package io.cleave.exec.kernel;

import io.cleave.typed.ScalarFunction;
import io.cleave.value.LongVector;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Vector;

/// LIKE, ILIKE and GLOB with a constant pattern: a function of one string that cannot fail.
record MatchKernel(int number, ScalarFunction function, Kernel operand) implements Kernel {
    @Override
    public Vector eval(KernelRun run, int[] rows, int count) {
        Vector text = operand.eval(run, rows, count);
        LongVector result = run.fresh(number, Primitive.BOOL, LongVector.class);
        var arguments = new Value[1];
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            if (text.isNull(row)) {
                result.setNull(row);
            } else {
                arguments[0] = text.get(row);
                boolean matches = function.apply(arguments, run.context()).equals(Value.Bool.TRUE);
                result.values()[row] = matches ? 1 : 0;
            }
        }
        return result;
    }
}
