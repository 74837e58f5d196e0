package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.plan.Program;
import io.cleave.query.metric.MeteredRun;
import io.cleave.query.metric.QueryMeter;
import io.cleave.query.metric.QueryUse;
import io.cleave.query.metric.TableAccess;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// What a client is told about a run that succeeded, in addition to its rows.
///
/// @param staleMicros how stale its rows may be; empty if it has read no replicas
public record RunSummary(
        Compiled compiled,
        List<Issue> issues,
        List<TableAccess> accesses,
        long micros,
        OptionalLong staleMicros)
        implements MeteredRun {
    public RunSummary {
        issues = List.copyOf(issues);
        accesses = List.copyOf(accesses);
    }

    /// The summary of runs one after the other, with the program of the last one. Issues that
    /// several parts of a script have in common are listed once.
    static RunSummary ofAll(List<RunSummary> runs) {
        return new RunSummary(
                runs.getLast().compiled,
                runs.stream().flatMap(run -> run.issues.stream()).distinct().toList(),
                runs.stream().flatMap(run -> run.accesses.stream()).toList(),
                runs.stream().mapToLong(RunSummary::micros).sum(),
                OptionalLong.empty());
    }

    /// The issues, and a note on how stale the rows are.
    public List<Issue> issuesWithStaleness() {
        if (staleMicros.isEmpty()) {
            return issues;
        }
        List<Issue> all = new ArrayList<>(issues);
        all.add(
                Issue.info(
                        "Stale read: read from replicas that are at most %d us behind"
                                .formatted(staleMicros.getAsLong())));
        return all;
    }

    @Override
    public QueryMeter meter() {
        return compiled.meter();
    }

    @Override
    public boolean changesScheme() {
        return compiled.program().kind() == Program.Kind.SCHEME;
    }

    @Override
    public long compileMicros() {
        return compiled.micros();
    }

    @Override
    public boolean fromCache() {
        return compiled.fromCache();
    }

    /// The approximate number of bytes that the run read from all tables.
    @Override
    public long readBytes() {
        long bytes = 0;
        for (TableAccess access : accesses) {
            bytes += access.readBytes();
        }
        return bytes;
    }

    /// The costs of the whole run, which took `durationMicros`.
    @Override
    public QueryUse use(long durationMicros) {
        long readRows = 0;
        long updatedRows = 0;
        long updatedBytes = 0;
        long erasedRows = 0;
        long erasedBytes = 0;
        for (TableAccess access : accesses) {
            readRows += access.readRows();
            updatedRows += access.updatedRows();
            updatedBytes += access.updatedBytes();
            erasedRows += access.erasedRows();
            erasedBytes += access.erasedBytes();
        }
        return new QueryUse(
                durationMicros,
                micros,
                readRows,
                readBytes(),
                updatedRows,
                updatedBytes,
                erasedRows,
                erasedBytes);
    }
}
