package io.cleave.query;

import io.cleave.base.Issue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// What is to be said of a run that succeeded, besides its rows.
///
/// @param staleMicros how far its rows may be behind; empty if it has read no replicas
public record RunSummary(
        Compiled compiled,
        List<Issue> issues,
        List<TableAccess> accesses,
        long micros,
        OptionalLong staleMicros) {
    public RunSummary {
        issues = List.copyOf(issues);
        accesses = List.copyOf(accesses);
    }

    /// Of runs one after the other; the program is that of the last. What several parts of a script
    /// say of the same place is said once.
    static RunSummary ofAll(List<RunSummary> runs) {
        return new RunSummary(
                runs.getLast().compiled,
                runs.stream().flatMap(run -> run.issues.stream()).distinct().toList(),
                runs.stream().flatMap(run -> run.accesses.stream()).toList(),
                runs.stream().mapToLong(RunSummary::micros).sum(),
                OptionalLong.empty());
    }

    /// The issues, and for one who wants to know about the run, how stale its rows are.
    public List<Issue> issuesWithStaleness() {
        if (staleMicros.isEmpty()) {
            return issues;
        }
        List<Issue> all = new ArrayList<>(issues);
        all.add(
                Issue.info(
                        "Stale read: read replicas, at most %d us behind"
                                .formatted(staleMicros.getAsLong())));
        return all;
    }

    /// What the run read of all tables, about.
    long readBytes() {
        long bytes = 0;
        for (TableAccess access : accesses) {
            bytes += access.readBytes();
        }
        return bytes;
    }

    /// What the whole run took, if it took so long.
    QueryUse use(long durationMicros) {
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
