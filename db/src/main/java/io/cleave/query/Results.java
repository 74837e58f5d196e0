package io.cleave.query;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Takes what a query answers, in this order; all calls come from the thread that runs the query,
/// which waits when an implementation does.
public interface Results {
    /// The transaction that stays open after the query; empty when none does. Comes first.
    void transaction(String txId);

    void begin(int resultIndex, ResultShape shape);

    /// The array is the caller's and may change after the call.
    void row(int resultIndex, Value[] row);

    void end(int resultIndex, boolean truncated);
}
