package io.cleave.exec.eval;

import io.cleave.value.Value;

/// A compiled expression. It has no state: any number of threads may share it.
@FunctionalInterface
public interface Evaluation {
    Value eval(Value[] row, RunContext run);
}
