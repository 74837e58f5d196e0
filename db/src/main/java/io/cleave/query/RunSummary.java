package io.cleave.query;

import io.cleave.base.Issue;

import java.util.List;

/// What is to be said of a run that succeeded, besides its rows.
public record RunSummary(
        Compiled compiled, List<Issue> issues, List<TableAccess> accesses, long micros) {
    public RunSummary {
        issues = List.copyOf(issues);
        accesses = List.copyOf(accesses);
    }

    /// What the whole run took, if it took so long.
    QueryUse use(long durationMicros) {
        long readRows = 0;
        long readBytes = 0;
        long updatedRows = 0;
        long updatedBytes = 0;
        long erasedRows = 0;
        long erasedBytes = 0;
        for (TableAccess access : accesses) {
            readRows += access.readRows();
            readBytes += access.readBytes();
            updatedRows += access.updatedRows();
            updatedBytes += access.updatedBytes();
            erasedRows += access.erasedRows();
            erasedBytes += access.erasedBytes();
        }
        return new QueryUse(
                durationMicros,
                micros,
                readRows,
                readBytes,
                updatedRows,
                updatedBytes,
                erasedRows,
                erasedBytes);
    }
}
