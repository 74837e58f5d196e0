package io.cleave.analysis;

import io.cleave.value.Value;

/// A function resolved for the types of its arguments. Pure but for what it takes from the run.
public interface ScalarFunction {
    String name();

    Value apply(Value[] arguments, Run run);

    /// What a query's run gives to functions: the time is fixed when the run begins.
    interface Run {
        long nowMicros();

        double randomDouble();

        long randomLong();
    }
}
