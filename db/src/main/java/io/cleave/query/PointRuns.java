package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.exec.PointSelect;
import io.cleave.plan.Program;
import io.cleave.query.metric.QueryMetrics;
import io.cleave.query.metric.TableAccess;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transactions;
import io.cleave.typed.Typed;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// The fast path for a text that is a [PointSelect] in its own transaction. The key is made of the
/// parameters, and its row is the answer. The normal path creates a transaction, its statistics,
/// operators and their context for each run, which takes longer than finding the row.
///
/// Threads: any.
final class PointRuns {
    private final Env env;
    private final Transactions transactions;
    private final QueryMetrics metrics;

    PointRuns(Env env, Transactions transactions, QueryMetrics metrics) {
        this.env = env;
        this.transactions = transactions;
        this.metrics = metrics;
    }

    /// Whether a run can take this path: in its own transaction, and at the newest version.
    static boolean suits(Compiled compiled, TxControl control) {
        return compiled.point().isPresent()
                && switch (control) {
                    case TxControl.Begin(Isolation isolation, boolean commit) ->
                            commit && isolation != Isolation.STALE_READ_ONLY;
                    case TxControl.Implicit _ -> true;
                    case TxControl.Existing _ -> false;
                };
    }

    RunSummary run(
            Session.Use use, Compiled compiled, PointSelect point, QueryRun run, Results results) {
        use.runs(compiled.meter());
        Program program = compiled.program();
        Bytes key = key(point, run.parameters());
        Value[] row = key == null ? null : transactions.readNewest(key, point.columns());
        results.transaction("");
        results.begin(point.result(), program.results().get(point.result()));
        List<TableAccess> accesses = List.of();
        if (row != null) {
            long bytes = ValueSize.of(row);
            if (bytes > run.limits().totalBytes()) {
                throw LimitedResults.tooLarge(bytes, run.limits());
            }
            var access = new TableAccess(point.columns().table().path());
            access.found(1, bytes);
            accesses = List.of(access);
            results.row(point.result(), row);
        }
        results.end(point.result(), false);
        long now = env.nanoTime();
        use.ended(now);
        long micros = (now - run.cancellation().begunNanos()) / 1000;
        var summary =
                new RunSummary(
                        compiled, program.warnings(), accesses, micros, OptionalLong.empty());
        metrics.add(summary, micros);
        return summary;
    }

    /// Null if a key column is NULL, which equals nothing.
    private static @Nullable Bytes key(PointSelect point, Map<String, TypedValue> sent) {
        var values = new Value[point.key().size()];
        for (int column = 0; column < values.length; column++) {
            Value value =
                    switch (point.key().get(column)) {
                        case Typed.Constant(_, Value constant) -> constant;
                        case Typed.Parameter(var type, String name) ->
                                Parameters.bind(name, type, sent);
                        case Typed other ->
                                throw new IllegalStateException("not a value: " + other);
                    };
            if (value.isNull()) {
                return null;
            }
            values[column] = value;
        }
        return KeyCodec.encode(point.keyTypes(), values);
    }
}
