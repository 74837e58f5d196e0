package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs texts outside every session, for tests that look at rows only.
public final class Texts {
    private Texts() {}

    /// The rows of all its results, one after the other.
    public static List<List<Value>> run(Database database, Env env, String text) {
        return run(database, env, text, ResultLimits.NONE);
    }

    public static List<List<Value>> run(
            Database database, Env env, String text, ResultLimits limits) {
        List<List<Value>> rows = new ArrayList<>();
        database.runAlone(
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(TxControl.IMPLICIT, Map.of(), limits, Cancellation.byDefault(env)),
                new Results() {
                    @Override
                    public void transaction(String txId) {}

                    @Override
                    public void begin(int resultIndex, ResultShape shape) {}

                    @Override
                    public void row(int resultIndex, Value[] row) {
                        rows.add(List.of(row));
                    }

                    @Override
                    public void end(int resultIndex, boolean truncated) {}
                });
        return rows;
    }
}
