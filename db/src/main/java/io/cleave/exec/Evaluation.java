package io.cleave.exec;

import io.cleave.value.Value;

/// A compiled expression. It has no state: any number of threads may share it.
@FunctionalInterface
public interface Evaluation {
    Value eval(Value[] row, RunContext run);
}
