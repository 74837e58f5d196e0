package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Value;

/// The results of statements that return no rows.
final class NoResults implements Results {
    @Override
    public void transaction(String id) {}

    @Override
    public void begin(int resultIndex, ResultShape shape) {}

    @Override
    public void row(int resultIndex, Value[] row) {}

    @Override
    public void end(int resultIndex, boolean truncated) {}
}
