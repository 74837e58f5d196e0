package io.cleave.wire;

import io.cleave.query.Compiled;
import io.cleave.query.Explanation;
import io.cleave.query.RunSummary;
import io.cleave.query.metric.TableAccess;

import tech.ydb.proto.YdbQueryStats.QueryStats;

/// The statistics of a run, as messages.
final class StatsProtos {
    private StatsProtos() {}

    /// Statistics without the plan.
    static QueryStats of(RunSummary summary) {
        return builder(summary).build();
    }

    /// Statistics with the plan.
    static QueryStats of(RunSummary summary, Explanation explanation) {
        return explain(builder(summary), explanation).build();
    }

    private static QueryStats.Builder builder(RunSummary summary) {
        Compiled compiled = summary.compiled();
        var stats = QueryStats.newBuilder();
        stats.getCompilationBuilder()
                .setFromCache(compiled.fromCache())
                .setDurationUs(compiled.micros())
                .setCpuTimeUs(compiled.micros());
        var phase = stats.addQueryPhasesBuilder().setDurationUs(summary.micros());
        for (TableAccess access : summary.accesses()) {
            var table = phase.addTableAccessBuilder().setName(access.path());
            if (access.readRows() > 0) {
                table.getReadsBuilder().setRows(access.readRows());
            }
            if (access.updatedRows() > 0) {
                table.getUpdatesBuilder().setRows(access.updatedRows());
            }
            if (access.erasedRows() > 0) {
                table.getDeletesBuilder().setRows(access.erasedRows());
            }
        }
        stats.setTotalDurationUs(compiled.micros() + summary.micros());
        return stats;
    }

    static QueryStats explanation(Explanation explanation) {
        var stats = QueryStats.newBuilder();
        stats.getCompilationBuilder()
                .setFromCache(explanation.fromCache())
                .setDurationUs(explanation.micros());
        return explain(stats, explanation).build();
    }

    private static QueryStats.Builder explain(QueryStats.Builder stats, Explanation explanation) {
        return stats.setQueryPlan(explanation.json()).setQueryAst(explanation.tree());
    }
}
