package io.cleave.query;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Numbers the results of the parts of a script consecutively.
final class ScriptResults implements Results {
    private final Results results;
    private int before;
    private int count;
    private boolean begun;

    ScriptResults(Results results) {
        this.results = results;
    }

    /// The following results belong to the next part.
    void nextPart() {
        before = count;
    }

    @Override
    public void transaction(String txId) {
        if (!begun) {
            results.transaction(txId);
        }
        begun = true;
    }

    @Override
    public void begin(int resultIndex, ResultShape shape) {
        count = Math.max(count, before + resultIndex + 1);
        results.begin(before + resultIndex, shape);
    }

    @Override
    public void row(int resultIndex, Value[] row) {
        results.row(before + resultIndex, row);
    }

    @Override
    public void end(int resultIndex, boolean truncated) {
        results.end(before + resultIndex, truncated);
    }
}
