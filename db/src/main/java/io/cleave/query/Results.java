package io.cleave.query;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Receives the answer of a query. The methods are called in the order of their declaration, by the
/// thread that runs the query. If an implementation waits, the query waits, too.
public interface Results {
    /// The transaction that stays open after the query; empty if there is none. This call comes
    /// first.
    void transaction(String txId);

    void begin(int resultIndex, ResultShape shape);

    /// The array belongs to the caller and may change after the call.
    void row(int resultIndex, Value[] row);

    void end(int resultIndex, boolean truncated);
}
