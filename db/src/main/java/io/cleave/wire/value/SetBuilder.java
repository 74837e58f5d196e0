package io.cleave.wire.value;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Builds parts of result sets, as messages or as bytes. The order of calls is `shape`, and then
/// for each part `start`, `ready` and `add` for each row, and `build`.
public interface SetBuilder<S> {
    /// Sets the columns of the next parts.
    void shape(ResultShape shape);

    void start(boolean withColumns);

    /// Encodes a row, and returns its bytes. The row is added to this part or to the next one.
    int ready(Value[] row);

    /// Adds the encoded row to the current part.
    void add();

    S build(boolean truncated);
}
