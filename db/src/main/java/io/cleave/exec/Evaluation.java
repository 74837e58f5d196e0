package io.cleave.exec;

import io.cleave.value.Value;

/// An expression ready to run. Without state: any number of threads may share it.
@FunctionalInterface
public interface Evaluation {
    Value eval(Value[] row, RunContext run);
}
