package io.cleave.exec;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Receives the rows of a query's results as they are produced. Any method may throw a
/// `StatusException` to stop the query.
///
/// Results come one after the other, in the order of the program's results. Threads: the one that
/// runs the query.
public interface ResultSink {
    void begin(int resultIndex, ResultShape shape);

    /// The sink may use the array only until the call returns.
    void row(int resultIndex, Value[] row);

    void end(int resultIndex);
}
