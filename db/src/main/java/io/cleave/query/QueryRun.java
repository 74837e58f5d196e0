package io.cleave.query;

import io.cleave.schema.TableDefinition.TypedValue;

import java.util.Map;

/// One run of a text: the values of its parameters, its transaction, and its limits.
public record QueryRun(
        TxControl control,
        Map<String, TypedValue> parameters,
        ResultLimits limits,
        Cancellation cancellation,
        RunReading reading) {
    /// A run that reads what its transaction sees, without a limit.
    public QueryRun(
            TxControl control,
            Map<String, TypedValue> parameters,
            ResultLimits limits,
            Cancellation cancellation) {
        this(control, parameters, limits, cancellation, RunReading.USUAL);
    }
}
