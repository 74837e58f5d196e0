package io.cleave.query;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;
import io.cleave.ytql.YtQueryOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs texts outside every session, for tests that look at rows only.
public final class Texts {
    private Texts() {}

    /// Runs a text of this process outside every session.
    public static RunSummary runAlone(
            Database database, QueryText text, QueryRun run, Results results) {
        return database.run(database.as(Caller.IN_PROCESS).newSession(), text, run, results);
    }

    /// Runs a script of this process outside every session.
    public static RunSummary runScript(
            Database database, QueryText text, QueryRun run, Results results) {
        return database.runScript(database.as(Caller.IN_PROCESS).newSession(), text, run, results);
    }

    /// The rows of all its results, one after the other.
    public static List<List<Value>> run(Database database, Env env, String text) {
        return run(database, env, text, ResultLimits.NONE);
    }

    /// The rows of a query in YTsaurus' language.
    public static List<List<Value>> runYt(Database database, Env env, String text) {
        return run(
                database, env, QueryText.ofYt(text, YtQueryOptions.DEFAULT), ResultLimits.NONE);
    }

    public static List<List<Value>> run(
            Database database, Env env, String text, ResultLimits limits) {
        return run(database, env, QueryText.ofQueryService(text, Map.of()), limits);
    }

    private static List<List<Value>> run(
            Database database, Env env, QueryText text, ResultLimits limits) {
        List<List<Value>> rows = new ArrayList<>();
        runAlone(
                database,
                text,
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
